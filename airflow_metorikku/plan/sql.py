"""SQL as far as planning needs it: words, without parsing it (Spark is the parser).

Strings and comments are passed over, names in backticks are read whole, case does not count
(Spark's names are case-insensitive by default).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<quoted>`(?:[^`]|``)+`)"
    r"|(?P<variable>\$\{[^}\s]+\})"
    r"|(?P<word>\w+)"
    r"|(?P<sign>[^\s\w])",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\$\{([^}\s]+)\}")
# Words after which a list of tables has ended.
_ENDS_TABLES = frozenset(
    [
        "where",
        "group",
        "order",
        "having",
        "limit",
        "union",
        "except",
        "intersect",
        "minus",
        "window",
        "cluster",
        "distribute",
        "sort",
        "qualify",
        "on",
        "using",
        "select",
        "set",
        "when",
        "offset",
    ]
)
# Functions of SQL's own syntax with a FROM that names no table.
_FROM_IN_CALL = frozenset({"extract", "trim", "substring", "substr", "overlay", "position"})
_NO_TABLE = frozenset({"values", "select", "lateral", "table", "only", "identifier", "stream"})
_DESCRIBES = frozenset({"show", "describe", "desc", "explain", "analyze", "refresh", "use"})


@dataclass(frozen=True)
class Token:
    """A word, a name in backticks (without them), or a sign; lower-case."""

    kind: str
    text: str


@functools.lru_cache(maxsize=4096)
def tokens(sql: str) -> tuple[Token, ...]:
    """Tokens of a statement, without comments and texts."""
    return tuple(_tokens(sql))


def _tokens(sql: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(sql):
        kind = match.lastgroup or ""
        if kind == "quoted":
            yield Token("quoted", match[0][1:-1].replace("``", "`").lower())
        elif kind != "comment":
            yield Token(kind, match[0].lower() if kind == "word" else match[0])


def select_all(*parts: str) -> str:
    """All rows of a view, or of a table of a database, whatever its name holds."""
    quoted = ".".join(f"`{part.replace('`', '``')}`" for part in parts)
    return f"SELECT * FROM {quoted}"  # noqa: S608 - names in backticks


def names_used(sql: str) -> frozenset[str]:
    """Every name that a statement mentions, lower-case: what it reads is among them."""
    return frozenset(token.text for token in tokens(sql) if token.kind in ("word", "quoted"))


def variables_used(sql: str) -> tuple[str, ...]:
    """Names in `${name}`, in order, outside comments; also inside texts, where Spark puts them too."""
    found: dict[str, None] = {}
    for match in _TOKEN.finditer(sql):
        if match.lastgroup != "comment":
            found.update(dict.fromkeys(_VARIABLE.findall(match[0])))
    return tuple(found)


def created(sql: str) -> frozenset[str]:
    """Names that a CREATE statement makes, lower-case, without their database."""
    stream = tokens(sql)
    words = [token.text for token in stream]
    if not words or words[0] not in ("create", "cache"):
        return frozenset()
    for index, word in enumerate(words):
        if word in ("view", "table"):
            rest = [
                token for token in stream[index + 1 :] if token.text not in ("if", "not", "exists")
            ]
            name, _ = _name(rest, 0)
            return frozenset({name[-1]}) if name else frozenset()
    return frozenset()


@functools.lru_cache(maxsize=4096)
def tables_read(sql: str) -> tuple[str, ...]:
    """Tables and views of one part after FROM and JOIN, lower-case, that the statement itself does not define.

    Names with a database, paths (`csv.`path``) and table functions are left out, and so is
    anything that is not surely a table: what is said of the rest must be true.
    """
    stream = tokens(sql)
    if not stream or stream[0].text in _DESCRIBES:
        return ()
    own = _common_table_names(stream)
    return tuple(dict.fromkeys(name for name in _after_from(stream) if name not in own))


def _after_from(stream: tuple[Token, ...]) -> Iterator[str]:
    in_list = [False]
    opened_by = [""]
    for index, token in enumerate(stream):
        before = stream[index - 1].text if index else ""
        if token.text == "(" and token.kind == "sign":
            in_list.append(False)
            opened_by.append(before)
        elif token.text == ")" and token.kind == "sign" and len(in_list) > 1:
            in_list.pop()
            opened_by.pop()
        elif token.kind == "word" and _starts_tables(stream, index, opened_by[-1]):
            in_list[-1] = True
            yield from _table_at(stream, index + 1)
        elif token.text == "," and in_list[-1]:
            yield from _table_at(stream, index + 1)
        elif token.kind == "word" and token.text in _ENDS_TABLES:
            in_list[-1] = False


def _starts_tables(stream: tuple[Token, ...], index: int, opened_by: str) -> bool:
    word = stream[index].text
    if word == "join":
        return True
    if word != "from" or opened_by in _FROM_IN_CALL:
        return False
    # IS [NOT] DISTINCT FROM compares; SELECT DISTINCT FROM is no SQL.
    return index == 0 or stream[index - 1].text != "distinct"


def _table_at(stream: tuple[Token, ...], index: int) -> Iterator[str]:
    name, after = _name(stream, index)
    follows = stream[after].text if after < len(stream) else ""
    if (
        len(name) == 1
        and follows != "("
        and not (name[0] in _NO_TABLE and stream[index].kind == "word")
    ):
        yield name[0]


def _name(stream: tuple[Token, ...] | list[Token], index: int) -> tuple[list[str], int]:
    """Parts of the name at a place, and the place after it."""
    parts: list[str] = []
    while index < len(stream) and stream[index].kind in ("word", "quoted"):
        parts.append(stream[index].text)
        index += 1
        if index < len(stream) and stream[index].text == ".":
            index += 1
            continue
        break
    return parts, index


def _common_table_names(stream: tuple[Token, ...]) -> frozenset[str]:
    """Names before `AS (`, with or without a list of columns between."""
    found = set()
    opened: list[int] = []
    closed_from: dict[int, int] = {}
    for index, token in enumerate(stream):
        if token.kind != "sign" and token.text != "as":
            continue
        if token.text == "(":
            opened.append(index)
        elif token.text == ")" and opened:
            closed_from[index] = opened.pop()
        elif (
            token.text == "as"
            and index
            and index + 1 < len(stream)
            and stream[index + 1].text == "("
        ):
            name = closed_from.get(index - 1, index) - 1
            if name >= 0:
                found.add(stream[name].text)
    return frozenset(found)
