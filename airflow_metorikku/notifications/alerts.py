"""What an alert says (Waimak's words: level, label, constraint, message), and what a task has to announce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.results.findings import LONGEST, MOST_NAMED, Finding, listed
from airflow_metorikku.results.paths import RESULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What a chat shows whole.
LONGEST_TEXT = 3500
LONGEST_PLACE = 1500
CUT = "… more in the result"


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """What one task found in one attempt. Tasks keep it as `announcement` for their callbacks."""

    job: str
    findings: tuple[Finding, ...]
    metric: str | None = None
    folder: str | None = None
    """Folder of the attempt in the store, None when there is no attempt."""
    file: str | None = None
    """The file that was judged, where it is none of a run of ours."""


@dataclass(frozen=True, kw_only=True)
class Alert:
    """One message: the findings of one level on one label (a data frame, or what broke)."""

    level: str
    label: str
    findings: tuple[Finding, ...]
    place: str

    @property
    def title(self) -> str:
        """`Critical alert for label movies`."""
        return f"{self.level.replace('_', ' ').capitalize()} alert for label {self.label}"

    @property
    def text(self) -> str:
        """The whole message, at most LONGEST_TEXT characters: where it was is always told, what failed as far as there is room."""
        head, end = f"{self.title}\n\n", f"\n\n{self.place}"[:LONGEST_PLACE]
        body = "\n".join([listed(self.findings), *self._samples()])
        room = LONGEST_TEXT - len(head) - len(end)
        if len(body) > room:
            body = f"{body[: room - len(CUT)].rpartition(chr(10))[0]}\n{CUT}"
        return f"{head}{body}{end}"

    def _samples(self) -> Iterator[str]:
        for finding in self.findings[:MOST_NAMED]:
            if finding.sample:
                yield f"rows that fail {finding.id}:"
                yield from (f"  {row}" for row in finding.sample)


def announcement_of(context: Mapping[str, Any]) -> Announcement | None:
    """What the task of a callback announces; None when all is good.

    A task that failed in any other way, as by a kill, is announced as critical.
    """
    task = context.get("task")
    own: Announcement | None = getattr(task, "announcement", None)
    error = context.get("exception") or context.get("reason")
    if own is not None or error is None:
        return own
    ti = context["ti"]
    job = str(getattr(task, "job_name", None) or ti.dag_id)
    text = " ".join(f"{error}".split())[:LONGEST]
    finding = Finding(
        id="task", label=job, subject=f"task {ti.task_id}", level="critical", message=text
    )
    return Announcement(job=job, findings=(finding,))


def alerts_of(announcement: Announcement, context: Mapping[str, Any]) -> Iterator[Alert]:
    """An alert for each level and label, in the order of the findings."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in announcement.findings:
        groups.setdefault((finding.level, finding.label), []).append(finding)
    place = _place(announcement, context)
    for (level, label), findings in groups.items():
        yield Alert(level=level, label=label, findings=tuple(findings), place=place)


def _place(announcement: Announcement, context: Mapping[str, Any]) -> str:
    ti = context["ti"]
    metric = f", metric {announcement.metric}" if announcement.metric else ""
    subject = (
        f"file {announcement.file}" if announcement.file else f"job {announcement.job}{metric}"
    )
    where = f"{subject}\nDAG {ti.dag_id}, run {ti.run_id}, task {ti.task_id}"
    log = getattr(ti, "log_url", None)
    told = f"{announcement.folder}/{RESULT}" if announcement.folder else None
    links = [f"result {told}"] if told else []
    return "\n".join([where, *links, *([f"log {log}"] if log else [])])
