"""The example of the documentation runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from pyspark.sql import SparkSession

from airflow_metorikku.spark.control import build, read, write

PAGE = Path(__file__).parents[3] / "docs/control-measures.md"


def test_the_notebook_example(spark: SparkSession, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(from .*?)```", PAGE.read_text(), re.DOTALL)
    frame = spark.sql("SELECT id, id - 1 AS price FROM range(4)")
    frame.write.parquet(f"{tmp_path}/trades")
    write(spark, build(frame, [{"price": "aggregatedTotal"}]), f"{tmp_path}/trades")
    exec(code.replace('"/data/', f'"{tmp_path}/'), {"spark": spark})
    info = read(spark, f"{tmp_path}/kept")
    assert [[one.value for one in point.controls] for point in info.checkpoints] == [
        ["4", "2"],
        ["2", "3"],
    ]
    assert info.last is not None
    assert (info.last.name, info.last.order, info.last.row_count) == ("Cleaned", 2, 2)
