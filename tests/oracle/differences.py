"""Where this project does something else than Metorikku on purpose, and what waits for a later version.

Each question of `metorikku/probes` is in DIFFERENCES, or in LATER, or answered as Metorikku did.
`docs/differences.md` is made from these lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

INTRODUCTION = """
# Differences to Metorikku

Metorikku itself (its last version, on Spark 3.2) was asked 155 questions, each a small job or test folder; its answers are
in `tests/oracle/metorikku`, and the tests put the same questions to this project. It answers with the same rows and files, or
fails where Metorikku fails, but for what stands here. Texts of errors are this project's own.
"""

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What happens here instead: the exit code, words of the message, and the rows by folder."""

    reason: str
    exit: int = 0
    says: str = ""
    files: Mapping[str, Rows] = field(default_factory=dict)


PEOPLE: Rows = ({"age": 30, "id": 1, "name": "Ann"}, {"age": 41, "id": 2, "name": "Bob"})
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

DIFFERENCES: dict[str, Difference] = {
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
            "out/t": (
                {"_c0": "30", "_c1": "1", "_c2": "Ann"},
                {"_c0": "41", "_c1": "2", "_c2": "Bob"},
            )
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
    "i03_q_checkpoint": Difference(reason=QUOTED, files={"out/t": PEOPLE}),
}

STREAMS = "Streaming inputs and outputs."
TABLES = "Tables in a catalog (`tableName`, `catalog`)."
JDBC = "JDBC inputs and outputs."
CONNECTORS = "Connectors, as Cassandra."
LAG = "Lag reports and instrumentation."
CODE_STEPS = "Metorikku's own code steps, as `SelectiveMerge` (steps in Python are there)."
PERIODIC = "Periodic jobs; give the DAG a schedule."

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
    **dict.fromkeys(
        (
            "e21_csv_table",
            "e22_json_table",
            "e50_catalog_writer",
            "j01_table_abs",
            "j03_table_read_next_metric",
            "j04_protect_table",
            "j05_table_csv_existing",
            "m06_rel_table",
        ),
        TABLES,
    ),
    **dict.fromkeys(
        (
            "e36_jdbc_nomode_noconf",
            "e37_jdbc_lowermode_noconf",
            "e48_jdbc_write",
            "l14_jdbc_read",
            "l15_jdbc_read_default_col",
            "l16_jdbcquery_mismatch",
            "m01_jdbc",
            "m02_jdbc_read",
            "m03_jdbc_read_default",
            "m05_jdbc_default_mode",
        ),
        JDBC,
    ),
    "e28_cassandra_noconf": CONNECTORS,
    **dict.fromkeys(
        ("e40_lag_int", "e41_lag_long", "e42_lag_unit", "e44_lag_empty", "l19_lag_null"), LAG
    ),
    **dict.fromkeys(
        (
            "g01_merge",
            "g04_merge_df2_empty",
            "g05_merge_df1_empty",
            "g06_merge_noparams",
            "g11_drop_noparams",
            "g12_camel",
            "g13_align",
            "g15_loadif_view",
            "g16_obf_md5",
            "g17_obf_sha",
            "g18_obf_lit",
            "g20_obf_unknown",
            "g21_registrator",
            "g23_code_ignore",
            "k01_camel",
            "k02_merge_partial",
            "k03_merge_unknown",
            "k05_drop_partial",
            "k10_obf_space",
            "k12_params_int",
        ),
        CODE_STEPS,
    ),
    "l12_periodic_bad": PERIODIC,
}
