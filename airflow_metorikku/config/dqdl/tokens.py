"""Words, texts, numbers and signs of DQDL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

TokenKind = Literal["word", "text", "number", "sign", "variable", "end"]
_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+|\#[^\n]*)
    |"(?P<text>(?:[^"\\]|\\.)*)"
    |(?P<variable>\$\{[^}\n]*\})
    |(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_]))
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>>=|<=|!=|->|[=<>(){}\[\],:+*/-])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r'\\(["\\])')


class MistakeError(ValueError):
    """What is wrong in a text of DQDL; `line` counts from 0."""

    def __init__(self, line: int, sentence: str) -> None:
        self.line = line
        super().__init__(sentence)


class Token(NamedTuple):
    """One piece of a text; `line` counts from 0."""

    kind: TokenKind
    text: str
    line: int

    @property
    def shown(self) -> str:
        """For a sentence."""
        if self.kind == "end":
            return "the end"
        return f'"{self.text}"' if self.kind == "text" else f"'{self.text}'"


def tokens_of(source: str) -> Iterator[Token]:
    """The pieces of a text, then its end; raises MistakeError for a character that is none of DQDL's."""
    position = line = 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is None:
            raise _odd(source, position, line)
        kind = match.lastgroup
        if kind != "blank":
            text = match[kind or 0]
            if kind == "text":
                text = _ESCAPE.sub(r"\1", text)
            yield Token(kind, text, line)  # type: ignore[arg-type]  # the groups have the kinds' names
        line += source.count("\n", position, match.end())
        position = match.end()
    yield Token("end", "", line)


def _odd(source: str, position: int, line: int) -> MistakeError:
    if source[position] == '"':
        return MistakeError(line, "a text is opened here and not closed")
    if source[position] == "'":
        return MistakeError(line, "texts of DQDL stand in double quotes")
    return MistakeError(line, f"character {source[position]!r} is not expected here")
