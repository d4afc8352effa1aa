"""Alerters, as YAML or Python gives them, to callbacks of tasks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.given import read_given
from airflow_metorikku.config.records.alerters import (
    ALERTER_KINDS,
    ALERTERS,
    Alerter,
    CustomAlerter,
    EmailAlerter,
    ExceptionAlerter,
    SlackAlerter,
)
from airflow_metorikku.notifications.alerter import AlertNotifier

if TYPE_CHECKING:
    from airflow_metorikku.results.records import Verdict

Callback = Callable[[Any], None]
CALLBACKS = ("on_failure_callback", "on_success_callback")

_NOTIFIERS = {
    SlackAlerter: "airflow_metorikku.notifications.slack:SlackNotifier",
    EmailAlerter: "airflow_metorikku.notifications.email:EmailNotifier",
    CustomAlerter: "airflow_metorikku.notifications.custom:CustomNotifier",
}


@dataclass(frozen=True, kw_only=True)
class _Given:
    alerters: tuple[Annotated[Alerter, ALERTER_KINDS], ...] = key("As in a job file.")


def alerters_of(given: Iterable[Any]) -> tuple[Any, ...]:
    """Alerters as records; a mapping of one kind to its options, as in YAML, becomes its record."""
    return tuple(_record(item) if isinstance(item, Mapping | str) else item for item in given)


def failing_levels(alerters: Iterable[Any]) -> frozenset[Verdict]:
    """Levels that fail a gate: critical, and those of the exception alerters."""
    critical: frozenset[Verdict] = frozenset({"critical"})
    return critical.union(*(a.alert_on for a in alerters if isinstance(a, ExceptionAlerter)))


def prepared(alerters: Iterable[Any]) -> tuple[Any, ...]:
    """Alerters for several tasks: their callbacks are made once, and operators, which keep their arguments, see no secret."""
    given = alerters_of(alerters)
    return (*(a for a in given if isinstance(a, ExceptionAlerter)), *notifiers_of(given))


def notifiers_of(alerters: Iterable[Any]) -> list[Callback]:
    """A callback for each alerter but `exception`, in their order; a notifier or callable of the user's is called as it is."""
    return [_notifier(alerter) for alerter in alerters if not isinstance(alerter, ExceptionAlerter)]


def attach(
    arguments: dict[str, Any], notifiers: list[Callback], callbacks: Collection[str] = CALLBACKS
) -> None:
    """Add notifiers behind the user's own callbacks in an operator's arguments."""
    for name in callbacks if notifiers else ():
        own = arguments.get(name) or []
        arguments[name] = [*(own if isinstance(own, list | tuple) else [own]), *notifiers]


def _record(item: Mapping[str, Any] | str) -> Any:
    """Read one alerter by the rules of the job file."""
    return read_given(_Given, {"alerters": [item]}, "alerters of the DAG file").alerters[0]


def _notifier(alerter: Any) -> Callback:
    if isinstance(alerter, AlertNotifier):
        return alerter
    path = _NOTIFIERS.get(type(alerter))
    if path:
        options = {
            field.name: getattr(alerter, field.name)
            for field in fields(alerter)
            if field.name != "at"
        }
        notifier: AlertNotifier = _load(path)(**options)
        return notifier
    if not callable(alerter):
        known = ", ".join(ALERTERS)
        raise TypeError(
            f"alerters: got {type(alerter).__name__}, expected one of {known}, an Airflow notifier or a callable"
        )
    from airflow_metorikku.notifications.custom import CustomNotifier

    return CustomNotifier(class_path=alerter)


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
