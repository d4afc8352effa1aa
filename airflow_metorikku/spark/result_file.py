"""`result.json`: written last and in one move; a gate takes a missing or half one for no pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import Files, files_at, parent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.records import Result


@dataclass(frozen=True)
class ResultFile:
    """Where the result goes; its file system is found at the start, as Spark may be gone at the end."""

    place: tuple[Files, str] | None

    @classmethod
    def of(cls, plan: Plan, session: SparkSession | None) -> ResultFile:
        """That of a plan; a plan without an identity keeps none.

        Its folder is made here: a run that could not tell its result would publish what no gate lets
        pass. Raises RunError where it cannot be made.
        """
        if plan.identity is None:
            return cls(None)
        try:
            files, path = files_at(session, plan.identity.result)
            files.make_folder(parent(path))
        except OSError as error:
            raise RunError(f"results: cannot make their folder: {error}") from error
        return cls((files, path))

    def write(self, result: Result) -> None:
        """Write it; raises RunError."""
        if self.place is None:
            return
        files, path = self.place
        try:
            files.write_text(path, result.to_json())
        except OSError as error:
            raise RunError(f"the result cannot be written to {path}: {error}") from error
