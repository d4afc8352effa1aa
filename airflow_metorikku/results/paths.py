"""Where results lie: `<results>/<dag_id>/<run_id>/<task>/<attempt>/result.json`, each part percent-encoded."""

from __future__ import annotations

from urllib.parse import quote

RESULT = "result.json"
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
