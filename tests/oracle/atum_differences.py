"""Where this project does something else than Atum on purpose, each with its reason.

`MEASURES` are answers to single questions, `CASES` lines of `atum/cases.txt`; the tests put the same
questions to this project. `CHANGES` is all that a migrant should know, for the migration page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WRAPS = "Atum sums truncated values in 64 bits, which wrap; ours are exact"
NARROW = "Atum's abs keeps the column's type, in which the smallest number has no positive; ours widens first"
SATURATES = "Atum takes an infinite number for the largest of 64 bits; ours is not finite, as the total itself"
TRUNCATES = "Atum takes a double beyond 64 bits for the largest of 64 bits, and wraps; ours sums it as it is"
CASTS = (
    "Atum's own bug: truncated totals of texts end in a ClassCastException; ours truncates and sums"
)
NULLS = "Atum's total of more than 38 digits is null, and written as 0; ours is exact"
TOO_LONG = "Atum leaves out a text of more than 20 digits before the point without a word, as ours does"

# (data set, column, control): what ours is, and why. Values by hand from the data, see each reason.
MEASURES: Mapping[tuple[str, str, str], tuple[str, str]] = {
    ("shared", "i", "absAggregatedTotal"): ("4294967551", NARROW),
    ("shared", "lwrap", "aggregatedTruncTotal"): ("110680464442257309690", WRAPS),
    ("shared", "lwrap", "absAggregatedTruncTotal"): ("110680464442257309690", WRAPS),
    ("shared", "dinf", "aggregatedTruncTotal"): ("NaN", SATURATES),
    ("shared", "dinf", "absAggregatedTruncTotal"): ("Infinity", SATURATES),
    # 12345678901234567890 and 14 more: -6101065172474983712 is that less 2^64.
    ("shared", "dec", "aggregatedTruncTotal"): ("12345678901234567904", WRAPS),
    ("shared", "dec", "absAggregatedTruncTotal"): ("12345678901234567904", WRAPS),
    # Without fractions, the truncated total is Atum's own total.
    ("shared", "s_int", "aggregatedTruncTotal"): ("37037036703703703697", CASTS),
    ("shared", "s_int", "absAggregatedTruncTotal"): ("37037036703703703709", CASTS),
    ("shared", "s_boolint", "aggregatedTruncTotal"): ("5", CASTS),
    ("shared", "s_boolint", "absAggregatedTruncTotal"): ("5", CASTS),
    ("shared", "ssn", "aggregatedTruncTotal"): ("1642710168", CASTS),
    ("shared", "ssn", "absAggregatedTruncTotal"): ("1642710168", CASTS),
    ("shared", "card", "aggregatedTruncTotal"): ("86229751107110110", CASTS),
    ("shared", "card", "absAggregatedTruncTotal"): ("86229751107110110", CASTS),
    ("shared", "s_frac", "aggregatedTruncTotal"): ("75000300006", CASTS),
    ("shared", "s_frac", "absAggregatedTruncTotal"): ("75000300018", CASTS),
    ("shared", "s_num", "aggregatedTruncTotal"): ("-8", CASTS),
    ("shared", "s_num", "absAggregatedTruncTotal"): ("48", CASTS),
    ("shared", "s_odd", "aggregatedTruncTotal"): ("100011", CASTS),
    ("shared", "s_odd", "absAggregatedTruncTotal"): ("100011", CASTS),
}

# By the left side of the line; the values by hand from the data that the line is about.
CASES: Mapping[str, tuple[str, str]] = {
    "aggregatedTruncTotal(s)": ("-1", CASTS),
    "absAggregatedTruncTotal(s)": ("3", CASTS),
    "EXTREME absAggregatedTotal(i)": ("2147483649", NARROW),
    "EXTREME aggregatedTruncTotal(l)": ("9223372036854775808", WRAPS),
    "EXTREME absAggregatedTruncTotal(l)": ("9223372036854775808", WRAPS),
    "EXTREME aggregatedTotal(dec)": ("100000000000000000000000000000000000000", NULLS),
    "EXTREME absAggregatedTotal(dec)": ("100000000000000000000000000000000000000", NULLS),
    "EXTREME aggregatedTruncTotal(dec)": ("100000000000000000000000000000000000000", WRAPS),
    "EXTREME absAggregatedTruncTotal(dec)": ("100000000000000000000000000000000000000", WRAPS),
    "EXTREME aggregatedTruncTotal(d)": ("2.0E300", TRUNCATES),
    "EXTREME absAggregatedTruncTotal(d)": ("2.0E300", TRUNCATES),
    "EXTREME aggregatedTruncTotal(s)": ("0", CASTS),
    "EXTREME absAggregatedTruncTotal(s)": ("0", CASTS),
}


@dataclass(frozen=True, kw_only=True)
class AtumChange:
    """What is done here, what Atum does, and why it differs."""

    here: str
    there: str
    reason: str


CHANGES: Sequence[AtumChange] = (
    AtumChange(
        here="Truncated totals are exact at any size.",
        there="They are summed in 64 bits, and wrap.",
        reason="A wrapped total equals another wrapped total of other data.",
    ),
    AtumChange(
        here="Truncated totals of texts are truncated and summed.",
        there="They end in a ClassCastException.",
        reason="Atum's specification of the type holds for texts too.",
    ),
    AtumChange(
        here="Absolute totals of the smallest number of a type are positive.",
        there="`abs` stays in the column's type, where it is negative.",
        reason="An absolute total below zero is wrong.",
    ),
    AtumChange(
        here="Totals of more than 38 digits are exact, or the control is an error that says so.",
        there="They are null, and written as `0`.",
        reason="A silent zero reconciles with any other silent zero.",
    ),
    AtumChange(
        here="Truncated totals of doubles beyond 64 bits are those of the doubles.",
        there="Each is taken for the largest of 64 bits.",
        reason="Such a total says nothing of the data.",
    ),
    AtumChange(
        here="A control that cannot be measured is `N/A` in the file and an error of the gate, with its reason.",
        there="Of an unknown type it is `N/A`; of a missing column the job dies.",
        reason="The other controls are measured all the same, and the gate is closed.",
    ),
    AtumChange(
        here="Nothing is cached. A checkpoint on what is written is measured on the written files, or in the write; others in one pass each. `cache` is accepted and has no effect.",
        there="Each checkpoint caches its data frame (MEMORY_AND_DISK) and runs a job for every control.",
        reason="5 million rows with 3 checkpoints took 7 times as long.",
    ),
    AtumChange(
        here="`_INFO` is published in the same move as the data, or not at all.",
        there="It is written some 0.1 seconds after the data, and lost when the program ends at once.",
        reason="Data without measures cannot be reconciled.",
    ),
    AtumChange(
        here="Checkpoints are never lost: also without an output they are in the run's result, and as `info/<metric>/_INFO` beside it.",
        there="Those that no write follows are flushed at the end only under conditions.",
        reason="What was measured is evidence.",
    ),
    AtumChange(
        here="The info file of an input is the one in the folders of the named input; in a notebook, that of all folders which the data frame's plan reads, through unions, self joins, views, tables and single files.",
        there="Unions, views, tables and single files are refused; a self join is ambiguous with itself.",
        reason="The same folder twice is one folder.",
    ),
    AtumChange(
        here="A job may start from several sources, each with checkpoints of its own.",
        there="There is one info file a session.",
        reason="A join of two controlled inputs must keep the totals of both.",
    ),
    AtumChange(
        here="Without an info file at the input a first one is measured.",
        there="setCheckpoint throws.",
        reason="A job can begin to be controlled anywhere.",
    ),
    AtumChange(
        here="A failed run writes no info file and no data; its status is told to listeners, once for each metric.",
        there="`failed` is told for any failing action, with the name of the function as the step.",
        reason="A count that failed and was caught is no failed run.",
    ),
    AtumChange(
        here="An append keeps the info file of every run, `_INFO.<run id>.<mark>`; `_INFO` is the last run's. A rerun replaces its own.",
        there="`_INFO` is the last write's; those before are gone.",
        reason="An auditor asks for the run that wrote the rows.",
    ),
    AtumChange(
        here="Times are written in UTC, or in `timeZone`.",
        there="They are written in the driver's zone.",
        reason="Files of a cluster in two zones could not be put in order by eye.",
    ),
    AtumChange(
        here="`fileName` begins with `_` or `.`.",
        there="Any name goes.",
        reason="Spark would read another name as data.",
    ),
    AtumChange(
        here="The builder's column + strategy variant uses the strategy that it is given.",
        there="The variant for several columns uses the default one.",
        reason="It is a slip in Atum's code.",
    ),
    AtumChange(
        here="The builder finds columns in any case, as Spark does unless `spark.sql.caseSensitive` says otherwise, and writes them as the data frame spells them.",
        there="It compares them by case.",
        reason="The same column is found by every later checkpoint.",
    ),
    AtumChange(
        here="The row count of the last checkpoint is that of the last one taken.",
        there="It is that of the file's last one before.",
        reason="It is a slip in Atum's code.",
    ),
    AtumChange(
        here="A version as text, a missing country or other missing metadata are read; numbers as values keep every digit.",
        there="They are errors.",
        reason="Files of other systems have them so.",
    ),
    AtumChange(
        here="`software` of our checkpoints is `airflow-metorikku`, `version` ours.",
        there="`atum_2.12` and Atum's.",
        reason="An auditor sees which library measured.",
    ),
    AtumChange(
        here="Permissions of the info file are the key `filePermissions`.",
        there="They are the setting `atum.hdfs.info.file.permissions`.",
        reason="They belong to the job's file; the values are the same.",
    ),
    AtumChange(
        here="A `destination` that cannot be written fails the metric.",
        there="Errors of a storer are logged as warnings.",
        reason="Who asked for the file relies on it.",
    ),
    AtumChange(
        here="A listener's failure is logged, and changes nothing.",
        there="A plugin that throws may break the write's listener.",
        reason="A dashboard is no part of the work.",
    ),
    AtumChange(
        here="Measures are compared by rule, and a difference closes the gate and withholds the outputs.",
        there="They are written, and compared by nobody.",
        reason="It is what the measures are for.",
    ),
)
