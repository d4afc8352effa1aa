"""A profile as text."""

from __future__ import annotations

from airflow_metorikku.results.profile_table import render_profile
from airflow_metorikku.results.profiles import ColumnProfile, Profile, ValueCount


def test_an_empty_text_among_the_values_is_seen():
    values = (
        ValueCount(value="", count=3, ratio=0.75),
        ValueCount(value="ok", count=1, ratio=0.25),
    )
    column = ColumnProfile(
        column="note",
        type="string",
        data_type="String",
        completeness=1.0,
        nulls=0,
        approximate_distinct=2,
        histogram=values,
        min_length=0,
        max_length=2,
    )
    lines = render_profile(Profile(data_frame="t", rows=4, columns=(column,))).splitlines()
    assert lines[-1].split() == ["note", "string", "100%", "2", "-", "-", "-", "-", "0..2", "''", "75%,", "ok", "25%"]  # fmt: skip
