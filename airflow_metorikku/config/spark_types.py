"""What is surely no type of Spark's SQL, found without a Spark: unknown names, brackets, and sizes that are missing or out of bounds.

The grammar is Spark 4's (`DataType.fromDDL`), columns with their types as `a int, b string` too; which of
the types the Spark at hand has, it says itself where the check runs.
"""

from __future__ import annotations

import re

from airflow_metorikku.config.document import DEEPEST
from airflow_metorikku.config.words import unknown

_TOKEN = re.compile(r"""\s*(`(?:[^`]|``)+`|'[^']*'|"[^"]*"|\w+|[<>(),:.])""")
_PLAIN = (
    "boolean", "tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long", "float",
    "real", "double", "date", "timestamp", "timestamp_ntz", "timestamp_ltz", "time", "string",
    "binary", "void", "variant", "interval",
)  # fmt: skip
_DECIMALS = ("decimal", "dec", "numeric")
_SIZED = ("char", "character", "varchar")
_PLACES = ("geometry", "geography")
_NESTED = ("array", "map", "struct")
_NAMES = (*_PLAIN, *_DECIMALS, *_SIZED, *_PLACES, *_NESTED)
# What may follow a type's name, as in `timestamp without time zone` and `interval day to second`.
_TAILS = {
    "timestamp": ("with", "without", "local", "time", "zone"),
    "time": ("with", "without", "local", "time", "zone"),
    "interval": ("year", "month", "day", "hour", "minute", "second", "to"),
}
_MOST_DIGITS = 38


class _NoTypeError(ValueError):
    """The text is no type; says what is wrong."""


def mistake_in_type(text: str) -> str | None:
    """A sentence about what Spark will not take for a type, None where nothing is found."""
    tokens = _tokens(text)
    if tokens is None:
        return f"got {text!r}, expected a type, as 'decimal(10,2)'"
    try:
        _Reader(tokens).whole()
    except _NoTypeError as error:
        try:
            _Reader(tokens).fields(end=None)
        except _NoTypeError as other:
            return str(other if " " in text.strip() and _is_field(tokens) else error)
    return None


def _is_field(tokens: list[str]) -> bool:
    return len(tokens) > 1 and tokens[0].lower() not in _NAMES and _is_word(tokens[1])


def _is_word(token: str) -> bool:
    return token.isidentifier()


def _tokens(text: str) -> list[str] | None:
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        found.append(match[1])
        at = match.end()
    return found


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> None:
        """One type, and nothing else."""
        self._type()
        if self._next():
            raise _NoTypeError(f"got {self._shown()}, expected a type and nothing behind it")

    def fields(self, end: str | None) -> None:
        """Names with their types, up to a bracket or the end."""
        while end is None or self._next() != end or self._tokens[self._at - 1] == ",":
            name = self._take()
            if not (name.startswith("`") or re.fullmatch(r"\w+", name)):
                raise _NoTypeError(f"got {self._shown()}, expected a column's name before {name!r}")
            if self._next() == ":":
                self._take()
            self._type()
            self._field_tail()
            if self._next() != ",":
                break
            self._take()
        if end:
            self._expect(end)
        elif self._next():
            raise _NoTypeError(f"got {self._shown()}, expected , before {self._next()!r}")

    def _type(self) -> None:
        word = self._take().lower()
        if word in _NESTED:
            self._depth += 1
            if self._depth > DEEPEST:
                raise _NoTypeError(f"nested deeper than {DEEPEST} levels")
            self._nested(word)
            self._depth -= 1
        elif word in _DECIMALS:
            self._decimal()
        elif word in _SIZED:
            self._size(word)
        elif word in _PLACES:
            self._skip_parentheses()
        elif word not in _PLAIN:
            raise _NoTypeError(unknown("type", word, _NAMES))
        self._type_tail(word)

    def _type_tail(self, word: str) -> None:
        if word == "time" and self._next() == "(":
            self._numbers(most=1)
        while self._next().lower() in _TAILS.get(word, ()):
            self._take()
        if self._next().lower() == "collate":
            self._take()
            self._take()
            while self._next() == ".":
                self._take()
                self._take()

    def _size(self, word: str) -> None:
        if self._next() != "(":
            raise _NoTypeError(f"got {self._shown()}, expected a size, as {word}(10)")
        self._numbers(most=1)

    def _nested(self, word: str) -> None:
        self._expect("<")
        if word == "struct":
            self.fields(end=">")
            return
        self._type()
        if word == "map":
            self._expect(",")
            self._type()
        self._expect(">")

    def _decimal(self) -> None:
        if self._next() != "(":
            return
        numbers = self._numbers(most=2)
        precision, scale = (*numbers, 0)[:2]
        if not 0 <= scale <= precision <= _MOST_DIGITS:
            raise _NoTypeError(
                f"got {self._shown()}, expected at most {_MOST_DIGITS} digits, of which at most all are behind the point"
            )

    def _numbers(self, most: int) -> list[int]:
        self._expect("(")
        found: list[int] = []
        while True:
            number = self._take()
            if not number.isdecimal() or len(found) == most:
                raise _NoTypeError(
                    f"got {self._shown()}, expected {'a number' if most == 1 else 'one or two numbers'} in parentheses"
                )
            found.append(int(number))
            if self._next() != ",":
                self._expect(")")
                return found
            self._take()

    def _skip_parentheses(self) -> None:
        self._expect("(")
        while self._take() != ")":
            pass

    def _field_tail(self) -> None:
        """`NOT NULL`, `DEFAULT ...` and `COMMENT '...'`, which say nothing of the type."""
        while self._next().lower() in ("not", "null", "comment", "default"):
            if self._take().lower() in ("comment", "default"):
                self._take()

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        if not token:
            raise _NoTypeError(f"got {self._shown()}, which ends in the middle of a type")
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._next() != token:
            near = f"before {self._next()!r}" if self._next() else "at its end"
            raise _NoTypeError(f"got {self._shown()}, expected {token} {near}")
        self._at += 1

    def _shown(self) -> str:
        text = " ".join(self._tokens)
        return repr(re.sub(r" ?([<>(),:.]) ?", r"\1", text))
