"""Where this project does something else than Metorikku on purpose, and what waits for a later version.

Each question of `metorikku/probes` is in DIFFERENCES, or in LATER, or answered as Metorikku did.
`docs/differences.md` is made from these lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

INTRODUCTION = """
# Coming from Metorikku

Job, metric and test files work as they are. What this page does not name is the same: every key and its default, the rules of
`${variables}` and relative paths, CSV's defaults and its empty texts for nulls, data frames that later metrics use, the code
steps under their old class names, schema files, exit on the first failed metric, the tester's keys.

Metorikku itself (its last version, on Spark 3.2) was asked 155 questions, each a small job or test folder; its answers are
in `tests/oracle/metorikku`, and the tests put the same questions to this project. It answers with the same rows and files, or
fails where Metorikku fails, but for what stands below. Texts of errors are this project's own.

## Moving

1. `metorikku check FOLDER` names every line that this project reads otherwise, most often a misspelt key that Metorikku
   ignored.
2. `metorikku test FOLDER` runs the tests that you have, in one Spark.
3. `metorikku run -c job.yaml` takes the place of `spark-submit --class com.yotpo.metorikku.Metorikku metorikku.jar -c job.yaml`;
   Spark's settings go to `sparkConf`, `packages` and `jars` of the job. `CONFIG_FILES_PATH_PREFIX` and the other
   environment variables count as before.
4. `MetorikkuDag("job.yaml")` makes a DAG of it. Passwords move to Airflow connections: `connection: NAME`, or
   `${conn.NAME.password}`.
"""

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What happens here instead: the exit code, words of the message, and the rows by folder."""

    reason: str
    exit: int = 0
    says: str = ""
    files: Mapping[str, Rows] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Change:
    """What no question was about: what is done here, what there, and how the old behaviour is had."""

    here: str
    there: str
    old: str = ""


