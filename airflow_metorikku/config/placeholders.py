"""Placeholders of a JDBCQuery: `?` in order, or `$1`, `$2` by number; not those in texts, names and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What holds no placeholder, then the placeholders. `??` is how PostgreSQL's driver spells its operator `?`.
_PARTS = re.compile(
    r"""
      --[^\n]*
    | /\*.*?(?:\*/|\Z)
    | (?<![A-Za-z0-9_])[eE]'(?:[^'\\]|\\.|'')*(?:'|\Z)
    | '(?:[^']|'')*(?:'|\Z)
    | "(?:[^"]|"")*(?:"|\Z)
    | `(?:[^`]|``)*(?:`|\Z)
    | (?<![A-Za-z0-9_$])\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?(?:\$(?P=tag)\$|\Z)
    | \?\?
    | (?P<number>(?<![A-Za-z0-9_$])\$[0-9]+)
    | (?P<mark>\?)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A query as JDBC takes it: with `?` alone."""

    sql: str
    columns: tuple[int, ...]
    """For each `?` the place of its column, from 0."""

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return max(self.columns, default=-1) + 1


def statement(query: str) -> Statement:
    """The statement of a query; raises ValueError when its placeholders do not say which columns they mean."""
    pieces: list[str] = []
    numbers: list[int] = []
    marks = end = 0
    for found in _PARTS.finditer(query):
        pieces.append(query[end : found.start()])
        end = found.end()
        if found["number"]:
            numbers.append(int(found["number"][1:]))
            pieces.append("?")
        else:
            marks += bool(found["mark"])
            pieces.append(found[0])
    pieces.append(query[end:])
    if marks and numbers:
        raise ValueError(
            f"has ? and ${numbers[0]}, expected one kind of placeholder (an operator ? is written ??)"
        )
    if not marks and not numbers:
        raise ValueError("has no placeholder, expected ? or $1 for each column")
    if missing := sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers)):
        raise ValueError(f"has ${max(numbers)} but no ${missing[0]}; $1 is the first column")
    if 0 in numbers:
        raise ValueError("has $0; $1 is the first column")
    columns = tuple(number - 1 for number in numbers) or tuple(range(marks))
    return Statement(sql="".join(pieces), columns=columns)
