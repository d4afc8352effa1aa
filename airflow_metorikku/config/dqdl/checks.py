"""A text of DQDL as checks, each with its line, and every mistake in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.dqdl.parser import Item, parse
from airflow_metorikku.config.dqdl.records import Composite
from airflow_metorikku.config.dqdl.rules import RULES, check_of
from airflow_metorikku.config.dqdl.tokens import MistakeError
from airflow_metorikku.config.records.checks import CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.config.fields import Where


_JOINED = {"and": CHECKS["allOf"], "or": CHECKS["anyOf"]}


def read_dqdl(
    source: str, place: Callable[[int], Where]
) -> tuple[tuple[Any, ...], list[tuple[int, str]]]:
    """The checks, and the mistakes with their lines from 0.

    :param place: the file and line of a line of the text, from 0.
    """
    items, mistakes = parse(source, RULES)
    checks: list[Any] = []
    for item in items:
        try:
            check = _check(item, place)
            checks += [] if check is None else [check]
        except MistakeError as mistake:
            mistakes.append(mistake)
    told = sorted((mistake.line, str(mistake)) for mistake in mistakes)
    return tuple(checks), told


def _check(item: Item, place: Callable[[int], Where]) -> Any:
    """The check of a rule or of rules that are joined; nothing where a number of it waits for a run's variables."""
    try:
        if isinstance(item, Composite):
            parts = tuple(_check(part, place) for part in item.parts)
            known = all(part is not None for part in parts)
            return _JOINED[item.operator](checks=parts, at=place(item.line)) if known else None
        return None if item.waits else replace(check_of(item), at=place(item.line))
    except MistakeError:  # of a part, at its own line
        raise
    except ValueError as error:
        raise MistakeError(item.line, str(error)) from error
