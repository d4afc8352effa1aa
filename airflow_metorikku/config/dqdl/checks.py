"""A text of DQDL as checks, each with its line, and every mistake in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.dqdl.parser import Item, parse
from airflow_metorikku.config.dqdl.records import Composite
from airflow_metorikku.config.dqdl.rules import RULES, check_of
from airflow_metorikku.config.dqdl.tokens import MistakeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.config.fields import Where


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
            checks += _checks(item, place)
        except MistakeError as mistake:
            mistakes.append(mistake)
    told = sorted((mistake.line, str(mistake)) for mistake in mistakes)
    return tuple(checks), told


def _checks(item: Item, place: Callable[[int], Where]) -> list[Any]:
    if isinstance(item, Composite):
        if item.operator == "or":
            raise MistakeError(
                item.line,
                "rules joined by 'or' are refused here; write one condition on a row as the check satisfies",
            )
        # All must hold, which is what several checks say.
        return [check for part in item.parts for check in _checks(part, place)]
    if item.waits:
        return []
    try:
        return [replace(check_of(item), at=place(item.line))]
    except ValueError as error:
        raise MistakeError(item.line, str(error)) from error
