"""`${name}` in the text of a file (Metorikku's rules)."""

from __future__ import annotations

import time

import pytest

from airflow_metorikku.config.document import DocumentError, plain_value
from airflow_metorikku.config.interpolation import (
    LITERAL_DOLLAR,
    InterpolationError,
    Names,
    connection_problem,
    fill,
    given_variables,
    interpolate,
    literal_dollars,
    names_in,
    undefined_name,
    unmark,
)
from airflow_metorikku.config.yaml_text import read_yaml

NAMES = Names(
    variables={"given": "it's", "both": "variable"},
    texts={"ds": "2024-01-02", "shared": "text"},
    environ={
        "HOME_DIR": "/home", "both": "environment", "shared": "environment", "EMPTY": "",
        "A": "${B}/a", "B": "${C:-c}", "LOST": "${nowhere}", "DOLLARS": "$${B}",
    },
)  # fmt: skip
TEXTS = {
    "plain": "plain",
    "${HOME_DIR}/x": "/home/x",
    "$HOME_DIR": "$HOME_DIR",
    "${ds}": "2024-01-02",
    "${shared}": "text",
    "${unknown}": "${unknown}",
    "${unknown:-other}": "other",
    "${unknown:-}": "",
    "${unknown:-a b: c}": "a b: c",
    "${HOME_DIR:-other}": "/home",
    "${EMPTY:-other}": "",
    "${ HOME_DIR }": "${ HOME_DIR }",
    "${ HOME_DIR :-x}": "x",
    "${}": "${}",
    "${A}": "c/a",
    "${LOST}": "${nowhere}",
    "${given}": "${given}",
    "${given:-default}": "${given}",
    "${both}": "${both}",
    "${env:HOME_DIR}": "${env:HOME_DIR}",
    "${conn.db.password}": "${conn.db.password}",
    "$${HOME_DIR}": LITERAL_DOLLAR + "{HOME_DIR}",
    "$${x:-y}": LITERAL_DOLLAR + "{x:-y}",
    "${DOLLARS}": LITERAL_DOLLAR + "{B}",
    "a$${x}b${HOME_DIR}c": f"a{LITERAL_DOLLAR}{{x}}b/homec",
}


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text):
    assert unmark(interpolate(text, NAMES).text) == TEXTS[text]


def test_literal_dollars():
    assert literal_dollars(unmark(interpolate("$${x} ${HOME_DIR}", NAMES).text)) == "${x} /home"


def test_names_that_survive_do_not_break_flow_mappings():
    source = interpolate("{path: ${day}/x, list: [${a}, $${b}]}\n", NAMES)
    root, _ = read_yaml(source)
    assert plain_value(root) == {"path": "${day}/x", "list": ["${a}", LITERAL_DOLLAR + "{b}"]}


def test_value_with_line_ends_keeps_the_lines_of_the_file():
    names = Names(environ={"SQL": "SELECT\n      1"})
    source = interpolate("a: |\n      ${SQL}\n      x\nb: ${c:-\n  d}\ne: 1\n", names)
    root, _ = read_yaml(source)
    assert plain_value(root)["a"] == "SELECT\n1\nx\n"
    assert root.entries["b"][0] == 4
    assert root.entries["e"][0] == 6


@pytest.mark.parametrize("environ", [{"A": "${A}"}, {"A": "${B}", "B": "x${C}", "C": "${A}"}])
def test_circle(environ):
    with pytest.raises(InterpolationError) as caught:
        interpolate("x: 1\ny: ${A}\n", Names(environ=environ))
    assert caught.value.line == 2
    assert "${A} names itself: A > " in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"A": "x" * 1000, "B": "${A}" * 2000}, "${B} makes the text longer than 1048576 characters"),
        ({"A0": "x" * 9, **{f"A{n}": f"${{A{n - 1}}}" * 10 for n in range(1, 12)}, "B": "${A11}"}, "longer than"),
        ({"B": "\udcff"}, "${B}: character U+DCFF is not allowed"),
    ],
)  # fmt: skip
def test_values_that_no_file_could_hold(environ, says):
    start = time.process_time()
    with pytest.raises(InterpolationError) as caught:
        interpolate("a: 1\nb: ${B}\n", Names(environ=environ))
    assert caught.value.line == 2
    assert says in str(caught.value)
    assert time.process_time() - start < 5


def test_small_values_that_make_a_huge_text():
    with pytest.raises(InterpolationError, match="longer than"):
        interpolate("${A}\n" * 20_000, Names(environ={"A": "x" * 100}))


@pytest.mark.parametrize("secret", ["*hunter2", "!hunter2"])
def test_no_mistake_of_yaml_says_a_value_that_was_put_in(secret):
    source = interpolate("password: ${PW}\n", Names(environ={"PW": secret}))
    try:
        said = [str(mistake) for mistake in read_yaml(source)[1]]
    except DocumentError as error:
        said = [str(error)]
    assert len(said) == 1
    assert "hunter2" not in said[0]


def test_value_used_twice_is_no_circle():
    assert interpolate("${A}${A}", Names(environ={"A": "${B}${B}", "B": "b"})).text == "bbbb"


def test_fill_puts_given_variables_in_raw():
    assert (
        fill("${given} ${both} ${unknown} ${HOME_DIR}", NAMES)
        == "it's variable ${unknown} ${HOME_DIR}"
    )


def test_given_variables_are_resolved_among_themselves():
    names = Names(
        variables={"a": "${b}/${HOME}", "b": "x${ds}", "c": "$${b} ${job}"},
        texts={"ds": "d"},
        environ={"HOME": "h"},
    )
    assert given_variables(names.variables, names) == {
        "a": "xd/h", "b": "xd", "c": f"{LITERAL_DOLLAR}{{b}} ${{job}}",
    }  # fmt: skip


def test_given_variables_in_a_circle():
    names = Names(variables={"a": "${b}", "b": "${a}"})
    with pytest.raises(InterpolationError, match="names itself: a > b > a"):
        given_variables(names.variables, names)


def test_names_in():
    assert names_in(f"${{a}} ${{b.c}} {LITERAL_DOLLAR}{{d}} ${{ e }} $f") == ["a", "b.c"]


def test_undefined_names_say_what_to_do():
    assert "${day} is undefined; give a variable" in undefined_name("day")
    assert "this run has no logical date; use ${run_after}" in undefined_name("ds")


def test_connections_stand_only_where_other_systems_are_named():
    assert connection_problem("conn.db.password", "inputs.a.jdbc.password") is None
    assert connection_problem("conn.my-db.extra.a.b", "output[0].outputOptions.x") is None
    assert "only in inputs" in (connection_problem("conn.db.host", "appName") or "")
    assert "in SQL" in (connection_problem("conn.db.host", None) or "")
    assert "expected ${conn.NAME.field}" in (
        connection_problem("conn.db.hots", "sparkConf.a") or ""
    )


@pytest.mark.parametrize("text", ["${" * 300_000, "${:-" * 200_000, "$${a:-:-" * 100_000])
def test_hostile_text_costs_little(text):
    start = time.process_time()
    assert interpolate(text, NAMES).text == text
    assert time.process_time() - start < 5
