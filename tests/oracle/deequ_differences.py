"""What the real Deequ does otherwise than this project, and why; the migration page is made of these lists.

Each entry is (what, why). The tests of the oracle name the records that they are about.
"""

from __future__ import annotations

DIFFERENCES_ANOMALIES: list[tuple[str, str]] = [
    (
        "The first runs of an anomaly check, with less history than its strategy needs, are `no_data`: reported, without "
        "effect unless the check says `emptyData`. Deequ fails the first run, and lets the next ones pass.",
        "A check that cannot tell yet is neither good nor bad; the first run of a new job is no incident.",
    ),
    (
        "SimpleThreshold judges the first run too; Deequ asks for a history.",
        "Its bounds are known before any value.",
    ),
    (
        "A value that an anomaly check found anomalous is no history for it; `includeAnomalies: true` is Deequ's way.",
        "One broken load would otherwise make the next good one look strange.",
    ),
    (
        "A rerun of the same Airflow run takes the place of its former values, and is judged by what was before it in time; "
        "Deequ puts a new value after all others.",
        "A repaired day is that day, not a new one.",
    ),
    (
        "A NaN is always an anomaly, and no history; in Deequ it passes most strategies and spoils those after it.",
        "What is no number is not usual.",
    ),
    (
        "RelativeRateOfChange of an order larger than the series finds nothing; Deequ throws.",
        "There is no change to judge.",
    ),
    (
        "OnlineNormal's texts name the bounds that the value was judged by; Deequ's, where it ignores anomalies, those around the mean before it.",
        "The text should explain the verdict.",
    ),
    (
        "Forecasts of HoltWinters differ by up to a ten-thousandth.",
        "Both search for the best parameters, by different programs.",
    ),
    (
        "A history may have a value of the same time as the new one, of another run; Deequ refuses.",
        "Two jobs may run for the same day.",
    ),
]
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
DIFFERENCES_COLUMNS: list[tuple[str, str]] = [
    (
        "hasColumns of a data frame without rows has a value",
        "the columns are known without any row; Deequ's comparison of schemas fails there",
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
