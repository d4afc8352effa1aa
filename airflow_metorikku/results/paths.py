"""Where results lie: `<results>/<dag_id>/<run_id>/<task>/<attempt>/result.json`, each part percent-encoded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

RESULT = "result.json"
METRICS = "metrics"
_TIME = "%Y%m%dT%H%M%S"
LOCAL_DAG = "local"


def encoded(part: str) -> str:
    """A path segment for any file system: `:` and `+` of run ids are not welcome everywhere, and no part is `..`."""
    text = quote(part, safe="")
    return text.replace(".", "%2E") if set(text) <= {"."} else text


def attempt_folder(results: str, dag_id: str, run_id: str, task: str, attempt: str) -> str:
    """Folder of one attempt, below the results' root."""
    parts = (dag_id, run_id, task, attempt)
    return "/".join([results.rstrip("/"), *(encoded(part) for part in parts)])


def result_file(results: str, dag_id: str, run_id: str, task: str, attempt: str) -> str:
    """Path of an attempt's `result.json`."""
    return f"{attempt_folder(results, dag_id, run_id, task, attempt)}/{RESULT}"


def metrics_folder(results: str, job: str) -> str:
    """Folder of a job's metric history, `<results>/metrics/<job>`; below it is one of each data frame."""
    return "/".join([results.rstrip("/"), METRICS, encoded(job)])


def metrics_file(time: int, attempt: str) -> str:
    """Name of one run's file in that folder, `<time>-<attempt>.json`; `time` is in milliseconds since 1970, names sort by it."""
    moment = _EPOCH + timedelta(milliseconds=time)
    return f"{moment.strftime(_TIME)}{time % 1000:03}Z-{encoded(attempt)}.json"


def time_of_metrics(name: str) -> int | None:
    """The time in a file's name, in milliseconds since 1970; None where it is no file of the history."""
    head, _, rest = name.partition("Z-")
    if not rest.endswith(".json"):
        return None
    try:
        moment = datetime.strptime(head[:-3], _TIME).replace(tzinfo=UTC)
        return (moment - _EPOCH) // timedelta(milliseconds=1) + int(head[-3:])
    except ValueError:
        return None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
