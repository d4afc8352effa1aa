"""`${name}`, `${name:-default}` and `$${name}` in the text of a file, before it is parsed (Metorikku's rules).

A name that stands for nothing here survives into the scalars, where Spark's variables take it up. While
the text is parsed it is written with private characters, so that `{path: ${day}/x}` stays a flow mapping.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from airflow_metorikku.config.document import refused_character

LITERAL_DOLLAR = "\ue002"
"""Stands in a scalar for the `$` of a `${` that the user wrote as `$${`: text, not a variable."""
_OPEN, _CLOSE, _OPEN_LITERAL = "\ue000", "\ue001", "\ue003"
RESERVED = re.compile(f"[{_OPEN}-{_OPEN_LITERAL}]")
# Lengths are bounded, so that a hostile file costs no more than its size.
_TOKEN = re.compile(r"\$?\$\{((?:(?!:-)[^{}\n]){0,200}+)(?::-([^}]{0,1000}+))?\}")
_NAME = re.compile(r"\$\{([^{}\s]+)\}")
MOST_CHARACTERS = 1024 * 1024
"""Of a text with its values put in: as many as of a file."""

# Texts of a run that come from its logical date; a run may have none.
LOGICAL_DATE_NAMES = (
    "ds",
    "ds_nodash",
    "ts",
    "data_interval_start",
    "data_interval_end",
    "logical_date",
)
CONNECTIONS = "conn."
_CONNECTION = re.compile(
    r"conn\.[A-Za-z0-9_\-]+\.(host|port|login|password|schema|extra\.[A-Za-z0-9_.\-]+)"
)


_LITERAL_SECRET = re.compile(LITERAL_DOLLAR + r"\{((?:conn|secret)\.[^{}\s]+)\}")


class InterpolationError(ValueError):
    """A value that names itself; `line` is where the file starts to use it."""

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        super().__init__(text)


@dataclass(frozen=True, kw_only=True)
class Names:
    """What `${name}` may stand for, strongest first."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Given by the operator or `--var`: quoted in SQL by Spark's variables, raw outside."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Of the run, as `ds`: raw everywhere."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """The environment: raw everywhere."""

    def text(self, name: str) -> str | None:
        """What is put into the file's text; a given variable is not, as SQL quotes it."""
        if name in self.variables:
            return None
        return self.texts[name] if name in self.texts else self.environ.get(name)


class Interpolated(NamedTuple):
    """Text to parse. `lines` gives the file's line for each of its lines, None when they are the same."""

    text: str
    lines: tuple[int, ...] | None = None
    marked: bool = False
    """Whether `unmark` has anything to do."""
    filled: bool = False
    """Whether it holds values that are not in the file, and may be secret."""


def interpolate(text: str, names: Names) -> Interpolated:
    """Put values into a file's text; raises InterpolationError for a value that names itself."""
    if "${" not in text:
        return Interpolated(text)
    pieces: list[tuple[str, str]] = []
    position = grown = 0
    for match in _TOKEN.finditer(text):
        kept = text[position : match.start()]
        try:
            value = _value(match, names, ())
            grown += len(value)
            _require_sane(match[1], value, grown)
        except ValueError as error:
            raise InterpolationError(text.count("\n", 0, match.start()) + 1, str(error)) from error
        pieces += [(kept, kept), (match[0], value)]
        position = match.end()
    rest = text[position:]
    pieces.append((rest, rest))
    made = "".join(value for _, value in pieces)
    moved = any(
        source is not value and ("\n" in source or "\n" in value) for source, value in pieces
    )
    marked = RESERVED.search(made) is not None
    filled = any(value[:1] not in (_OPEN, _OPEN_LITERAL) for _, value in pieces[1::2])
    return Interpolated(made, _lines(pieces) if moved else None, marked, filled)


def fill(text: str, names: Names) -> str:
    """A scalar outside SQL, with the given variables in it; names that stand for nothing stay."""

    def value(match: re.Match[str]) -> str:
        given = names.variables.get(match[1])
        return match[0] if given is None else given

    return _NAME.sub(value, text)


def unmark(text: str) -> str:
    """A parsed scalar with its names written as `${name}` again."""
    return (
        text.replace(_OPEN, "${").replace(_OPEN_LITERAL, LITERAL_DOLLAR + "{").replace(_CLOSE, "}")
    )


def literal_dollars(text: str) -> str:
    """The text as the user meant it: each literal `${` spelt so."""
    return text.replace(LITERAL_DOLLAR, "$")


