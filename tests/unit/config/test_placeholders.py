"""Placeholders of a JDBCQuery, and what only looks like one."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.placeholders import statement


@pytest.mark.parametrize(
    ("query", "sql", "columns"),
    [
        ("INSERT INTO t VALUES (?, ?)", "INSERT INTO t VALUES (?, ?)", (0, 1)),
        ("INSERT INTO t VALUES ($2, $1)", "INSERT INTO t VALUES (?, ?)", (1, 0)),
        ("UPDATE t SET a = $1, b = $1 WHERE c = $2", "UPDATE t SET a = ?, b = ? WHERE c = ?", (0, 0, 1)),
        ("SELECT $1::int, $2::jsonb", "SELECT ?::int, ?::jsonb", (0, 1)),
        ("SELECT '?', 'it''s ?', ?", "SELECT '?', 'it''s ?', ?", (0,)),
        ("SELECT E'\\'?', ?", "SELECT E'\\'?', ?", (0,)),
        ('SELECT "a?b", `c?`, ?', 'SELECT "a?b", `c?`, ?', (0,)),
        ("SELECT ? -- or ?\n, ?", "SELECT ? -- or ?\n, ?", (0, 1)),
        ("SELECT ? /* $1 ? */", "SELECT ? /* $1 ? */", (0,)),
        ("SELECT $$ ? $1 $$, $x$ ? $$ $x$, $1", "SELECT $$ ? $1 $$, $x$ ? $$ $x$, ?", (0,)),
        ("SELECT a ?? 'k', ?", "SELECT a ?? 'k', ?", (0,)),
        ("SELECT a$1, $1", "SELECT a$1, ?", (0,)),
        ("SELECT " + ", ".join(f"${n}" for n in range(1, 12)), "SELECT " + ", ".join("?" * 11), tuple(range(11))),
    ],
)  # fmt: skip
def test_placeholders(query: str, sql: str, columns: tuple[int, ...]):
    found = statement(query)
    assert (found.sql, found.columns) == (sql, columns)
    assert found.width == max(columns) + 1


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("DELETE FROM t", "has no placeholder"),
        ("SELECT '?'", "has no placeholder"),
        ("SELECT ?, $1", "has ? and $1, expected one kind"),
        ("SELECT $1, $3", "has $3 but no $2"),
        ("SELECT $0, $1", "has $0"),
    ],
)
def test_placeholders_that_say_nothing(query: str, says: str):
    with pytest.raises(ValueError, match=r"^has ") as caught:
        statement(query)
    assert says in str(caught.value)
