"""YAML of a few plain values, written without a library: Spark's side has none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from airflow_metorikku.config.document import refused_character
from airflow_metorikku.config.interpolation import RESERVED, as_literal

# What every reader of YAML takes for a text as it stands.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"}
_LONGEST_REMARK = 300
# Longer than any name of a variable, and yet what looks like one.
_NO_NAME = re.compile(r"\$\{[^{}\n]{150,}")


def flow(value: Any) -> str:
    """A value in one line: texts quoted where need be, with `${` written as our files want it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if plain else f'"{_escaped(value)}"'
    return json.dumps(value)


def remark(text: str) -> str:
    """A comment: one line, whatever is in the text."""
    cut = text if len(text) <= _LONGEST_REMARK else f"{text[:_LONGEST_REMARK]}…"
    return f"# {_escaped(cut, quotes=False)}"


def _escaped(text: str, *, quotes: bool = True) -> str:
    escaped = "".join(_character(one, quotes=quotes) for one in text)
    return as_literal(escaped, "\\x24")


def why_not_written(text: str) -> str | None:
    """Why no file of ours can hold a text, None where one can."""
    if refused := refused_character(text):
        return refused
    if RESERVED.search(text) or _NO_NAME.search(text):
        return "it holds what a file of ours reads otherwise"
    return None


def _character(one: str, *, quotes: bool) -> str:
    if one in '\\"':
        return f"\\{one}" if quotes else one
    if one.isprintable():
        return one
    return f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}"  # noqa: PLR2004 - where four digits end
