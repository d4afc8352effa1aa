"""Checked data frames that are observed in the write of another one, which is made of them row by row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from airflow_metorikku.spark.accumulated import accumulated, room_of
from airflow_metorikku.spark.aggregates import ROWS, count_rows
from airflow_metorikku.spark.passing import keeps_observing, passes_through, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.spark.checked import Checked


def inner_frames(
    outer: Mapping[int, DataFrame], checked: Sequence[Checked], taken: Iterable[Checked], limit: int
) -> dict[int, list[Checked]]:
    """Which checked data frames are observed on the way to which output, by its number, the outermost first.

    :param outer: what each output writes.
    :param taken: those that are answered otherwise.
    :param limit: of questions about one; more are cheaper in a pass of their own.
    """
    found: dict[int, list[Checked]] = {}
    done = {id(one) for one in taken}
    cheap = [one for one in reversed(checked) if one.result is None and one.audit.observable(limit)]
    for number, frame in outer.items():
        above = frame
        for one in cheap:
            if id(one) not in done and one.frame and passes_through(one.frame, above):
                found.setdefault(number, []).append(one)
                done.add(id(one))
                above = one.frame
    return found


def observe_inner(
    outer: DataFrame, inner: Sequence[Checked]
) -> tuple[DataFrame, Sequence[Checked]]:
    """The data frame, whose write also observes those that it is made of, and which those are.

    None where Spark's optimiser leaves some out: then they are scanned, as others.

    :param inner: the outermost first.
    """
    if not inner:
        return outer, inner
    made: DataFrame | None = None
    before: DataFrame | None = None
    room = room_of(outer)
    for one in reversed(inner):
        assert one.frame is not None, one.name
        base = one.frame if made is None or before is None else with_inner(one.frame, before, made)
        before, made = one.frame, one.audit.observe(base, room)
        room -= one.audit.added
    assert made is not None
    assert before is not None
    observed = with_inner(outer, before, made)
    return (observed, inner) if keeps_observing(observed, len(inner)) else (outer, ())


class OnTheWay:
    """A data frame to write, and those that are observed in its write; the rows that are written are counted as well."""

    def __init__(self, outer: DataFrame, inner: Sequence[Checked]) -> None:
        frame, self.inner = observe_inner(outer, inner)
        self._passed = accumulated(frame, [count_rows()], 1) if self.inner else None
        self.frame = self._passed.frame if self._passed else frame

    def collect(self, written: int | None) -> None:
        """After the write: the answers.

        Accumulators add up whatever Spark runs, also where a format makes its rows twice: unless as many passed as were
        written, nothing of them counts; nor where none were, as twice none is none.

        :param written: rows, where they are known.
        """
        once = bool(self._passed and written and self._passed.values()[ROWS] == written)
        for one in self.inner:
            if one.frame is not None:
                answer = one.audit.collect if once or not one.audit.added else one.audit.scan
                one.ask(partial(answer, one.frame))