def literal_connection(text: str, path: str) -> str | None:
    """The first literal `${conn.…}` or `${secret.…}` of a text where they are what secrets are called in a plan."""
    found = _LITERAL_SECRET.search(text) if _TAKE_CONNECTIONS.match(path) else None
    return found[1] if found else None


def as_literal(text: str, dollar: str) -> str:
    """The text of a file in which each `${name}` of this text stands for itself.

    :param dollar: how the file writes the `$` of a `${` that no `}` closes: one further on would.
    """
    pieces, position = [], 0
    for match in _TOKEN.finditer(text):
        pieces += [text[position : match.start()].replace("${", f"{dollar}{{"), f"${match[0]}"]
        position = match.end()
    return "".join([*pieces, text[position:].replace("${", f"{dollar}{{")])


def names_in(text: str) -> list[str]:
    """Names that `${name}` in a scalar still asks for, in order."""
    return _NAME.findall(text) if "${" in text else []


def connection_problem(name: str, path: str | None) -> str | None:
    """What is wrong with a `${conn.NAME.field}` at a place of a file; nothing where blocks name other systems.

    :param path: None in SQL.
    """
    if path is None:
        return f"got ${{{name}}} in SQL, where it would be seen; expected it in inputs, outputs, instrumentation or sparkConf"
    if not _TAKE_CONNECTIONS.match(path):
        return f"got ${{{name}}}; expected it only in inputs, outputs, instrumentation or sparkConf"
    if not _CONNECTION.fullmatch(name):
        return f"got ${{{name}}}, expected ${{conn.NAME.field}} with host, port, login, password, schema or extra.KEY"
    return None


_TAKE_CONNECTIONS = re.compile(r"inputs\.|outputs?[.\[]|instrumentation\.|sparkConf\.")


def undefined_name(name: str) -> str:
    """What a user is told of a name that stands for nothing in this run."""
    if name in LOGICAL_DATE_NAMES:
        return (
            f"${{{name}}} is undefined: this run has no logical date; "
            f"use ${{run_after}}, or a default as ${{{name}:-2024-01-01}}"
        )
    return (
        f"${{{name}}} is undefined; give a variable, an environment variable, or a default as ${{{name}:-text}}"
        " (variables of the job file are for SQL)"
    )


def given_variables(variables: Mapping[str, str], names: Names) -> dict[str, str]:
    """The values of the operator's variables, with what they name put in; raises InterpolationError when one names itself, or is no text."""
    found = {name: _resolved(name, names, (name,)) for name in variables}
    for name, value in found.items():
        if refused := refused_character(value):
            raise InterpolationError(0, f"{name}: {refused}")
    return found


def _resolved(name: str, names: Names, using: tuple[str, ...]) -> str:
    def value(match: re.Match[str]) -> str:
        inner = match[1]
        if match[0].startswith("$$") or inner not in names.variables:
            return _value(match, names, using)
        if inner in using:
            raise InterpolationError(0, _circle((*using, inner)))
        return _resolved(inner, names, (*using, inner))

    return unmark(_TOKEN.sub(value, names.variables[name]))


def _value(match: re.Match[str], names: Names, using: tuple[str, ...]) -> str:
    name, default = match[1], match[2]
    if match[0].startswith("$$"):
        return f"{_OPEN_LITERAL}{match[0][3:-1]}{_CLOSE}"
    value = names.text(name)
    if value is not None:
        if name in using:
            raise ValueError(_circle((*using, name)))
        made = _TOKEN.sub(lambda inner: _value(inner, names, (*using, name)), value)
        _require_sane(name, made, len(made))
        return made
    if default is not None and name not in names.variables:
        return default
    if not name or re.search(r"\s", name):  # `${ x }` is no name, as in the original
        return match[0]
    return f"{_OPEN}{name}{_CLOSE}"


def _require_sane(name: str, value: str, length: int) -> None:
    """Raise ValueError for a value that no file could hold: a few variables can grow to billions of characters."""
    if length > MOST_CHARACTERS:
        raise ValueError(f"${{{name}}} makes the text longer than {MOST_CHARACTERS} characters")
    if refused := refused_character(value):
        raise ValueError(f"${{{name}}}: {refused}")


def _circle(names: tuple[str, ...]) -> str:
    return f"${{{names[0]}}} names itself: {' > '.join(names)}; expected a value without a circle"


def _lines(pieces: list[tuple[str, str]]) -> tuple[int, ...]:
    lines = [1]
    line = 1
    for source, value in pieces:
        if source is value:
            lines.extend(range(line + 1, line + 1 + source.count("\n")))
        else:
            lines.extend([line] * value.count("\n"))
        line += source.count("\n")
    return tuple(lines)
