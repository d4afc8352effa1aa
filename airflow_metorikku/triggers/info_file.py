"""Waits in the triggerer for an `_INFO` file that can be judged."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from airflow_metorikku.results.info import UnreadableInfoError, read_info
from airflow_metorikku.results.judge_info import not_yet
from airflow_metorikku.store import read_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


class InfoFileTrigger(BaseTrigger):
    """Fires `{"ended": bool, "deadline": float}` when the file is readable and has its checkpoints, or with `ended` at the deadline.

    What was found is judged by the sensor, which reads the file itself; the event has nothing of it.

    :param path: address of the file.
    :param checkpoints: names that it must have; at least one checkpoint in any case.
    :param poke_interval: seconds between two looks.
    :param deadline: when to give up, in seconds since 1970.
    """

    def __init__(
        self, *, path: str, checkpoints: Sequence[str], poke_interval: float, deadline: float
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.path = path
        self.checkpoints = list(checkpoints)
        self.poke_interval = poke_interval
        self.deadline = deadline

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Where the class is, and its arguments."""
        return (
            f"{type(self).__module__}.{type(self).__qualname__}",
            {
                "path": self.path,
                "checkpoints": self.checkpoints,
                "poke_interval": self.poke_interval,
                "deadline": self.deadline,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Look, from a thread, as file systems block; one that cannot be reached is asked again."""
        while True:
            if await asyncio.to_thread(self._is_there):
                yield self._event(ended=False)
                return
            left = self.deadline - time.time()
            if left <= 0:
                yield self._event(ended=True)
                return
            await asyncio.sleep(min(self.poke_interval, left))

    def _event(self, *, ended: bool) -> TriggerEvent:
        return TriggerEvent({"ended": ended, "deadline": self.deadline})  # type: ignore[no-untyped-call]

    def _is_there(self) -> bool:
        try:
            text = read_text(self.path)
            info = read_info(text, self.path) if text is not None else None
        except (OSError, UnicodeDecodeError, UnreadableInfoError) as error:
            self.log.info("%s: %s", self.path, error)
            return False
        return info is not None and not_yet(info, self.checkpoints, self.path) is None
