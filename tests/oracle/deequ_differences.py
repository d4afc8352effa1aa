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
