"""What a test's `expect` asks of a run's result, and what of it is not so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.words import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.config.records.test_settings import Expect
    from airflow_metorikku.results.records import ConstraintResult, Result


def unmet(expect: Expect | None, result: Result) -> Iterator[str]:
    """A sentence for each thing that is not as expected; a run that broke without being asked to is one."""
    yield from _error(expect.error if expect else None, result)
    if expect is None:
        return
    if expect.verdict and expect.verdict != result.verdict:
        yield f"expect.verdict: got {result.verdict}, expected {expect.verdict}"
    for name, verdict in expect.metrics.items():
        metric = result.metric(name)
        if metric is None:
            yield _unknown(f"expect.metrics.{name}", name, [one.name for one in result.metrics])
        elif metric.verdict != verdict:
            yield f"expect.metrics.{name}: got {metric.verdict}, expected {verdict}"
    yield from _constraints(expect, result)
    yield from _checkpoints(expect, result)
    yield from _reconciliation(expect, result)


def _error(words: str | None, result: Result) -> Iterator[str]:
    if words is None:
        if result.error:
            yield result.error
    elif result.error is None:
        yield f"expect.error: the run did not break, expected an error with the words {words!r}"
    elif words not in result.error:
        yield f"expect.error: got {result.error!r}, expected the words {words!r}"


def _constraints(expect: Expect, result: Result) -> Iterator[str]:
    every = [one for metric in result.metrics for one in metric.constraints]
    for name, status in expect.constraints.items():
        where = f"expect.constraints.{name}"
        found = [one for one in every if name in (one.id, _full(one))]
        if not found:
            yield _unknown(where, name, [one.id for one in every])
        for one in found:
            if one.status != status:
                why = f" ({one.message})" if one.message else ""
                of = f" of {one.data_frame}" if len(found) > 1 else ""
                yield f"{where}{of}: got {one.status}, value {one.value}{why}, expected {status}"


def _full(one: ConstraintResult) -> str:
    return f"{one.data_frame}.{one.id}"


def _checkpoints(expect: Expect, result: Result) -> Iterator[str]:
    taken = {one.name: {c.name: c.value for c in one.controls} for one in result.checkpoints}
    for checkpoint, controls in expect.checkpoints.items():
        where = f"expect.checkpoints.{checkpoint}"
        if checkpoint not in taken:
            yield _unknown(where, checkpoint, taken)
            continue
        for control, value in controls.items():
            got = taken[checkpoint].get(control)
            if got is None:
                yield _unknown(f"{where}.{control}", control, taken[checkpoint])
            elif got != value:
                yield f"{where}.{control}: got {got}, expected {value}"


def _reconciliation(expect: Expect, result: Result) -> Iterator[str]:
    for checkpoint, controls in expect.reconciliation.items():
        rules = [one for one in result.reconciliation if one.checkpoint == checkpoint]
        where = f"expect.reconciliation.{checkpoint}"
        if not rules:
            yield _unknown(where, checkpoint, [one.checkpoint for one in result.reconciliation])
            continue
        for control, status in controls.items():
            found = [one for one in rules if one.control == control]
            if not found:
                yield _unknown(f"{where}.{control}", control, [one.control for one in rules])
            for one in found:
                if one.status != status:
                    yield (
                        f"{where}.{control}: got {one.status} ({one.against} {one.expected}, "
                        f"{checkpoint} {one.actual}), expected {status}"
                    )


def _unknown(where: str, name: str, known: Iterable[str]) -> str:
    names = sorted(set(known))
    near = suggestion(name, names)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{where}: the run has only {', '.join(names) or 'none'}{hint}"
