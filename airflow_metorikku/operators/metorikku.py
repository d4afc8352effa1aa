"""The operator that runs a job, or some of its metrics, on Spark."""

from __future__ import annotations

import inspect
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_metorikku.errors import ConfigError, MetorikkuError
from airflow_metorikku.folders import dag_file, ends_of, job_file
from airflow_metorikku.notifications.alerts import Announcement
from airflow_metorikku.notifications.attach import alerters_of, attach, notifiers_of
from airflow_metorikku.operators.extension_settings import extension_settings, without_alerters
from airflow_metorikku.results.findings import Finding
from airflow_metorikku.results.records import Result, UnreadableResultError
from airflow_metorikku.store import ObjectStore, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from airflow.sdk import Context

    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.operators.submit_hook import MetorikkuSubmitHook
    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.listeners import Listener
    from airflow_metorikku.submission import SubmitOptions

XCOM_KEY = "metorikku"
# What this operator sets itself.
RESERVED = ("application", "application_args", "java_class")
# SparkSubmitOperator's arguments that add to the job's own, and those that stand instead of them.
_LISTS = ("packages", "jars", "py_files", "files")
_SINGLE = ("driver_memory", "executor_memory", "executor_cores", "num_executors")


class RunBrokenError(AirflowException):
    """The Spark run broke, or left no result of this attempt; Airflow retries it."""


