"""What differs from Deequ on purpose, by topic: what, and why. Migration pages are made of these lists."""

from __future__ import annotations

DIFFERENCES_ROW_LEVEL: list[tuple[str, str]] = [
    (
        "row-level results: one column a constraint, named by its id",
        "Deequ has one a check, named by its description, and loses one of two with the same",
    ),
    (
        "a smallest value that must be `== 10`, or `<= 10`: only smaller values fail, or no row does",
        "Deequ asserts on every value, so that all rows but the smallest fail a check that holds",
    ),
    (
        "quarantine: a constraint that passed puts no row aside",
        "what an assertion tolerates is not wrong; row_results tells such rows all the same",
    ),
]
DIFFERENCES_SCHEMA: list[tuple[str, str]] = [
    (
        "a null in a nullable column with a minimum, maximum, length or pattern: the row is valid",
        "Deequ's predicate is null there, so that the row is in neither output",
    ),
    (
        "a fraction in an int column is invalid, with ANSI on or off",
        "Deequ's cast cuts it off",
    ),
]
DIFFERENCES_DQDL: list[tuple[str, str]] = [
    (
        "ColumnValues is one share of rows, whatever the operator",
        "Deequ makes a minimum, a maximum and a completeness of some, and reports their values",
    ),
    (
        "ColumnValues matches: the pattern must match the whole value, which may be empty",
        "Deequ finds it between `^` and `$`, where an empty match is none and a last line break is passed over",
    ),
    (
        "ColumnValues with a time of the clock: moments are compared",
        "Deequ compares the dates of both, so that `now() - 3 hours` means midnight",
    ),
    (
        "ColumnDataType !=: no value is of the type",
        "in Deequ too, with a threshold as well, which is refused here",
    ),
    (
        "thresholds from earlier runs, rules joined by `or`, tags, Analyzers, DataSources: refused by name",
        "the check `anomaly`, a predicate and the history say the same",
    ),
]
