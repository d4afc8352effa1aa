"""Analyzers in Deequ's repository format: `analyzerName` and its fields, in Deequ's order and words.

Our records are told by their own keys (`config.plain`): one line here says what Deequ calls them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.analyzers import ANALYZER_NAMES, ANALYZERS
from airflow_metorikku.config.records.analyzers.base import Analyzer, RowRule
from airflow_metorikku.config.records.analyzers.composites import HoldingChecks
from airflow_metorikku.config.shapes import FieldShape, fields_of
from airflow_metorikku.errors import MetorikkuError

COMPLIANCE = "Compliance"
OPTIONS = "analyzerOptions"
RULE = "rule"  # ours: which rule a Compliance is
_COLUMN = ("column", "where")
_COLUMNS = ("columns", "where")
# Deequ's fields of each analyzer; `Deequ's=ours` where our key has another name.
_FIELDS: dict[str, tuple[str, ...]] = {
    "Size": ("where",),
    "Completeness": (*_COLUMN, OPTIONS),
    "Minimum": (*_COLUMN, OPTIONS),
    "Maximum": (*_COLUMN, OPTIONS),
    "MinLength": (*_COLUMN, OPTIONS),
    "MaxLength": (*_COLUMN, OPTIONS),
    COMPLIANCE: ("where", "instance", "predicate", "columns", OPTIONS),
    "PatternMatch": (*_COLUMN, "pattern", OPTIONS),
    "Sum": _COLUMN,
    "Mean": _COLUMN,
    "Range": _COLUMN,
    "InterquartileRange": _COLUMN,
    "StandardDeviation": _COLUMN,
    "Variance": _COLUMN,
    "Skewness": _COLUMN,
    "Kurtosis": _COLUMN,
    "ZerosCount": _COLUMN,
    "DataType": _COLUMN,
    "ApproxCountDistinct": _COLUMN,
    "Entropy": _COLUMN,
    "CountDistinct": _COLUMNS,
    "Distinctness": _COLUMNS,
    "MutualInformation": _COLUMNS,
    "Uniqueness": (*_COLUMNS, OPTIONS),
    "UniqueValueRatio": (*_COLUMNS, OPTIONS),
    "DuplicateRowCount": (*_COLUMNS, OPTIONS),
    "Correlation": ("firstColumn=columnA", "secondColumn=columnB", "where"),
    "RatioOfSums": ("numerator", "denominator", "where"),
    "ApproxQuantile": ("column", "quantile", "relativeError", "where"),
    "ApproxQuantiles": ("column", "quantiles", "relativeError", "where"),
    "ExactQuantile": ("column", "quantile", "where"),
    "Histogram": (
        "column", "maxDetailBins=maxBins", "where", "aggregateColumn=sumOf",
    ),
    "HistogramBinned": (
        "column", "binCount", "customEdges=edges", "includeOverflowBins", "where",
    ),
    "KLLSketch": ("column", "sketchSize", "shrinkingFactor", "numberOfBuckets", "where"),
}  # fmt: skip


# No metric of the data's own, so no file of a user's can name it.
_OURS: dict[str, type[Any]] = {"HoldingChecks": HoldingChecks}


class UnknownAnalyzerError(MetorikkuError):
    """An analyzer of a foreign file that is none of ours, or is not as ours are."""


def is_deequs(analyzer: Analyzer) -> bool:
    """Whether Deequ stores metrics of it: its readers refuse a file with any other."""
    return _name(analyzer) in _FIELDS


def analyzer_json(analyzer: Analyzer) -> dict[str, Any]:
    """Deequ's `analyzer` object; what only our records say stands in it under our keys."""
    name = _name(analyzer)
    ours = _keys_of(analyzer, {mine for _, mine in _pairs(name)} | {"nullBehavior"})
    if isinstance(analyzer, RowRule):
        # Compliance by whatever rule: Deequ knows a predicate alone, and may only read it.
        column = getattr(analyzer, "column", None)
        said = {"instance": analyzer.instance, "predicate": analyzer.instance}
        ours = said | {"columns": [column] if column else []} | ours
        if _own_name(analyzer) != name:
            ours[RULE] = _own_name(analyzer)
    written: dict[str, Any] = {"analyzerName": name}
    for theirs, mine in _pairs(name):
        if mine in ours:
            written[theirs] = _WRITTEN.get(theirs, _numbered)(ours.pop(mine))
    if "aggregateColumn" in written:
        written["aggregateFunction"] = "sum"
    if behaviour := ours.pop("nullBehavior", None):
        written[OPTIONS] = {"nullBehavior": behaviour, "filteredRow": "TRUE"}
    return written | {key: _exact(value) for key, value in ours.items() if key not in written}


