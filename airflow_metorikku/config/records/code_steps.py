"""Metorikku's own code steps, by their class names below `com.yotpo.metorikku.code.steps.`: what each takes and does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from airflow_metorikku.config.words import unknown

PACKAGE = "com.yotpo.metorikku.code.steps."


@dataclass(frozen=True, kw_only=True)
class CodeStep:
    """One built-in code step, for its checks and for the reference; `spark/steps/code` does it."""

    doc: str
    params: Mapping[str, str] = field(default_factory=dict)
    """Meaning of each parameter."""
    optional: frozenset[str] = frozenset()
    reads: tuple[str, ...] = ()
    """Parameters that name a data frame which must be there."""
    makes_frame: bool = True


CODE_STEPS: dict[str, CodeStep] = {
    "SelectiveMerge": CodeStep(
        doc="Full outer join of two data frames by keys; of the columns that both have, the second's values are "
        "taken, also where it has no row or a null. Column names become lower-case; the first's columns come "
        "first. The first must have rows; of an empty second nothing is taken.",
        params={
            "df1": "First data frame.",
            "df2": "Second data frame, whose values win.",
            "joinKeys": "Key columns, with blanks or commas between them.",
        },
        reads=("df1", "df2"),
    ),
    "RemoveDuplicates": CodeStep(
        doc="One row of each set of rows that have the same values in some columns; which one is not said.",
        params={
            "table": "Data frame.",
            "columns": "Columns, with commas between them; default all.",
        },
        optional=frozenset({"columns"}),
        reads=("table",),
    ),
    "DropColumns": CodeStep(
        doc="The data frame without some columns; a column that is not there is passed over.",
        params={"table": "Data frame.", "columns": "Columns, with commas between them."},
        reads=("table",),
    ),
    "CamelCaseColumnNames": CodeStep(
        doc="Column names in camel case: `employee_name` becomes `employeeName`.",
        params={"table": "Data frame."},
        reads=("table",),
    ),
    "AlignTables": CodeStep(
        doc="A data frame with the columns of another, in its order; a column that is missing is null. Upper and "
        "lower case count.",
        params={"from": "Data frame with the rows.", "to": "Data frame with the columns."},
        reads=("from", "to"),
    ),
    "LoadIfExists": CodeStep(
        doc="A table or view where it exists; else no rows, with the columns of a data frame.",
        params={
            "dfName": "Data frame with the columns.",
            "tableName": "Table or view that may be there.",
        },
        reads=("dfName",),
    ),
    "obfuscate.ObfuscateColumns": CodeStep(
        doc="Values of some columns as their hash, or replaced by a text; nulls stay.",
        params={
            "table": "Data frame.",
            "columns": "Columns, with the delimiter between them.",
            "delimiter": "A text, taken as it is.",
            "value": "`md5`, `sha256`, or the text to put in place of every value.",
        },
        reads=("table",),
    ),
    "Watermark": CodeStep(
        doc="Spark's watermark on a time column, for streams; without effect on other data.",
        params={
            "table": "Data frame.",
            "eventTime": "Time column.",
            "delayThreshold": "How late data may be, as `10 minutes`.",
        },
        reads=("table",),
    ),
    "Registrator": CodeStep(
        doc="Registers the SQL function `EPOCH_MILLI_TO_TIMESTAMP(milliseconds)` for the steps after it; makes no "
        "data frame.",
        makes_frame=False,
    ),
}
LATER_CODE_STEPS = {"ToAvro": "it comes with the streams, in a later version"}


def find_code_step(classpath: str) -> CodeStep | None:
    """The built-in of a class path, None where it is none of Metorikku's; raises ValueError for one that is not known here."""
    if not classpath.startswith(PACKAGE):
        return None
    name = classpath.removeprefix(PACKAGE)
    if name in LATER_CODE_STEPS:
        raise ValueError(
            f"got {classpath!r}: known, but this version refuses it: {LATER_CODE_STEPS[name]}"
        )
    if name not in CODE_STEPS:
        raise ValueError(unknown("code step of Metorikku's", name, CODE_STEPS))
    return CODE_STEPS[name]
