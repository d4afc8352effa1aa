"""Text of YAML or JSON to light nodes: scalars with their raw text, mappings and lists, each with its line.

Nodes keep what Jackson keeps and PyYAML's own loading loses: `010`, `1_000`, `2017-09-01` and `10:30` as
they were written. Events are read, nothing is constructed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

DEEPEST = 40
MOST_NODES = 100_000
"""A file's nodes with every alias expanded: a small file must not grow to a million."""
LONGEST_NUMBER = 1000
"""Characters; Python refuses to read much longer ones."""

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
BOOLS = {
    text: value
    for words, value in ((("true", "yes", "on"), True), (("false", "no", "off"), False))
    for word in words
    for text in (word, word.capitalize(), word.upper())
}
_INT = re.compile(r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)")
_FLOAT = re.compile(  # with a point or an exponent: `08` is a text
    r"[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)"
    r"|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)"
)
_ODD_FLOATS = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}


class Scalar(NamedTuple):
    """A scalar as it was written; `quoted` in any of the ways that make it a text."""

    text: str
    line: int
    quoted: bool = False
    literal: bool = False
    """Written as a block whose lines are the file's next ones, by `|`."""

    @property
    def is_null(self) -> bool:
        """Whether it is `null`, `~`, or nothing at all."""
        return not self.quoted and self.text in NULLS


class MapNode(NamedTuple):
    """A mapping: by key, the key's line and the value."""

    entries: Mapping[str, tuple[int, Node]]
    line: int


class ListNode(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    line: int


Node = Scalar | MapNode | ListNode


# What no path, no setting and no UTF-8 text can hold, though an escape can spell it.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class DocumentError(ValueError):
    """The text is no document of ours; `line` is the file's, 0 for the file as a whole."""

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        super().__init__(text)


def refused_character(text: str) -> str | None:
    """The sentence for a character that no value may have, None where there is none."""
    match = _NO_TEXT.search(text)
    return f"character U+{ord(match[0]):04X} is not allowed" if match else None


def require_text(text: str, line: int) -> str:
    """The text; raises DocumentError for a character that no value may have."""
    if refused := refused_character(text):
        raise DocumentError(line, refused)
    return text


def plain_value(node: Node) -> Any:
    """The node as plain data, as YAML 1.1 reads it, but dates and times of the day stay text."""
    if isinstance(node, MapNode):
        return {key: plain_value(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, ListNode):
        return [plain_value(item) for item in node.items]
    return scalar_value(node)


def scalar_value(node: Scalar) -> Any:
    """What a scalar is: text, bool, int, float or None."""
    text = node.text
    if node.quoted:
        return text
    if text in NULLS:
        return None
    if text in BOOLS:
        return BOOLS[text]
    number = number_value(text)
    return text if number is None else number


def number_value(text: str) -> int | float | None:
    """The number that a plain scalar is, `010` being 8; None when it is none."""
    if len(text) > LONGEST_NUMBER:
        return None
    if _INT.fullmatch(text):
        return _int(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    odd = _ODD_FLOATS.get(text.lower())
    return None if odd is None else float(odd)


def _int(text: str) -> int:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    if digits[:2] in ("0b", "0x"):
        return sign * int(digits, 0)
    return sign * int(digits, 8 if digits[0] == "0" and len(digits) > 1 else 10)
