"""The outputs of one metric, as far as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.records import OutputResult
from airflow_metorikku.spark.outputs.direct import Direct
from airflow_metorikku.spark.outputs.file import FileOutput
from airflow_metorikku.spark.outputs.staging import Staging
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.stopping import check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.spark.run import Run


@dataclass(kw_only=True)
class StagedOutput:
    """An output of a metric; no staging when it is ignored, as its target exists."""

    output: FileOutput
    staging: Staging | None = None
    rows: int | None = None
    lag: int | None = None
    published: bool = False
    schema: StructType | None = None
    """Of what was written."""
    made_table: bool = False

    @property
    def result(self) -> OutputResult:
        """For the result file."""
        table = self.output.table
        return _result(self, self.output.target.path, str(table.name) if table else None)


@dataclass(kw_only=True)
class DirectWrite:
    """An output of a metric that cannot be staged; its frame is set once it may be written."""

    output: Direct
    frame: DataFrame | None = None
    rows: int | None = None
    lag: int | None = None
    published: bool = False

    @property
    def result(self) -> OutputResult:
        """For the result file."""
        return _result(self, self.output.target)

    def write(self) -> None:
        """Write it; raises RunError naming the output."""
        check()
        if self.frame is None:
            return
        try:
            self.rows = self.output.write(self.frame)
        except RunError:
            raise
        except Exception as error:
            raise RunError(f"{self.output.where}: {sentence(error)}") from error
        self.published = self.rows is not None


def _result(one: StagedOutput | DirectWrite, target: str, table: str | None = None) -> OutputResult:
    given = one.output.output
    return OutputResult(
        data_frame=given.data_frame_name,
        type=given.output_type,
        target=target,
        rows=one.rows,
        published=one.published,
        lag=one.lag,
        table=table,
    )


def make_tables(run: Run, outputs: Iterable[StagedOutput]) -> None:
    """New tables that keep their files themselves, still without them."""
    for one in outputs:
        table = one.output.table
        if table and table.own_files and one.staging and one.schema:
            try:
                one.made_table = table.make(run.session, one.staging, run.owner, one.schema)
            except Exception as error:
                raise RunError(f"{one.output.where}: {sentence(error)}") from error


def register_tables(run: Run, outputs: Iterable[StagedOutput]) -> None:
    """Tables, once their files are published; each is tried, then the first error is raised."""
    errors = []
    for one in outputs:
        output = one.output
        if not output.table:
            continue
        if not one.published and (output.table.own_files or one.staging):
            continue
        try:
            output.table.register(run.session, output.target, one.schema)
            one.made_table = False
        except RunError as error:
            errors.append(RunError(f"{output.where}: {error}"))
    if errors:
        raise errors[0]
