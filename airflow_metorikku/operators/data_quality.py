"""The operator that checks data which no job of ours made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import assertions_of
from airflow_metorikku.config.given import is_template, without_templates
from airflow_metorikku.config.standalone import Standalone, identifier, read_standalone
from airflow_metorikku.folders import dag_file
from airflow_metorikku.notifications.alerts import Announcement
from airflow_metorikku.notifications.attach import (
    CALLBACKS,
    alerters_of,
    attach,
    failing_levels,
    notifiers_of,
)
from airflow_metorikku.operators.metorikku import MetorikkuSubmitOperator, RunBrokenError, texts_of
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.problems import CASE_SENSITIVE
from airflow_metorikku.plan.sql import select_all
from airflow_metorikku.results.judge import judge_data_quality
from airflow_metorikku.store import ObjectStore
from airflow_metorikku.verdicts import DataQualityFailed, require_good

if TYPE_CHECKING:
    from airflow.sdk import Context

    from airflow_metorikku.config.load import JobReading
    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.results.records import Result

_PART = r"`((?:[^`]|``)+)`|([^.`\s][^.`]*)"
_TABLE_PART = re.compile(_PART)
_TABLE = re.compile(rf"(?:{_PART})(?:\.(?:{_PART}))*")
_SOURCES = ("path", "table", "query")


class DataQualityOperator(MetorikkuSubmitOperator):
    """Runs checks on a path, a table or a query in one Spark application, and fails when they do; takes SparkSubmitOperator's own arguments too.

    :param checks: a list of checks as in a metric file, a whole `dq` block, or the path of a YAML file with one of
        both, relative to the DAG file. (templated)
    :param path: file, folder or glob, relative to the DAG file. (templated)
    :param format: any Spark format; default by the path's extension, else Parquet.
    :param options: options of Spark's reader. (templated)
    :param table: table of the catalog, as `table` or `database.table`. (templated)
    :param query: SQL; `${name}` is a variable, quoted. (templated)
    :param data_frame: what results and alerts call the data; default the path's or table's last part, else `data`.
    :param level: level of a failure where a check has none of its own; default the block's, else `error`.
    :param thresholds: constraint ids to assertions, judged instead of the checks' own. (templated)
    :param variables: values for `${name}` in checks and query. (templated)
    :param quality: keys of a job file's `quality`, as `{"emptyData": "warn"}`.
    :param gate: whether a bad verdict fails this task; `False` leaves it to a DataQualitySensor.
    :param alerters: who is told of what is not good: as in YAML, notifiers, or callables; `exception` says what fails.
    :param results: where results are kept: a folder or an ObjectStoragePath address. (templated)
    """

    template_fields: Sequence[str] = (
        *(name for name in MetorikkuSubmitOperator.template_fields if name != "job"),
        "checks",
        "path",
        "options",
        "table",
        "query",
        "thresholds",
    )

    def __init__(  # noqa: PLR0913 - an operator has its arguments
        self,
        *,
        checks: Any,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 - Spark's word
        options: Mapping[str, str] | None = None,
        table: str | None = None,
        query: str | None = None,
        data_frame: str | None = None,
        level: str | None = None,
        thresholds: Mapping[str, str] | None = None,
        quality: Mapping[str, Any] | None = None,
        gate: bool = True,
        alerters: Iterable[Any] = (),
        **kwargs: Any,
    ) -> None:
        for name in ("job", "metrics", "base"):
            if name in kwargs:
                raise ValueError(f"{name}: has no meaning here; leave it out")
        given = alerters_of(alerters)
        if given:
            attach(kwargs, notifiers_of(given), CALLBACKS if gate else ("on_failure_callback",))
        super().__init__(job="", **kwargs)
        self.checks = checks if isinstance(checks, Mapping | list) else os.fspath(checks)
        self.path = None if path is None else os.fspath(path)
        self.format = format
        self.options = options
        self.table = table
        self.query = query
        self.data_frame = data_frame
        self.level = level
        self.thresholds = thresholds
        self.quality = quality
        self.gate = gate
        self.fails_on = failing_levels(given)
        self._result: Result | None = None
        self._planned: Mapping[str, int] | None = None
        self._check_arguments()

    def execute(self, context: Context) -> dict[str, Any]:  # type: ignore[override]  # its own execute returns nothing
        """Compute the checks and judge them; raises DataQualityFailed on a bad verdict, RunBrokenError when the run broke."""
        returned = super().execute(context)
        if not self.gate:
            return returned
        if self._result is None:
            raise RunBrokenError("the run was not reported: there is no verdict")
        where = str(returned["result"])
        judgement = judge_data_quality(
            self._result,
            self.job_name,
            planned=self._planned,
            thresholds=assertions_of(self.thresholds),
            where=where,
        )
        if judgement.findings:
            self.announcement = Announcement(
                job=self.job_name, findings=judgement.findings, folder=where.rpartition("/")[0]
            )
        require_good(
            judgement,
            fails_on=self.fails_on,
            closed=DataQualityFailed,
            about=f"data quality of {self._subject()}",
            where=f"result {where}",
        )
        return {**returned, "verdict": judgement.verdict}

    @property
    def job_name(self) -> str:
        """Name of the job and of its metric: the data frame's."""
        named = table_parts(self.table)[-1] if self.table else self.path or "data"
        return self.data_frame or identifier(named)

    def _subject(self) -> str:
        return self.path or self.table or f"the query of {self.task_id}"

    def _report(self, result: Result, pushed: Mapping[str, Any]) -> dict[str, Any]:
        self._result, self._planned = result, pushed["metrics"][self.job_name]
        return super()._report(result, pushed)

    def _load(self, context: Context) -> Job:
        return require_sound(self._reading(texts_of(context)), final=True, alerted=False)

    def _reading(self, texts: Mapping[str, str] | None) -> JobReading:
        file = dag_file(self.dag.fileloc)
        return read_standalone(
            Standalone(
                name=self.job_name,
                data_frame=self.job_name,
                place=f"checks of task {self.task_id}",
                folder=file.parent,
                checks=self.checks,
                level=self.level or ("error" if isinstance(self.checks, list) else None),
                file=self._file(),
                sql=self._sql(),
                settings=self._settings(),
            ),
            variables=self.variables,
            texts=texts,
            store=ObjectStore(),
        )

    def _settings(self) -> dict[str, Any]:
        """Keys of a job file; of Spark's own settings what the checks are read by."""
        found = {"quality": dict(self.quality)} if self.quality else {}
        conf = self.conf or {}
        if CASE_SENSITIVE in conf:
            found["sparkConf"] = {CASE_SENSITIVE: str(conf[CASE_SENSITIVE])}
        return found

    def _file(self) -> dict[str, Any] | None:
        if self.path is None:
            return None
        found = {"path": self.path, "format": self.format, "options": self.options}
        return {name: value for name, value in found.items() if value}

    def _sql(self) -> str:
        if self.query is not None:
            return self.query
        if self.table is not None:
            return select_all(*table_parts(self.table))
        return select_all(self.job_name)

    def _check_arguments(self) -> None:
        given = [name for name in _SOURCES if getattr(self, name) is not None]
        if len(given) != 1:
            got = " and ".join(given) or "none"
            raise ValueError(f"expected one of path, table and query, got {got}")
        if self.path is None and (self.format or self.options):
            raise ValueError("format and options: stand only beside path")
        assertions_of(without_templates(self.thresholds))
        if any(map(is_template, (self.checks, self.path, self.table, self.query))):
            return
        if self.has_dag():  # type: ignore[no-untyped-call]
            require_sound(self._reading(None), alerted=False)


def table_parts(table: str) -> tuple[str, ...]:
    """Parts of a table's name, of its database and catalog too; each may stand in backticks."""
    if not _TABLE.fullmatch(table):
        raise ValueError(f"table: got {table!r}, expected table or database.table")
    return tuple(quoted.replace("``", "`") or plain for quoted, plain in _TABLE_PART.findall(table))
