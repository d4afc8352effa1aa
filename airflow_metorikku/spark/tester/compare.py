"""Expected rows against a data frame: rows belong together by their keys, equal ones are paired off as often as they stand there."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from airflow_metorikku.config.records.test_settings import Row
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.results.outcome import RowDifference, TableOutcome
from airflow_metorikku.spark.tester.texts import actual_text, expected_text
from airflow_metorikku.spark.tester.values import comparable, read_as, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame


_MOST_LIKENESS = 200
_NESTED = (ArrayType, StructType, MapType)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How the rows of a table are compared."""

    name: str
    rows: tuple[Row, ...]
    keys: tuple[str, ...]
    """Empty: all columns."""
    compare: Literal["typed", "text"]
    zone: tzinfo


@dataclass(frozen=True)
class _Line:
    """A row: its number from 1, what is compared, and what is shown."""

    number: int
    cells: tuple[Any, ...]
    shown: tuple[str, ...]


def compare_table(asked: Comparison, frame: DataFrame) -> TableOutcome:
    """Compare a data frame, which is collected once."""
    columns = tuple(asked.rows[0]) if asked.rows else tuple(frame.columns)
    if problems := [*_shapes(asked.rows, columns), *_bad_keys(asked.keys, columns)]:
        return _outcome(asked, columns, problems)
    places, problems = _places(columns, frame.columns)
    if problems:
        return _outcome(asked, columns, problems)
    kinds = [frame.schema.fields[place].dataType for place in places]
    actual = _picked(frame, places).collect() if places else []
    by_text = [_by_text(asked, name, kind) for name, kind in zip(columns, kinds, strict=True)]
    differences = _differences(
        [
            _expected_line(asked, i, row, columns, kinds, by_text)
            for i, row in enumerate(asked.rows)
        ],
        [_actual_line(i, row, kinds, by_text) for i, row in enumerate(actual)],
        columns,
        asked.keys or columns,
    )
    return TableOutcome(
        name=asked.name,
        expected_rows=len(asked.rows),
        actual_rows=len(actual),
        columns=columns,
        rows=tuple(differences),
    )


def _picked(frame: DataFrame, places: list[int]) -> DataFrame:
    """Columns by place, since a data frame may have a name twice; as it is where they are all of them."""
    if places == list(range(len(frame.columns))):
        return frame
    numbered = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    return numbered.select(*(f"c{place}" for place in places))


def _outcome(asked: Comparison, columns: tuple[str, ...], problems: list[str]) -> TableOutcome:
    return TableOutcome(
        name=asked.name,
        expected_rows=len(asked.rows),
        actual_rows=None,
        columns=columns,
        problems=tuple(problems),
    )


def _shapes(rows: Sequence[Row], columns: tuple[str, ...]) -> Iterator[str]:
    """Rows whose columns are not those of the first."""
    if rows and not columns:
        yield "expected row 1 has no columns; write [] to expect no rows"
    for number, row in enumerate(rows, 1):
        lacks = [name for name in columns if name not in row]
        more = [name for name in row if name not in columns]
        if lacks or more:
            parts = [f"lacks {', '.join(lacks)}"] if lacks else []
            parts += [f"has {', '.join(more)}"] if more else []
            yield f"expected row {number} {' and '.join(parts)}; every row needs the columns of the first: {', '.join(columns)}"


def _bad_keys(keys: Sequence[str], columns: tuple[str, ...]) -> Iterator[str]:
    if bad := [key for key in keys if key not in columns]:
        yield f"keys: got {', '.join(sorted(bad))}, expected columns of the expected rows: {', '.join(sorted(columns))}"


def _places(columns: Sequence[str], there: Sequence[str]) -> tuple[list[int], list[str]]:
    """Where each column stands, by SQL's rules: in any case unless that is ambiguous."""
    places, problems = [], []
    for name in columns:
        found = [i for i, other in enumerate(there) if other == name] or [
            i for i, other in enumerate(there) if other.lower() == name.lower()
        ]
        if len(found) == 1:
            places += found
        elif found:
            problems.append(
                f"has {len(found)} columns named {name!r}; give them names of their own"
            )
        else:
            near = suggestion(name, list(there))
            hint = f"; did you mean {near!r}?" if near else ""
            problems.append(f"has no column {name!r}, only {', '.join(there)}{hint}")
    return places, problems


