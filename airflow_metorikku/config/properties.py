"""Java's properties files, as `spark-submit --properties-file` reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.text import read_text, shown
from airflow_metorikku.errors import ConfigError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SPARK = "spark."
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.|$)", re.DOTALL)
_NAMED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ENTRY = re.compile(r"((?:[^\\:=\s]|\\.)*)\s*[:=]?\s*(.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Property:
    """A setting of Spark's, and where it stands."""

    name: str
    value: str
    at: Where


def read_properties(path: Path) -> tuple[Property, ...]:
    """The settings of a file, those that begin with `spark.` as Spark does; raises ConfigError."""
    file = shown(path)
    text = read_text(path, file, Problem(file=file, line=0, path="", text=""))
    if isinstance(text, Problem):
        raise ConfigError([text])
    found = {one.name: one for one in properties_of(text, file)}
    return tuple(one for name, one in found.items() if name.startswith(_SPARK))


def properties_of(text: str, file: str) -> Iterator[Property]:
    """Every entry of a text: `name=value`, `name: value` or `name value`; `#` and `!` begin comments, a backslash goes on with the next line."""
    for line, entry in _logical_lines(text):
        name, value = _ENTRY.fullmatch(entry).groups()  # type: ignore[union-attr]  # it matches any line
        # Spark trims values, Java does not.
        yield Property(
            name=_unescaped(name),
            value=_unescaped(value).strip(),
            at=Where(file=file, line=line),
        )


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    began, entry = 0, ""
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        stripped = raw.lstrip(" \t\f")
        if not entry and (not stripped or stripped[0] in "#!"):
            continue
        began = began or number
        ends = len(stripped) - len(stripped.rstrip("\\"))
        if ends % 2:
            entry += stripped[:-1]
            continue
        yield began, entry + stripped
        began, entry = 0, ""
    if entry:
        yield began, entry


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _NAMED.get(code, code)

    return _ESCAPE.sub(character, text)
