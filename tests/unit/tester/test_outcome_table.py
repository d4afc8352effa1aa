"""What a failed test looks like."""

from __future__ import annotations

import json

from airflow_metorikku.results.outcome import Outcome, RowDifference, TableOutcome
from airflow_metorikku.results.outcome_table import LONGEST_CELL, render_outcome, width

DIFFERENT = RowDifference(
    expected=("1", "Ann"), expected_row=1, actual=("1", "Bob"), actual_row=3, columns=("name",)
)


def outcome(*rows: RowDifference, **more) -> Outcome:
    table = TableOutcome(
        name="t", expected_rows=2, actual_rows=3, columns=("id", "name"), rows=rows, **more
    )
    return Outcome(file="a_test.yaml", seconds=0.1, tables=(table,))


def test_rows_are_aligned_and_say_what_differs():
    missing = RowDifference(expected=("20", "Cy"), expected_row=2)
    extra = RowDifference(actual=("3", "D"), actual_row=1)
    assert render_outcome(outcome(DIFFERENT, missing, extra)).splitlines() == [
        "t: expected 2 rows, got 3",
        "   id  name",
        "-  1   Ann   expected row 1",
        "+  1   Bob   row 3           differs in name",
        "-  20  Cy    expected row 2  missing",
        "+  3   D     row 1           unexpected",
    ]


def test_colours_only_when_asked_for():
    assert "\x1b" not in render_outcome(outcome(DIFFERENT))
    coloured = render_outcome(outcome(DIFFERENT), colour=True)
    assert "\x1b[31m-" in coloured
    assert "\x1b[32m+" in coloured


def test_wide_characters_take_two_columns():
    assert width("日本") == 4
    assert width("e\u0301") == 1
    wide = RowDifference(expected=("日本", "x"), expected_row=1, actual=("ab", "x"), actual_row=1)
    first, second = render_outcome(outcome(wide)).splitlines()[2:]
    assert width(first[: first.index("x")]) == width(second[: second.index("x")])


def test_a_cell_cannot_break_the_table_nor_colour_the_terminal():
    odd = RowDifference(actual=("a\nb", "\x1b[31mred"), actual_row=1)
    text = render_outcome(outcome(odd))
    assert "a\\nb" in text
    assert "\x1b" not in text


def test_long_cells_are_cut_where_they_part():
    one, other = "x" * 500 + "A" + "y" * 500, "x" * 500 + "B" + "y" * 500
    row = RowDifference(
        expected=("1", one), expected_row=1, actual=("1", other), actual_row=1, columns=("name",)
    )
    first, second = render_outcome(outcome(row)).splitlines()[2:]
    assert "A" in first
    assert "B" in second
    assert len(first) < LONGEST_CELL + 60


def test_many_rows_are_counted_not_shown():
    rows = [RowDifference(actual=(str(i), "x"), actual_row=i) for i in range(60)]
    assert render_outcome(outcome(*rows)).endswith("and 10 rows more")


def test_an_outcome_crosses_as_json():
    whole = outcome(DIFFERENT, problems=("has no column 'x'",))
    assert Outcome.from_plain(json.loads(json.dumps(whole.to_plain()))) == whole
    assert not whole.passed
    assert outcome().passed
