"""The history of metrics in Deequ's repository format: a JSON list of runs, each with its metrics (Deequ, `repository/`).

Our own keys stand beside Deequ's, where its readers do not look: `run` (whose it is), each metric's `constraintId`,
`constraint`, `status`, `message`, `counts` and `level`, `where` on every analyzer, and `otherMetrics`, which holds what Deequ cannot read: metrics
without a value, and those of analyzers that it does not store.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args

from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.records import ConstraintStatus, Level
from airflow_metorikku.results.repository_analyzers import (
    UnknownAnalyzerError,
    analyzer_from,
    analyzer_json,
    is_deequs,
)
from airflow_metorikku.results.repository_values import Value, flattened, metric_json, value_from

logger = logging.getLogger(__name__)

_OWN = {
    "constraintId": "constraint_id",
    "constraint": "constraint",
    "status": "status",
    "message": "message",
    "counts": "counts",
    "level": "level",
}
ENTITIES = {"Mutlicolumn": "Multicolumn"}  # as releases of Deequ before 1.2 spell it


class UnreadableRepositoryError(MetorikkuError):
    """The text is no metrics repository; says what was expected."""


@dataclass(frozen=True, kw_only=True)
class StoredMetric:
    """One metric of a run: a value of an analyzer, or why there is none."""

    analyzer: Analyzer | None
    """None where it is none of ours; then `raw` has it as it was found."""
    entity: str
    instance: str
    name: str
    value: Value | None
    constraint_id: str | None = None
    constraint: str | None = None
    status: ConstraintStatus | None = None
    """Of the constraint; None in files that Deequ wrote."""
    message: str | None = None
    """Why there is no value, or why the value is not good."""
    counts: bool = True
    """False where a failure has no effect: of a step that may fail, of an anomaly check's first runs."""
    level: Level | None = None
    """Of a failure; None in files that Deequ wrote, or we before there were levels in them."""
    raw: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def number(self) -> float | None:
        """The value, where it is one number."""
        return float(self.value) if isinstance(self.value, int | float) else None

    @property
    def filter(self) -> str:
        """What stands behind the name of a filtered metric, as Deequ's ` (where: ...)`; else nothing."""
        where = self.analyzer.where_ if self.analyzer else None
        return f" (where: {where})" if where else ""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Whose a stored run is. Of several with equal `dag_id`, `run_id`, `job` and `data_frame` the one written last counts."""

    job: str
    data_frame: str
    dag_id: str
    run_id: str
    attempt: str
    written: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """The metrics of one data frame in one run; `time` (milliseconds since 1970) says of when the data are."""

    time: int
    tags: Mapping[str, str] = field(default_factory=dict)
    metrics: tuple[StoredMetric, ...] = ()
    origin: Origin | None = None
    """None in files that Deequ wrote."""


def runs_from(text: str) -> tuple[StoredRun, ...]:
    """The runs of a repository's text, as they stand there; raises UnreadableRepositoryError.

    Bare NaN and infinities are read, and the old spelling of Multicolumn. Metrics of unknown kinds are kept as they are.
    """
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableRepositoryError(f"not a metrics repository: {error}") from error
    if not isinstance(raw, list):
        raise UnreadableRepositoryError("not a metrics repository: expected a list of runs")
    return tuple(_run(one, number) for number, one in enumerate(raw))


def text_of(runs: Iterable[StoredRun]) -> str:
    """The text of a repository, which Deequ reads too; NaN and infinities stand bare, as Deequ writes them."""
    return json.dumps([_run_json(one) for one in runs], ensure_ascii=False, indent=2)


def merged(runs: Iterable[StoredRun], run: StoredRun) -> tuple[StoredRun, ...]:
    """The runs with one more: metrics of a run with the same time and tags are added to its, new ones win (Deequ's `saveOrAppendResult`)."""
    key = (run.time, dict(run.tags))
    others = [one for one in runs if (one.time, dict(one.tags)) != key]
    same = [one for one in runs if (one.time, dict(one.tags)) == key]
    metrics = {_identity(metric): metric for one in [*same, run] for metric in one.metrics}
    whole = StoredRun(
        time=run.time, tags=run.tags, metrics=tuple(metrics.values()), origin=run.origin
    )
    return (*others, whole)


def _identity(metric: StoredMetric) -> str:
    said = metric.raw if metric.analyzer is None else analyzer_json(metric.analyzer)
    return json.dumps([said, metric.constraint_id], sort_keys=True, default=str)


def success_rows(runs: Iterable[StoredRun]) -> list[dict[str, Any]]:
    """The values as rows of plain data, newest first: entity, instance, name, value, dataset_date, and a column for each tag.

    As Deequ's `getSuccessMetricsAsDataFrame`: the name of a filtered metric ends in ` (where: ...)`, a
    distribution is a row for each of its numbers. Equal rows, of several constraints on one analyzer, are one.
    """
    rows: dict[str, dict[str, Any]] = {}
    for run in sorted(runs, key=lambda one: one.time, reverse=True):
        for metric in run.metrics:
            for row in _rows(metric):
                whole = row | {"dataset_date": run.time}
                whole |= _tag_columns(run.tags, whole)
                rows.setdefault(json.dumps(whole, sort_keys=True), whole)
    return list(rows.values())


def _rows(metric: StoredMetric) -> list[dict[str, Any]]:
    if metric.value is None:
        return []
    return [
        {
            "entity": metric.entity,
            "instance": metric.instance,
            "name": name + metric.filter,
            "value": value,
        }
        for name, value in flattened(metric.name, metric.value).items()
    ]


def _tag_columns(tags: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
    """Deequ's column names: lower case, letters, digits and `_`; a second of a name ends in `_2`."""
    columns: dict[str, str] = {}
    for tag, value in tags.items():
        name = "".join(one for one in tag.lower() if one.isalnum() or one == "_")
        columns[f"{name}_2" if name in columns or name in taken else name] = value
    return columns


def _run(raw: Any, number: int) -> StoredRun:
    try:
        key = raw["resultKey"]
        context = raw["analyzerContext"]
        return StoredRun(
            time=int(key["dataSetDate"]),
            tags={str(name): str(value) for name, value in key.get("tags", {}).items()},
            metrics=tuple(
                _metric(one) for one in [*context["metricMap"], *context.get("otherMetrics", ())]
            ),
            origin=_origin(raw.get("run")),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UnreadableRepositoryError(
            f"not a metrics repository: run {number} is not as Deequ writes it: {error!r}"
        ) from error


def _origin(raw: Mapping[str, Any] | None) -> Origin | None:
    if raw is None:
        return None
    found = {each.name: raw[_camel(each.name)] for each in fields(Origin)}
    written = found.pop("written")
    return Origin(written=int(written), **{name: str(value) for name, value in found.items()})


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _metric(raw: Mapping[str, Any]) -> StoredMetric:
    metric = raw.get("metric", {})
    own = {ours: raw[name] for name, ours in _OWN.items() if name in raw}
    if own.get("level") not in (None, *get_args(Level)):
        raise ValueError(
            f"level: got {own['level']!r}, expected one of {', '.join(get_args(Level))}"
        )
    entity = str(metric.get("entity", "Column"))
    name = raw["analyzer"]["analyzerName"]
    try:
        analyzer: Analyzer | None = analyzer_from(raw["analyzer"])
        value = value_from(metric) if metric else None
    except UnknownAnalyzerError as error:
        logger.warning("metric history: %s; it is kept as it is", error)
        analyzer, value = None, _plain_value(metric)
    return StoredMetric(
        analyzer=analyzer,
        entity=ENTITIES.get(entity, entity) if metric or analyzer is None else analyzer.entity,
        instance=str(
            metric.get("instance", metric.get("column", analyzer.instance if analyzer else "*"))
        ),
        name=str(metric.get("name", analyzer.name if analyzer else name)),
        value=value,
        raw=None if analyzer else raw,
        **own,
    )


def _plain_value(metric: Mapping[str, Any]) -> Value | None:
    """The number of a metric whose analyzer is unknown; None of one that is no number."""
    value = metric.get("value")
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _run_json(run: StoredRun) -> dict[str, Any]:
    entries = [(one, _metric_json(one)) for one in run.metrics]
    context: dict[str, Any] = {
        "metricMap": [entry for one, entry in entries if _deequ_reads(one)],
    }
    if others := [entry for one, entry in entries if not _deequ_reads(one)]:
        context["otherMetrics"] = others
    whole: dict[str, Any] = {
        "resultKey": {"dataSetDate": run.time, "tags": dict(run.tags)},
        "analyzerContext": context,
    }
    if run.origin:
        whole["run"] = {
            _camel(each.name): getattr(run.origin, each.name) for each in fields(Origin)
        }
    return whole


def _deequ_reads(metric: StoredMetric) -> bool:
    if metric.analyzer is None:
        return "metric" in (metric.raw or {})
    return metric.value is not None and is_deequs(metric.analyzer)


def _metric_json(metric: StoredMetric) -> dict[str, Any]:
    if metric.analyzer is None:
        return dict(metric.raw or {})
    entry: dict[str, Any] = {"analyzer": analyzer_json(metric.analyzer)}
    if metric.value is not None:
        identity = {"entity": metric.entity, "instance": metric.instance, "name": metric.name}
        entry["metric"] = metric_json(identity, metric.value)
    own = {name: getattr(metric, snake) for name, snake in _OWN.items()}
    return entry | {name: value for name, value in own.items() if value not in (None, True)}


def runs_of(texts: Iterable[tuple[str, str]]) -> tuple[StoredRun, ...]:
    """The runs of several files, given as name and text; one that cannot be read is left out with a warning."""
    runs: list[StoredRun] = []
    for name, text in texts:
        try:
            runs.extend(runs_from(text))
        except UnreadableRepositoryError as error:
            logger.warning("metric history: %s: %s; it is left out", name, error)
    return tuple(runs)