class MetorikkuSubmitOperator(SparkSubmitOperator):
    """Runs the metrics of a job in one Spark application; takes SparkSubmitOperator's own arguments too.

    A bad verdict does not fail it: it has measured, withheld and reported, and the gates turn red.

    :param job: job file, relative to the DAG file.
    :param metrics: names of the metrics of this run; all when not given.
    :param variables: values for the job's variables. (templated)
    :param base: folder that the job's relative paths start from, relative to the job file.
    :param results: where results are kept: a folder or an ObjectStoragePath address. (templated)
    :param job_hash: hash of the job's files, so that an edit of theirs makes a new DAG version.
    :param alerters: who is told when the run breaks: as in YAML, notifiers, or callables.
    :param control_listeners: functions that are given each event of the run's control measures, once it is over.
    """

    template_fields: Sequence[str] = (
        *SparkSubmitOperator.template_fields,
        "variables",
        "results",
        "job",
        "job_hash",
    )

    def __init__(  # noqa: PLR0913 - an operator has its arguments
        self,
        *,
        job: str,
        metrics: Sequence[str] | None = None,
        variables: Mapping[str, str] | None = None,
        base: str | None = None,
        results: str | None = None,
        job_hash: str | None = None,
        alerters: Iterable[Any] = (),
        control_listeners: Iterable[Listener] = (),
        **kwargs: Any,
    ) -> None:
        for name in RESERVED:
            if name in kwargs:
                raise ValueError(f"{name}: is set by the Metorikku operator; leave it out")
        if alerters:
            attach(kwargs, notifiers_of(alerters_of(alerters)), ("on_failure_callback",))
        kwargs.setdefault("name", None)
        kwargs["conf"] = without_alerters(kwargs.get("conf"))
        super().__init__(**kwargs)
        # Always: with Airflow's default, a cleared task on a cluster finds its old application and never runs again.
        self.durable = False
        self.job = str(job)
        self.metrics = None if metrics is None else list(metrics)
        self.variables = variables
        self.base = base
        self.results = results
        self.job_hash = job_hash
        self.control_listeners = tuple(control_listeners)
        self.announcement: Announcement | None = None
        self._submission: tuple[SubmitOptions, Path] | None = None
        self._secrets_file: Path | None = None

    def execute(self, context: Context) -> dict[str, Any]:  # type: ignore[override]  # its own execute returns nothing
        """Compile, submit, read the result of this attempt back; raises RunBrokenError when the run broke."""
        self.announcement = None
        try:
            job = self._load(context)
            plan = self._compile(job)
            return self._run(context, job, plan)
        except MetorikkuError as error:
            # A retry mends no file of the user's.
            kind = AirflowFailException if isinstance(error, ConfigError) else RunBrokenError
            raise self._announced(kind(str(error))) from None
        except AirflowException as error:
            raise self._announced(error) from None

    @property
    def job_name(self) -> str:
        """Name of the job, also where its file cannot be read."""
        from airflow_metorikku.config.records.job import job_name

        return job_name(self._job_file())

    def _job_file(self) -> Path:
        return job_file(self.job, dag_file(self.dag.fileloc))

    def _load(self, context: Context) -> Job:
        from airflow_metorikku.config.load import read_job
        from airflow_metorikku.plan.jobs import require_sound

        file = self._job_file()
        ti = context["ti"]
        reading = read_job(
            file,
            variables=self.variables,
            texts=texts_of(context),
            base=self.base,
            ends=ends_of(file, getattr(getattr(ti, "bundle_instance", None), "path", None)),
            store=ObjectStore(),
        )
        overrides = extension_settings(self.conf)
        return require_sound(reading, final=True, alerted=False, overrides=overrides)

    def _compile(self, job: Job) -> Plan:
        from airflow_metorikku.plan.compile import compile_job

        plans = compile_job(job, split="job" if self.metrics is None else "metric")
        for plan in plans:
            if self.metrics is None or [metric.name for metric in plan.metrics] == self.metrics:
                return plan
        now = "; ".join(", ".join(metric.name for metric in plan.metrics) for plan in plans)
        raise AirflowFailException(
            f"{job.file}: metrics: this task was made for {', '.join(self.metrics or ())}, the file now has the runs {now}; "
            "let Airflow parse the DAG file again"
        )

    def _run(self, context: Context, job: Job, plan: Plan) -> dict[str, Any]:
        from airflow_metorikku import submission
        from airflow_metorikku.connections import airflow_connection
        from airflow_metorikku.plan.credentials import credentials
        from airflow_metorikku.plan.gates import planned_constraints

        ti = context["ti"]
        attempt = uuid.uuid4().hex
        plan, secrets = credentials(plan, airflow_connection)
        plan, address = submission.identify(
            plan,
            results=self._results_root(job),
            dag_id=ti.dag_id,
            run_id=ti.run_id,
            task_id=_task_name(ti),
            attempt=attempt,
            time=_time_of(texts_of(context)),
        )
        pushed = {
            "attempt": attempt,
            "result": address,
            "job": plan.job,
            "plan_hash": plan.hash,
            "metrics": planned_constraints(plan),
        }
        # Before Spark starts: from now on a gate accepts nothing older than this attempt.
        ti.xcom_push(XCOM_KEY, pushed)
        self.log.info("Attempt %s, result at %s", attempt, address)
        broke = self._submit(context, plan, secrets)
        result = _own_result(address, attempt, broke)
        if self.control_listeners:
            from airflow_metorikku.operators.control_events import tell

            tell(self.control_listeners, plan, result, address)
        return self._report(result, pushed)

    def _submit(
        self, context: Context, plan: Plan, secrets: Mapping[str, str]
    ) -> AirflowException | None:
        """Run spark-submit to its end; what it broke with, if it did."""
        from airflow_metorikku import submission

        with tempfile.TemporaryDirectory(prefix="metorikku-") as scratch:
            folder = Path(scratch)
            plan_file = submission.write_plan(plan, folder)
            self._secrets_file = submission.write_secrets(secrets, folder)
            options = submission.SubmitOptions.of(
                plan.settings,
                files=[plan_file],
                archive=submission.write_archive(folder),
            )
            self._submission = (options, plan_file)
            self._hook = None
            self.application = str(submission.ENTRYPOINT)
            self.name = self.name or plan.settings.app_name
            try:
                super().execute(context)
            except (AirflowException, RuntimeError) as error:
                return AirflowException(str(error))
        return None

    def _results_root(self, job: Job) -> str:
        from airflow_metorikku.plan.paths import resolve
        from airflow_metorikku.settings import results_path

        given = self.results or job.settings.results
        return resolve(job.base, given) if given else results_path()

    def _get_hook(self) -> MetorikkuSubmitHook:
        from airflow_metorikku.operators.submit_hook import MetorikkuSubmitHook

        # The hook's parameters are the operator's attributes, some of them private.
        arguments: dict[str, Any] = {
            name: getattr(self, name, getattr(self, f"_{name}", None))
            for name in inspect.signature(SparkSubmitHook).parameters
        }
        if self._submission is None:
            return MetorikkuSubmitHook(**arguments)
        options, plan_file = self._submission
        arguments["conf"] = {**options.conf, **(self.conf or {})}
        for name in _LISTS:
            arguments[name] = (
                ",".join(filter(None, (getattr(options, name), arguments[name]))) or None
            )
        for name in _SINGLE:
            arguments[name] = (
                arguments[name] if arguments[name] is not None else getattr(options, name)
            )
        hook = MetorikkuSubmitHook(**arguments)
        hook.ship(self._secrets_file)
        plan = plan_file.name if hook.is_cluster_mode else str(plan_file)
        hook._application_args = ["--plan", plan]  # noqa: SLF001 - only the hook knows the deploy mode
        return hook

    def _report(self, result: Result, pushed: Mapping[str, Any]) -> dict[str, Any]:
        from airflow_metorikku.operators.airflow_metrics import emit
        from airflow_metorikku.results.table import render

        self.log.info("Result of the run\n%s", render(result, 120))
        emit(result)
        if result.error:
            raise RunBrokenError(result.error)
        return {
            "attempt": result.attempt,
            "result": pushed["result"],
            "verdict": result.verdict,
            "application": result.application.id if result.application else None,
            "metrics": {metric.name: metric.verdict for metric in result.metrics},
        }

    def _announced(self, error: AirflowException) -> AirflowException:
        """Keep what broke for the alerters."""
        finding = Finding(
            id="run",
            label=self.job_name,
            subject="run",
            level="critical",
            message=str(error).split("\nLast spark-submit")[0],
        )
        self.announcement = Announcement(job=self.job_name, findings=(finding,))
        return error


