"""Analyzers in Deequ's repository format: `analyzerName` and its fields, in Deequ's order and words.

Our records are told by their own keys (`config.plain`): one line here says what Deequ calls them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from airflow_metorikku.config.plain import from_plain
from airflow_metorikku.config.records.analyzers import ANALYZERS
from airflow_metorikku.config.records.analyzers.base import Analyzer, RowRule
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
        "column", "maxDetailBins=maxBins", "where", "aggregateFunction", "aggregateColumn",
    ),
    "HistogramBinned": (
        "column", "binCount", "customEdges=edges", "includeOverflowBins", "where",
    ),
    "KLLSketch": ("column", "sketchSize", "shrinkingFactor", "numberOfBuckets", "where"),
}  # fmt: skip


class UnknownAnalyzerError(MetorikkuError):
    """An analyzer of a foreign file that is none of ours, or is not as ours are."""


def is_deequs(analyzer: Analyzer) -> bool:
    """Whether Deequ stores metrics of it: its readers refuse a file with any other."""
    return _name(analyzer) in _FIELDS


def analyzer_json(analyzer: Analyzer) -> dict[str, Any]:
    """Deequ's `analyzer` object; what only our records say stands in it under our keys."""
    name = _name(analyzer)
    told = {mine for _, mine in _pairs(name)} | {"nullBehavior"}
    ours = {
        one.key: _plain(one, value)
        for one in fields_of(type(analyzer))
        # Flags of ours at their default say what Deequ does anyway.
        if (value := getattr(analyzer, one.name)) is not None
        and (one.required or one.key in told or value != one.default())
    }
    if isinstance(analyzer, RowRule):
        # Compliance by whatever rule: Deequ knows a predicate alone, and may only read it.
        ours = {"instance": analyzer.instance, "predicate": analyzer.instance, "columns": []} | ours
        if column := getattr(analyzer, "column", None):
            ours["columns"] = [column]
        if type(analyzer).__name__ != name:
            ours[RULE] = type(analyzer).__name__
    written: dict[str, Any] = {"analyzerName": name}
    for theirs, mine in _pairs(name):
        if mine in ours:
            written[theirs] = _WRITTEN.get(theirs, _same)(ours.pop(mine))
    if behaviour := ours.pop("nullBehavior", None):
        written[OPTIONS] = {"nullBehavior": behaviour, "filteredRow": "TRUE"}
    return written | {key: value for key, value in ours.items() if key not in written}


def analyzer_from(raw: Mapping[str, Any]) -> Analyzer:
    """The analyzer of Deequ's `analyzer` object; raises UnknownAnalyzerError for one that is none of ours."""
    name = str(raw.get("analyzerName"))
    if raw.get(RULE) in ANALYZERS:
        name = str(raw[RULE])
    record = ANALYZERS.get(name)
    if record is None:
        raise UnknownAnalyzerError(f"unknown analyzer {name!r}")
    names = dict(_pairs(name))
    given = {names.get(key, key): _READ.get(key, _same)(value) for key, value in raw.items()}
    if isinstance(options := raw.get(OPTIONS), Mapping):
        given["nullBehavior"] = options.get("nullBehavior")
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
    return COMPLIANCE if isinstance(analyzer, RowRule) else type(analyzer).__name__


def _pairs(name: str) -> list[tuple[str, str]]:
    """Deequ's fields with ours."""
    return [
        (theirs, mine or theirs)
        for theirs, _, mine in (one.partition("=") for one in _FIELDS.get(name, ()))
    ]


def _same(value: Any) -> Any:
    return value


def _plain(field: FieldShape, value: Any) -> Any:
    """What JSON holds for it; a default that Deequ would not write either is None."""
    if isinstance(value, tuple):
        return [_plain(field, one) for one in value] or None
    if field.shape.kind == "decimal" and value is not None:
        return float(value)
    if isinstance(value, bool):
        return value or None
    return value


def _as(field: FieldShape, value: Any) -> Any:
    """As `from_plain` takes it."""
    kinds = {field.shape.kind, field.shape.item.kind if field.shape.item else None}
    if "decimal" in kinds:
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