CHANGES: Sequence[Change] = (
    Change(
        here="A failing check of level `error` withholds all outputs of its metric; targets stay as they were.",
        there="The step fails before its metric writes; there is no gate, and no record of the values.",
        old="`level: warn`",
    ),
    Change(
        here="An overwrite is staged, audited, and published by rename.",
        there="Spark deletes the target first; a killed run leaves it missing or half new.",
    ),
    Change(
        here="An append is known by its run: a retry or a cleared task replaces what the same run had appended.",
        there="A retry doubles the rows.",
        old="`--run-id` of its own for each call (the default of `metorikku run`)",
    ),
    Change(
        here="A table without a path is staged, audited and published as files are: an overwrite replaces its files in one move. "
        "Overwriting it in another format, or partitioned otherwise, is refused.",
        there="Spark drops the table and makes it anew; a killed run leaves it missing or half new.",
        old="`DROP TABLE`, by a job before this one: outputs are checked before any step runs",
    ),
    Change(
        here="A table that cannot be given the columns of its data is an error; its partitions are those that have files.",
        there="It is logged at INFO and the job succeeds; partitions that are gone stay registered.",
        old="`alwaysUpdateSchemaInCatalog: false`",
    ),
    Change(
        here="`createUniquePath` is one folder for all outputs of a run.",
        there="Each output gets a time of its own.",
    ),
    Change(
        here="Rows of an output are counted in its own write; `cacheCountOnOutput` is accepted and not needed.",
        there="Every data frame is cached, counted by a job of its own, and never released; without counting, `counter` is 0.",
        old="`cache: true` on the step",
    ),
    Change(
        here="An output whose connection block or path is missing is a mistake, before anything runs.",
        there="It is logged, or passed over in silence, and the job succeeds.",
    ),
    Change(
        here="`explain`, `output.jdbcquery`, and `protectFromEmptyOutput` beside `outputOptions`, work.",
        there="They are read and never used.",
        old="leave them out",
    ),
    Change(
        here="`dq` works on code steps and SQL files, levels in any case.",
        there="It is ignored on code steps; `ERROR` is an illegal level.",
    ),
    Change(
        here="Files of a metric folder run by name.",
        there="They run in the order in which the operating system lists them.",
    ),
    Change(
        here="JSON files may be indented with tabs; `<<` and aliases of YAML work.",
        there="Metric and test files are parsed as YAML only; aliases become their names.",
    ),
    Change(
        here="A periodic job reads files and inputs again in every round, and survives a failed one, up to a limit.",
        there="Inputs are read once, and the first failure ends the process.",
        old="`--max-failed-rounds 1`",
    ),
    Change(
        here="Settings and values are never logged; `showQuery` logs SQL as it is written.",
        there="Inputs are logged with their passwords, queries with what was put into them.",
    ),
    Change(
        here="`ObfuscateColumns` takes `delimiter` as text, so `|` and `.` work; keys of `SelectiveMerge` are separated by blanks or commas.",
        there="The delimiter is a regular expression; keys are separated by one blank.",
    ),
    Change(
        here="The tester compares by type: `1` is `1.0`, null is not the text `null`; arrays, structs and maps can be expected.",
        there='Everything is compared as text, `null` equals `"null"`, nested values never match.',
        old="`compare: text` in the test file",
    ),
    Change(
        here="All tables of all test files are reported; files share one Spark, and leave nothing behind.",
        there="The first failing file ends the rest; mocks stay in the metastore.",
    ),
    Change(
        here="Numbers of a run reach InfluxDB after each metric and at its end, each of its own time; `counter` and `lag` are of what was published, `lag` has the tags of `counter`.",
        there="The client is closed at the end of the first Spark job; points of one millisecond overwrite each other; `lag` has no tags.",
    ),
    Change(
        here="`outputType: Instrumentation` keeps numbers as they are (fractions as floats), leaves a null tag out, says how many rows without a value or time it left out, and fails its metric when InfluxDB does not take the points; without `instrumentation` it is a mistake of the job.",
        there="Fractions are cut off; a null tag, or a null time, fails; rows without a value vanish, and so do all points without `instrumentation`.",
        old="`CAST(… AS BIGINT)` of the value: a field that is an integer in the database takes no fractions",
    ),
    Change(
        here="`JDBCQuery` takes `?`, or `$1` for the first column; each batch is one transaction, and a failure says how many rows are committed.",
        there="`$1` is sent to the database as it is; batches are committed row by row as the driver likes.",
    ),
    Change(
        here="Rows of `JDBCQuery` go through the driver, over one connection at a time, in their order.",
        there="Each partition has a connection of its own, from its executor, all at once.",
        old="output `JDBC`, which Spark writes so, and a merge as its `postQuery`",
    ),
    Change(
        here="Structs and maps go to a database as JSON text, arrays too where it has none of its own.",
        there="They fail the write.",
    ),
    Change(
        here="`options` of a JDBC input win over everything else; names of columns are quoted as its database wants it, MariaDB's too.",
        there="Those of partitioned reading are overridden; over `jdbc:mariadb:` Spark reads every column as its own name.",
    ),
    Change(
        here="The exit code says what failed: 1 files, 2 verdict, 3 the run.",
        there="Any failure is 1.",
    ),
)

PEOPLE: Rows = ({"age": 30, "id": 1, "name": "Ann"}, {"age": 41, "id": 2, "name": "Bob"})
ANN: Mapping[str, object] = {"id": 1, "name": "Ann"}
# CSV's columns are texts.
TEXTS: Rows = tuple({name: str(value) for name, value in row.items()} for row in PEOPLE)
ONE: Rows = ({"x": 1},)

UNDEFINED = "An undefined `${variable}` in SQL is a mistake that names the step; Metorikku puts an empty text there."
TOGETHER = "The outputs of a metric are published together, after all of them are written and audited; Metorikku leaves behind what came before the failure."
BEFORE = "All files are read and checked before anything runs; Metorikku reads a metric file when its turn comes."
QUOTED = (
    '`"true"` and `"3"` in quotes are what they say; Metorikku fails on them with a cast error.'
)
ONE_CHECK = "A check with several operators is a mistake; Metorikku takes the first of its own order and ignores the others."
ONE_DAY = "A date range of one day is a range; Metorikku refuses it."
ESCAPED = "The value of a variable is quoted so that any text is safe; in Metorikku a quote in it breaks the SQL."
RAW_TEXT = "Writer options are texts, as they are written; Metorikku fails on `header: false` with a cast error."
FORMAT = "`format` may stand beside `outputOptions`, as Metorikku's own sample file has it; Metorikku ignores it there and writes Parquet."

EMPTY_TABLE = "A test can expect a table without rows; Metorikku's tester crashes."
SAME_ROWS = "Rows may stand in a table more than once, and are expected as often; Metorikku's tester refuses them."
NULL_KEY = "A key column may hold nulls; Metorikku's tester crashes."

VOID = "Spark 4 writes a column of nulls only to Parquet, and leaves it out; Spark 3.2 refuses it."
UNKNOWN = "A key that nobody knows is a mistake, with its line and a suggestion; Metorikku ignores it, and hides misspellings."

