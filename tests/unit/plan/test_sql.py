"""What a statement reads and makes, as Spark would say."""

from __future__ import annotations

import pytest

from airflow_metorikku.plan.sql import created, names_used, tables_read, variables_used


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT * FROM a, b x JOIN c ON a.x = c.y", {"a", "b", "c"}),
        ("SELECT * FROM A WHERE extract(year FROM d) > 1 AND trim(both ' ' FROM s) = ''", {"a"}),
        ("WITH q AS (SELECT 1 FROM z), r (x, y) AS (SELECT 2) SELECT * FROM q JOIN r", {"z"}),
        (
            "SELECT * FROM db.t JOIN csv.`a/b` JOIN range(3) LEFT JOIN `my view` m ON m.x <=> 1",
            {"my view"},
        ),
        (
            "SELECT * FROM (SELECT * FROM inside) s, beside -- FROM comment\n /* FROM other */",
            {"inside", "beside"},
        ),
        ("SELECT 'FROM text', \"JOIN text\" FROM t", {"t"}),
        ("SELECT 'it''s FROM x' FROM t", {"t"}),
        ("SELECT a IS NOT DISTINCT FROM b FROM t", {"t"}),
        ("SELECT * FROM VALUES (1), (2) AS v(i)", set()),
        ("SELECT * FROM t LATERAL VIEW explode(xs) e AS x, u", {"t", "u"}),
        ("SELECT * FROM t WHERE id IN (SELECT id FROM u) GROUP BY a, b ORDER BY a, b", {"t", "u"}),
        ("FROM t SELECT *", {"t"}),
        ("SHOW TABLES FROM db", set()),
        ("CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM t", {"t"}),
        ("SELECT 1", set()),
        ("", set()),
    ],
)
def test_tables_read(sql: str, tables: set[str]) -> None:
    assert set(tables_read(sql)) == tables


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("CREATE OR REPLACE TEMP VIEW foo AS SELECT 1", {"foo"}),
        ("create table if not exists db.bar (x int)", {"bar"}),
        ("CACHE TABLE b AS SELECT 1", {"b"}),
        ("SELECT 'CREATE VIEW x'", set()),
        ("CREATE FUNCTION f AS 'x'", set()),
    ],
)
def test_created(sql: str, names: set[str]) -> None:
    assert created(sql) == names


def test_names_used_has_every_name_and_no_text() -> None:
    used = names_used("SELECT a.`odd name`, 'text' FROM Movies a -- comment")
    assert {"movies", "odd name", "a"} <= used
    assert not {"text", "comment"} & used


def test_variables_count_inside_texts_but_not_in_comments() -> None:
    assert variables_used("SELECT '${a}', ${b} -- ${c}\n /* ${d} */ FROM t WHERE x = `${e}`") == (
        "a",
        "b",
        "e",
    )
