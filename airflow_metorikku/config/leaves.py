"""Scalars to texts, numbers, booleans, words and assertions: what each takes, and the sentence for what it does not."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.document import (
    BOOLS,
    ListNode,
    MapNode,
    Node,
    Scalar,
    number_value,
    plain_value,
    scalar_value,
)
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.report import BROKEN, Broken, Report
from airflow_metorikku.config.words import suggestion

if TYPE_CHECKING:
    from airflow_metorikku.config.shapes import ShapeKind

Reader = Callable[[Node, str, Report], Any]
_QUOTED_BOOLS = {"true": True, "false": False}
_SHOWN = 60


def got(node: Node) -> str:
    """What stands there, for a sentence."""
    if isinstance(node, MapNode):
        return "got a mapping"
    if isinstance(node, ListNode):
        return "got a list"
    if node.is_null:
        return "got nothing"
    text = node.text if len(node.text) <= _SHOWN else node.text[:_SHOWN] + "..."
    return f"got {text!r}" if node.quoted or isinstance(scalar_value(node), str) else f"got {text}"


def expected(node: Node, path: str, report: Report, what: str) -> Any:
    """Report a value of the wrong type."""
    return report.problem(node.line, path, f"{got(node)}, expected {what}")


def text_reader(node: Node, path: str, report: Report) -> Any:
    """Any scalar, as it was written."""
    if not isinstance(node, Scalar) or node.is_null:
        return expected(node, path, report, "a text")
    return report.text(node, path)


def sql_reader(node: Node, path: str, report: Report) -> Any:
    """Any scalar, as SQL."""
    if not isinstance(node, Scalar) or node.is_null:
        return expected(node, path, report, "SQL as a text")
    return report.sql(node, path)


def _scalar_reader(what: str, convert: Callable[[Scalar], Any]) -> Reader:
    """Reader of scalars; `convert` returns BROKEN, or raises ValueError with a sentence, for what it does not take."""

    def read(node: Node, path: str, report: Report) -> Any:
        if not isinstance(node, Scalar):
            return expected(node, path, report, what)
        filled = report.filled(node, path)
        if isinstance(filled, Broken):
            return BROKEN
        try:
            value = convert(filled)
        except ValueError as error:
            return report.problem(node.line, path, str(error))
        return expected(filled, path, report, what) if value is BROKEN else value

    return read


def _bool(node: Scalar) -> Any:
    return (_QUOTED_BOOLS if node.quoted else BOOLS).get(node.text, BROKEN)


def _int(node: Scalar) -> Any:
    text = node.text
    value = (
        int(text) if node.quoted and text.strip().lstrip("+-").isdecimal() else number_value(text)
    )
    return value if isinstance(value, int) else BROKEN


def _float(node: Scalar) -> Any:
    value = number_value(node.text)
    return BROKEN if value is None or value != value else float(value)  # noqa: PLR0124 - NaN


def _decimal(node: Scalar) -> Any:
    value = number_value(node.text)
    try:
        number = Decimal(value) if isinstance(value, int) else Decimal(node.text.replace("_", ""))
    except InvalidOperation:
        return BROKEN
    return number if number.is_finite() else BROKEN


def _assertion(node: Scalar) -> Any:
    return BROKEN if node.is_null else Assertion.from_text(node.text)


def words_reader(words: tuple[str, ...], *, any_case: bool) -> Reader:
    """One of some words, in the spelling of ours."""
    spelt = {word.lower() if any_case else word: word for word in words}
    listed = ", ".join(words)

    def convert(node: Scalar) -> Any:
        word = spelt.get(node.text.lower() if any_case else node.text)
        if word is not None:
            return word
        near = suggestion(node.text, words)
        raise ValueError(
            f"{got(node)}, expected one of {listed}" + (f"; did you mean {near!r}?" if near else "")
        )

    return _scalar_reader(f"one of {listed}", convert)


def plain_reader(node: Node, path: str, report: Report) -> Any:
    """Anything, as plain data; texts with the operator's variables in them."""
    if isinstance(node, MapNode):
        return {
            key: plain_reader(value, f"{path}.{key}", report)
            for key, (_, value) in node.entries.items()
        }
    if isinstance(node, ListNode):
        return [plain_reader(item, f"{path}[{i}]", report) for i, item in enumerate(node.items)]
    filled = report.filled(node, path)
    return report.text(node, path) if isinstance(filled, Broken) else plain_value(filled)


def own_reader(read: Callable[..., Any]) -> Reader:
    """What a field's own reader makes of its text; each of its mistakes at its line of the file."""

    def read_text(node: Node, path: str, report: Report) -> Any:
        if not isinstance(node, Scalar) or node.is_null:
            return expected(node, path, report, "a text")
        first = node.line + 1 if node.literal else node.line

        def place(line: int) -> Where:
            return Where(file=report.file, line=first + line if node.literal else first)

        value, mistakes = read(report.raw(node), place)
        for line, sentence in mistakes:
            report.problem(place(line).line, path, sentence)
        # Nothing is left where all of it waits for the variables of a run.
        return value if value and not mistakes else BROKEN

    return read_text


LEAVES: dict[ShapeKind, Reader] = {
    "text": text_reader,
    "plain": plain_reader,
    "bool": _scalar_reader("true or false", _bool),
    "int": _scalar_reader("a whole number", _int),
    "float": _scalar_reader("a number", _float),
    "decimal": _scalar_reader("a number", _decimal),
    "assertion": _scalar_reader("an assertion as '>= 0.9'", _assertion),
}
