"""Alerts through anything of the user's: an Airflow notifier or a callable."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from airflow_metorikku.notifications.alerter import AlertError, AlertNotifier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from airflow_metorikku.notifications.alerts import Alert


class CustomNotifier(AlertNotifier):
    """Calls a notifier class or a callable for each alert.

    A class is made with `params` and called with Airflow's context, a function is called with the
    context and `params`. The context has the alert as `alert`, so that a notifier's templates may say
    `{{ alert.text }}`.
    """

    def __init__(
        self,
        *,
        class_path: str | Callable[..., Any],
        params: Mapping[str, object] | None = None,
        alert_on: tuple[str, ...] = (),
    ) -> None:
        self.class_path = class_path
        self.params = dict(params or {})
        name = class_path if isinstance(class_path, str) else type(class_path).__qualname__
        super().__init__(
            kind="custom",
            alert_on=alert_on,
            fingerprint=f"{name} {sorted(self.params.items(), key=str)}",
        )

    def send(self, alert: Alert, context: Mapping[str, Any]) -> None:
        """Call the target; what it raises is raised."""
        target = (
            self._load(self.class_path) if isinstance(self.class_path, str) else self.class_path
        )
        with_alert = {**context, "alert": alert}
        if isinstance(target, type):
            target(**self.params)(with_alert)
        else:
            target(with_alert, **self.params)

    @staticmethod
    def _load(path: str) -> Any:
        module, _, name = path.replace(":", ".").rpartition(".")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise AlertError(
                f"custom: class: got '{path}', expected the dotted path of a class or function: {error}"
            ) from error