def _keys_of(analyzer: Analyzer, deequs: set[str]) -> dict[str, Any]:
    """The record's keys as plain data, defaults only of those that Deequ has in its files."""
    given = to_plain(analyzer)
    keys: dict[str, Any] = {}
    for field in fields_of(type(analyzer)):
        value = getattr(analyzer, field.name)
        if field.key in given and "decimal" not in _kinds(field):
            value = given[field.key]
        if field.key in given or isinstance(value, str | int | float | Decimal):
            keys[field.key] = value
    return {
        key: value
        for key, value in keys.items()
        if key in given or (key in deequs and value is not False)
    }


def _kinds(field: FieldShape) -> set[str | None]:
    return {field.shape.kind, field.shape.item.kind if field.shape.item else None}


def analyzer_from(raw: Mapping[str, Any]) -> Analyzer:
    """The analyzer of Deequ's `analyzer` object; raises UnknownAnalyzerError for one that is none of ours."""
    name = str(raw.get("analyzerName"))
    if raw.get(RULE) in ANALYZERS:
        name = str(raw[RULE])
    record = ANALYZERS.get(name, _OURS.get(name))
    if record is None:
        raise UnknownAnalyzerError(f"unknown analyzer {name!r}")
    names = dict(_pairs(name))
    given = {names.get(key, key): _READ.get(key, _same)(value) for key, value in raw.items()}
    if isinstance(options := raw.get(OPTIONS), Mapping):
        given["nullBehavior"] = options.get("nullBehavior")
    if given.get("instance") == given.get("predicate"):
        given.pop("instance", None)  # what a predicate without a name is called
    known = {one.key: one for one in fields_of(record)}
    try:
        found = from_plain(
            record,
            {
                key: _as(known[key], value)
                for key, value in given.items()
                if key in known and value is not None
            },
        )
    except (ValueError, TypeError) as error:
        raise UnknownAnalyzerError(f"analyzer {name!r} is none that we know: {error}") from error
    assert isinstance(found, Analyzer), found
    return found


def same_analyzer(one: Analyzer, other: Analyzer) -> bool:
    """Whether they compute the same metric."""
    return one == other or (
        _name(one) == _name(other) and analyzer_json(one) == analyzer_json(other)
    )


def _name(analyzer: Analyzer) -> str:
    return COMPLIANCE if isinstance(analyzer, RowRule) else _own_name(analyzer)


def _own_name(analyzer: Analyzer) -> str:
    return ANALYZER_NAMES.get(type(analyzer), type(analyzer).__name__)


def _pairs(name: str) -> list[tuple[str, str]]:
    """Deequ's fields with ours."""
    return [
        (theirs, mine or theirs)
        for theirs, _, mine in (one.partition("=") for one in _FIELDS.get(name, ()))
    ]


def _same(value: Any) -> Any:
    return value


def _numbered(value: Any) -> Any:
    """A decimal's text as the number that Deequ has there."""
    if isinstance(value, list | tuple):
        return [_numbered(one) for one in value]
    return float(value) if isinstance(value, Decimal) else value


def _exact(value: Any) -> Any:
    """What only we read: a decimal with all its digits."""
    if isinstance(value, list | tuple):
        return [_exact(one) for one in value]
    return str(value) if isinstance(value, Decimal) else value


def _as(field: FieldShape, value: Any) -> Any:
    """As `from_plain` takes it."""
    if "decimal" in _kinds(field):
        return [str(one) for one in value] if isinstance(value, list) else str(value)
    if field.shape.kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _comma_text(values: Any) -> Any:
    return ",".join(str(one) for one in values)


def _numbers(text: Any) -> Any:
    return [float(one) for one in text.split(",")] if isinstance(text, str) else text


_WRITTEN = {"quantiles": _comma_text}
_READ = {"quantiles": _numbers}