def __getattr__(name: str) -> Any:
    """The other operator, which stands on this one."""
    if name == "DataQualityOperator":
        from airflow_metorikku.operators.data_quality import DataQualityOperator

        return DataQualityOperator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def texts_of(context: Context) -> dict[str, str]:
    """What `${ds}` and its kin stand for in this run; without a logical date, those that need one are absent."""
    ti, run = context["ti"], context.get("dag_run")
    texts = {"run_id": ti.run_id, "dag_id": ti.dag_id, "task_id": ti.task_id}
    dates: dict[str, Any] = {
        name: context.get(name)
        for name in (
            "ds",
            "ds_nodash",
            "ts",
            "data_interval_start",
            "data_interval_end",
            "logical_date",
        )
    }
    dates["run_after"] = getattr(run, "run_after", None)
    for name, value in dates.items():
        if value is not None:
            texts[name] = value if isinstance(value, str) else value.isoformat()
    return texts


def _time_of(texts: Mapping[str, str]) -> str | None:
    """Of when a run's data are: a rerun, or one that catches up, has its own place in the history."""
    return texts.get("logical_date") or texts.get("run_after")


def _task_name(ti: Any) -> str:
    index = getattr(ti, "map_index", -1)
    return ti.task_id if index is None or index < 0 else f"{ti.task_id}.{index}"


def _own_result(address: str, attempt: str, broke: AirflowException | None) -> Result:
    """The result of this attempt; fails closed, whatever code spark-submit ended with."""
    try:
        text = read_text(address)
        result = Result.from_json(text) if text is not None else None
    except (UnicodeDecodeError, UnreadableResultError) as error:
        raise broke or RunBrokenError(f"{address}: {error}") from error
    if result is None or result.attempt != attempt:
        raise broke or RunBrokenError(
            f"spark-submit ended well, but there is no result of this attempt at {address}"
        )
    if broke and not result.error:
        raise broke
    return result
