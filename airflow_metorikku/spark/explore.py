"""Looking at a data frame: its profile, or checks that it suggests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.profile_table import render_profile
from airflow_metorikku.spark.quality import profile, suggest
from airflow_metorikku.spark.runner import made_frame
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.plan.explorations import Exploration


def explore(exploration: Exploration, session: SparkSession) -> None:
    """Answer a question about a data frame, into its file; raises RunError."""
    with made_frame(exploration.plan, session, exploration.data_frame) as frame:
        try:
            answer = _answer(exploration, frame)
        except RunError:
            raise
        except Exception as error:
            raise RunError(f"data frame '{exploration.data_frame}': {sentence(error)}") from error
    Path(exploration.answer).write_text(f"{answer}\n", encoding="utf-8")


def _answer(asked: Exploration, frame: DataFrame) -> str:
    if asked.asks == "profile":
        found = profile(
            frame,
            name=asked.data_frame,
            columns=asked.columns,
            most_values=asked.most_values,
            kll=asked.kll,
        )
        return found.to_json() if asked.form == "json" else render_profile(found, asked.width)
    checks = suggest(
        frame,
        name=asked.data_frame,
        columns=asked.columns,
        most_values=asked.most_values,
        rules=asked.rules,
    )
    return checks.to_json() if asked.form == "json" else checks.to_yaml()
