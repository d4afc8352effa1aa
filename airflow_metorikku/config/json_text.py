"""JSON to the same nodes as YAML, strictly, with lines; tabs are as good as blanks."""

from __future__ import annotations

import json
import re

from airflow_metorikku.config.document import (
    DEEPEST,
    DocumentError,
    ListNode,
    MapNode,
    Node,
    Scalar,
    require_text,
)
from airflow_metorikku.config.interpolation import Interpolated, unmark

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z.])|(?:true|false|null)(?![0-9A-Za-z])"
)


def read_json(source: Interpolated) -> tuple[Node, list[DocumentError]]:
    """The document of a text and its duplicate keys; raises DocumentError when it is not JSON."""
    return _JsonText(source).document()


class _JsonText:
    """A position in a text; one a text."""

    def __init__(self, source: Interpolated) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self.counted = (0, 0)
        self.mistakes: list[DocumentError] = []

    def document(self) -> tuple[Node, list[DocumentError]]:
        root = self.value(0)
        self.skip()
        if self.position < len(self.text):
            raise self.unexpected("the end of the file")
        return root, self.mistakes

    def line(self) -> int:
        before, line = self.counted
        line += self.text.count("\n", before, self.position)
        self.counted = self.position, line
        lines = self.source.lines
        return line + 1 if lines is None else lines[line]

    def skip(self) -> str:
        """Pass blanks; the character that follows, empty at the end."""
        self.position = _BLANK.match(self.text, self.position).end()  # type: ignore[union-attr]
        return self.text[self.position : self.position + 1]

    def unexpected(self, expected: str) -> DocumentError:
        found = self.text[self.position : self.position + 1]
        return DocumentError(
            self.line(),
            f"not JSON: got {found!r}, expected {expected}"
            if found
            else f"not JSON: the file ends, expected {expected}",
        )

    def value(self, depth: int) -> Node:
        following, line = self.skip(), self.line()
        if following in ("{", "[") and depth >= DEEPEST:
            raise DocumentError(line, f"nested deeper than {DEEPEST} levels")
        if following == "{":
            return self.mapping(depth, line)
        if following == "[":
            return self.items(depth, line)
        if following == '"':
            return Scalar(self.string(), line, quoted=True)
        match = _PLAIN.match(self.text, self.position)
        if not match:
            raise self.unexpected("a value, texts in double quotes")
        self.position = match.end()
        return Scalar(match[0], line)

    def string(self) -> str:
        match = _STRING.match(self.text, self.position)
        if not match:
            raise DocumentError(
                self.line(), "not JSON: expected a text in double quotes that ends on its line"
            )
        try:
            text: str = json.loads(match[0])
        except ValueError as error:
            raise DocumentError(
                self.line(), "not JSON: unknown escape after a backslash"
            ) from error
        require_text(text, self.line())
        self.position = match.end()
        return unmark(text) if self.source.marked else text

    def mapping(self, depth: int, line: int) -> MapNode:
        entries: dict[str, tuple[int, Node]] = {}
        self.position += 1
        if self.skip() == "}":
            self.position += 1
            return MapNode(entries, line)
        while True:
            if self.skip() != '"':
                raise self.unexpected("a key in double quotes")
            at, key = self.line(), self.string()
            if self.skip() != ":":
                raise self.unexpected("':'")
            self.position += 1
            node = self.value(depth + 1)
            if key in entries:
                self.mistakes.append(
                    DocumentError(at, f"duplicate key {key!r}, first on line {entries[key][0]}")
                )
            entries.setdefault(key, (at, node))
            if self.ends("}"):
                return MapNode(entries, line)

    def items(self, depth: int, line: int) -> ListNode:
        items: list[Node] = []
        self.position += 1
        if self.skip() == "]":
            self.position += 1
            return ListNode((), line)
        while True:
            items.append(self.value(depth + 1))
            if self.ends("]"):
                return ListNode(tuple(items), line)

    def ends(self, closing: str) -> bool:
        """Pass `,` or the closing bracket; whether it was the bracket."""
        found = self.skip()
        if found not in (",", closing) or not found:
            raise self.unexpected(f"',' or {closing!r}")
        self.position += 1
        return found == closing
