r"""`${name}` in SQL: what Spark would put in, and what no value may do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from airflow_metorikku.config.interpolation import LITERAL_DOLLAR
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.variables import Variables, quoted

Make = Callable[..., Variables]


@pytest.fixture
def make(spark: SparkSession) -> Iterator[Make]:
    defined: list[str] = []

    def variables(values: dict[str, str], *, quotes: bool = True) -> Variables:
        made = Variables(spark, quotes=quotes)
        defined.extend(values)
        made.define(values)
        return made

    yield variables
    for name in defined:
        spark.conf.unset(name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "'plain'"),
        ("O'Brien", r"'O\'Brien'"),
        (r"O\'Brien", r"'O\'Brien'"),
        ("a\\", r"'a\\'"),
        (r"a\\", r"'a\\'"),
        ("\\\\'", "'\\\\\\\\\\''"[:0] + r"'\\\''"),
        ("  padded ", "'  padded '"),
        ("", "''"),
        ("two\nlines", "'two\nlines'"),
    ],
)
def test_quoted(value: str, text: str) -> None:
    assert quoted(value) == text


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(value=st.text(alphabet=st.sampled_from("a'\\\"`-/*;\n $"), max_size=12))
def test_no_value_ends_its_quotes(spark: SparkSession, value: str) -> None:
    frame = spark.sql(f"SELECT {quoted(value)} AS x, 1 AS y")
    assert frame.columns == ["x", "y"]
    if "\\" not in value:
        assert frame.first()[0] == value


def test_values_are_put_in_with_quotes(make: Make) -> None:
    assert make({"v": "Ann"}).run("SELECT ${v} AS x, concat(${v}, '!') AS y").collect() == [
        ("Ann", "Ann!")
    ]


def test_values_without_quotes_are_trimmed(make: Make) -> None:
    """The oracle's m12_var_no_quote_trim and a05_unquoted."""
    assert make({"v": "  padded  ", "n": "2"}, quotes=False).run(
        "SELECT '[${v}]' AS x, ${n} + 1 AS y"
    ).collect() == [("[padded]", 3)]


def test_values_may_use_earlier_ones(make: Make) -> None:
    """The oracle's a11_refs."""
    assert make({"a": "x", "b": "${a}y"}, quotes=False).run("SELECT '${b}' AS b").first()[0] == "xy"


def test_an_undefined_name(make: Make) -> None:
    variables = make({"country": "x"})
    with pytest.raises(
        RunError, match=r"\$\{contry\} is not defined; did you mean \$\{country\}\?"
    ):
        variables.fill("SELECT ${contry}")
    with pytest.raises(RunError, match=r"\$\{zzz\} is not defined; set it in the job's variables"):
        variables.fill("SELECT '${zzz}'")
    with pytest.raises(
        RunError, match=r"\$\{env:NO_SUCH_NAME\} is not defined; the driver's environment"
    ):
        variables.fill("SELECT '${env:NO_SUCH_NAME}'")
    with pytest.raises(RunError, match=r"variable 'b': \$\{later\} is not defined"):
        make({"b": "${later}", "later": "x"})


def test_comments_ask_for_nothing(make: Make) -> None:
    variables = make({"v": "x\n; DROP"})
    sql = "SELECT 1 -- ${v} ${nope}\n, 2 /* ${nope}\n ${v} */"
    assert variables.fill(sql) == sql
    assert (
        make({"t": "p"}, quotes=False).fill("SELECT /*+ BROADCAST(${t}) */ 1")
        == "SELECT /*+ BROADCAST(p) */ 1"
    )


def test_sparks_own_names(make: Make, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBE", "envA")
    spark._jvm.java.lang.System.setProperty("probe.property", "sysA")
    spark.sql("SET of_a_step = 5")
    filled = make({"v": "1"}).fill(
        "${env:PROBE} ${system:probe.property} ${spark.app.name} ${sparkconf:of_a_step} ${hiveconf:of_a_step} ${of_a_step} ${hivevar:v}"
    )
    assert filled == f"envA sysA {spark.conf.get('spark.app.name')} 5 5 5 '1'"
    spark.conf.unset("of_a_step")


def test_quotes_around_a_quoted_value(make: Make) -> None:
    variables = make({"v": "x OR 1=1 --", "d": 'a"b', "n": "plain"})
    with pytest.raises(
        RunError, match=r"\$\{v\} stands inside ' quotes, but is put in with quotes of its own"
    ):
        variables.fill("SELECT * FROM t WHERE a = '${v}'")
    with pytest.raises(RunError, match='stands inside " quotes'):
        variables.fill('SELECT "${d}"')
    assert variables.fill('SELECT "${n}"') == "SELECT \"'plain'\""


def test_a_literal_dollar(make: Make) -> None:
    assert (
        make({"v": "x"}).fill(f"SELECT '{LITERAL_DOLLAR}{{v}}' AS a, ${{v}}")
        == "SELECT '${v}' AS a, 'x'"
    )


def test_values_are_not_looked_into_again(make: Make) -> None:
    variables = make({"v": f"costs {LITERAL_DOLLAR}{{amount}}"})
    assert variables.run("SELECT ${v} AS x").first()[0] == "costs ${amount}"


def test_settings_that_spark_refuses(make: Make) -> None:
    """The oracle's a12_conf and a13_conf_unq."""
    with pytest.raises(
        RunError,
        match=r"variable 'spark.sql.shuffle.partitions': Spark refuses the value '7'.*quoteSparkVariables: false",
    ):
        make({"spark.sql.shuffle.partitions": "7"})


def test_settings_are_set(make: Make, spark: SparkSession) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    make({"spark.sql.shuffle.partitions": "7"}, quotes=False)
    assert spark.conf.get("spark.sql.shuffle.partitions") == "7"
    spark.conf.set("spark.sql.shuffle.partitions", before)


def test_sparks_own_substitution_is_as_before(make: Make, spark: SparkSession) -> None:
    make({"v": "x"}).run("SELECT ${v}")
    assert spark.conf.get("spark.sql.variable.substitute") == "true"