def _by_text(asked: Comparison, name: str, kind: DataType) -> bool:
    """Whether a column is compared by its text: a nested one too, where all expected values are texts, as Metorikku needs them."""
    if asked.compare == "text":
        return True
    given = [row[name] for row in asked.rows if row[name] is not None]
    return isinstance(kind, _NESTED) and bool(given) and all(isinstance(v, str) for v in given)


def _expected_line(
    asked: Comparison,
    index: int,
    row: Mapping[str, object],
    columns: tuple[str, ...],
    kinds: list[DataType],
    by_text: list[bool],
) -> _Line:
    cells = tuple(
        expected_text(row[name]) if text else read_as(row[name], kind, asked.zone)
        for name, kind, text in zip(columns, kinds, by_text, strict=True)
    )
    return _Line(index + 1, cells, tuple(shown(row[name]) for name in columns))


def _actual_line(
    index: int, row: Sequence[Any], kinds: list[DataType], by_text: list[bool]
) -> _Line:
    cells = tuple(
        actual_text(value, kind) if text else comparable(value, kind)
        for value, kind, text in zip(row, kinds, by_text, strict=True)
    )
    texts = tuple(
        actual_text(value, kind) if text and value is not None else shown(value, kind)
        for value, kind, text in zip(row, kinds, by_text, strict=True)
    )
    return _Line(index + 1, cells, texts)


def _differences(
    expected: list[_Line],
    actual: list[_Line],
    columns: tuple[str, ...],
    keys: Sequence[str],
) -> Iterator[RowDifference]:
    """In the order of the expected rows, then of the actual ones that nothing asked for."""
    expected, actual = _unequal(expected, actual)
    at = [columns.index(key) for key in keys]
    find = _by_likeness(actual) if len(at) == len(columns) else _by_key(actual, at)
    met = set()
    for line in expected:
        other = find(line)
        if other is None:
            yield RowDifference(expected=line.shown, expected_row=line.number)
            continue
        met.add(other.number)
        pairs = zip(columns, line.cells, other.cells, strict=True)
        yield RowDifference(
            expected=line.shown,
            expected_row=line.number,
            actual=other.shown,
            actual_row=other.number,
            columns=tuple(name for name, one, two in pairs if one != two),
        )
    for line in actual:
        if line.number not in met:
            yield RowDifference(actual=line.shown, actual_row=line.number)


_Find = Callable[[_Line], "_Line | None"]


def _by_key(lines: list[_Line], at: list[int]) -> _Find:
    """Gives the next row with the same key."""
    waiting: dict[tuple[Any, ...], deque[_Line]] = defaultdict(deque)
    for line in lines:
        waiting[_key(line, at)].append(line)

    def find(line: _Line) -> _Line | None:
        others = waiting.get(_key(line, at))
        return others.popleft() if others else None

    return find


def _by_likeness(lines: list[_Line]) -> _Find:
    """Without keys, gives the row that was probably meant: the one with most equal cells, more than half of them; of many rows none."""
    left = list(lines) if len(lines) <= _MOST_LIKENESS else []

    def find(line: _Line) -> _Line | None:
        def likeness(other: _Line) -> int:
            return sum(one == two for one, two in zip(line.cells, other.cells, strict=True))

        best = max(left, key=likeness, default=None)
        if best is None or likeness(best) * 2 <= len(line.cells):
            return None
        left.remove(best)
        return best

    return find


def _key(line: _Line, at: list[int]) -> tuple[Any, ...]:
    return tuple(line.cells[i] for i in at)


def _unequal(expected: list[_Line], actual: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """What is left of both when equal rows are paired off."""
    there: dict[tuple[Any, ...], deque[_Line]] = defaultdict(deque)
    for line in actual:
        there[line.cells].append(line)
    left = []
    for line in expected:
        if there.get(line.cells):
            there[line.cells].popleft()
        else:
            left.append(line)
    numbers = {line.number for lines in there.values() for line in lines}
    return left, [line for line in actual if line.number in numbers]