BLANKS = "Blanks around the columns that a code step names count only where a column has them; Metorikku takes them for part of the name."

LAG = "A lag that cannot be told fails the metric before it is written; Metorikku fails after."
LAG_INT = "`reportLagTimeColumn` may be an `int`, as Metorikku's documentation has it; Metorikku takes `bigint` alone."
ONE_PARTITION = "A JDBC input is read in one partition unless `partitionColumn` or `partitionsNumber` is given; Metorikku always asks for the greatest value of a column, `id` where none is given, and fails without one."

REAL_FORMAT = "A table has the format of its output; Metorikku registers Parquet whatever was written, which fails over CSV and JSON."
ONE_ROW = "A data frame for `Catalog` that has not one row fails its metric before anything is published; Metorikku fails after."

DIFFERENCES: dict[str, Difference] = {
    "e21_csv_table": Difference(reason=REAL_FORMAT, files={"out/t": TEXTS}),
    "e22_json_table": Difference(reason=REAL_FORMAT, files={"out/t": PEOPLE}),
    "e50_catalog_writer": Difference(reason=ONE_ROW, exit=3, says="exactly one row"),
    "a01_undef_sql": Difference(reason=UNDEFINED, exit=1, says="nope"),
    "a08_quote_in_value": Difference(reason=ESCAPED, files={"out/t": ({"x": "O'Brien"},)}),
    "b16_range_single": Difference(reason=ONE_DAY, files={"out/t": ({"d": "2020-01-01"},)}),
    "c04_ignore_then_output": Difference(reason=TOGETHER, exit=3, says="u"),
    "c07_quoted_true": Difference(reason=QUOTED, files={"out/t": PEOPLE}),
    "c26_second_metric_missing": Difference(reason=BEFORE, exit=1, says="none.yaml"),
    "d09_two_ops_item": Difference(reason=ONE_CHECK, exit=1, says="isComplete"),
    "e01_default_mode": Difference(reason=TOGETHER, exit=1, says="t"),
    "e18_extra_bool": Difference(
        reason=RAW_TEXT,
        files={
            "out/t": [{f"_c{place}": text for place, text in enumerate(row.values())} for row in TEXTS]
        },
    ),
    "e26_metric_level_format": Difference(reason=FORMAT, files={"out/t": PEOPLE, "out/t2": PEOPLE}),
    "e46_createUnique_quoted": Difference(reason=QUOTED, files={"out/MILLIS/t": PEOPLE}),
    "f16_preview_string": Difference(reason=QUOTED, files={"out/t": ONE}),
    "l02_inline_nointerp": Difference(reason=UNKNOWN, exit=1, says="unknown"),
    "h07_empty_expected": Difference(reason=EMPTY_TABLE, says="PASSED"),
    "h11_dups": Difference(reason=SAME_ROWS, says="PASSED"),
    "h26_null_key": Difference(reason=NULL_KEY, says="PASSED"),
    "e52_null_type_parquet": Difference(reason=VOID, files={"out/t": ONE}),
    "k10_obf_space": Difference(
        reason=BLANKS,
        files={
            "out/t": (
                {
                    "c1": "0cc175b9c0f1b6a831c399e269772661",
                    "c2": "92eb5ffee6ae2fec3ad71c777531578f",
                },
            )
        },
    ),
    "e40_lag_int": Difference(reason=LAG_INT, files={"out/t": ({"ts": 1},)}),
    "e42_lag_unit": Difference(reason=LAG, exit=1, says="reportLagTimeColumnUnits"),
    "l19_lag_null": Difference(reason=LAG, exit=3, says="has only nulls"),
    "m03_jdbc_read_default": Difference(
        reason=ONE_PARTITION, files={"out/t": (ANN, ANN, ANN), "out/parts": (ANN, ANN, ANN)}
    ),
    "i03_q_checkpoint": Difference(reason=QUOTED, files={"out/t": PEOPLE}),
}

STREAMS = "Streaming inputs and outputs."
CONNECTORS = "Connectors, as Cassandra."

LATER: dict[str, str] = {
    **dict.fromkeys(
        (
            "b25_stream_one",
            "b28_stream_unsupported",
            "i10_q_isStream",
            "l10_csv_stream",
            "l11_bad_trigger",
        ),
        STREAMS,
    ),
    "e28_cassandra_noconf": CONNECTORS,
}
