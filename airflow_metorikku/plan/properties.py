"""The job's Spark settings with those from elsewhere, and what one of them says, with its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.document import ListNode, MapNode, Scalar
from airflow_metorikku.config.interpolation import Names
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.report import Report
from airflow_metorikku.config.shapes import fields_of
from airflow_metorikku.config.structure import structure
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from airflow_metorikku.config.fields import Where
    from airflow_metorikku.config.properties import Property


def with_defaults(job: Job, given: Iterable[Property]) -> Job:
    """The job with settings that its own win over, as those of a properties file."""
    own = job.settings.spark_conf
    new = {one.name: one for one in given if one.name not in own}
    return _merged(job, new, {name: one.value for name, one in new.items()} | dict(own))


def with_overrides(job: Job, given: Iterable[Property]) -> Job:
    """The job with settings that win over its own, as those of an operator."""
    new = {one.name: one for one in given}
    values = {name: one.value for name, one in new.items()}
    return _merged(job, new, {**job.settings.spark_conf, **values})


def _merged(job: Job, new: Mapping[str, Property], conf: dict[str, str]) -> Job:
    return replace(
        job,
        settings=replace(job.settings, spark_conf=conf),
        conf_at={**job.conf_at, **{name: one.at for name, one in new.items()}},
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Spark settings that say something to this project, and the problems that are found in them."""

    job: Job
    problems: list[Problem]

    @property
    def conf(self) -> Mapping[str, str]:
        """All of them."""
        return self.job.settings.spark_conf

    def words(self, name: str, separator: str = ",") -> tuple[str, ...]:
        """The parts of a list, trimmed, each once; empty where there is none."""
        parts = self.conf.get(name, "").split(separator)
        return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))

    def require_words(self, name: str, what: str, needed_by: str) -> tuple[str, ...]:
        """The same of a list that must not be empty."""
        found = self.words(name)
        if not found:
            missing = name not in self.conf
            text = f"{'is missing' if missing else 'is empty'}, expected {what}"
            self.add(needed_by if missing else name, text, path=name)
        return found

    def flag(self, name: str, *, default: bool) -> bool | None:
        """A yes or no; None where it is neither, with the problem added."""
        text = self.conf.get(name, str(default)).strip().lower()
        if text not in ("true", "false"):
            self.add(name, f"got {self.conf[name]!r}, expected true or false")
            return None
        return text == "true"

    def below(self, prefix: str) -> dict[str, str]:
        """Settings by what stands behind a prefix."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.conf.items()
            if name.startswith(prefix)
        }

    def at(self, name: str) -> Where | None:
        """Where a setting stands."""
        return self.job.conf_at.get(name)

    def add(self, name: str, text: str, *, path: str | None = None) -> None:
        """A problem at a setting; `path` names another, that is missing."""
        at = self.at(name)
        file = at.file if at else self.job.file
        prefix = "sparkConf." if file == self.job.file else ""
        self.problems.append(
            Problem(file=file, line=at.line if at else 0, path=f"{prefix}{path or name}", text=text)
        )

    def known(self, noun: str, words: Iterable[str], known: Iterable[str], name: str) -> bool:
        """Whether all words are known; a problem at the setting for each that is not."""
        known = list(known)
        odd = [word for word in words if word not in known]
        for word in odd:
            self.add(name, unknown(noun, word, known))
        return not odd

    def record(
        self,
        record: type[Any],
        prefix: str,
        anchor: str,
        *,
        values: Mapping[str, str],
        separators: Mapping[str, Callable[[str], Iterable[str]]] | None = None,
        nodes: Mapping[str, MapNode] | None = None,
    ) -> Any:
        """A record of the settings below a prefix, by the rules of files; None where it cannot be made, with the problems added.

        :param anchor: the setting that asks for it, which is blamed for what is missing.
        :param separators: how lists are cut; at commas, unless said otherwise.
        :param nodes: keys whose values are no texts.
        """
        lists = {field.key for field in fields_of(record) if field.shape.kind == "list"}
        entries: dict[str, tuple[int, Any]] = {
            key: (0, node) for key, node in (nodes or {}).items()
        }
        for name, value in values.items():
            if name in lists:
                cut = (separators or {}).get(name, _at_commas)
                parts = tuple(Scalar(part, 0, quoted=True) for part in cut(value))
                entries[name] = 0, ListNode(parts, 0)
            else:
                entries[name] = 0, Scalar(value.strip(), 0)
        report = Report(file="", names=Names())
        made = structure(record, MapNode(entries, 0), prefix.rstrip("."), report)
        for problem in report.problems:
            named = [name for name in self.conf if _is_part(problem.path, name)]
            self.add(max(named, key=len, default=anchor), problem.text, path=problem.path)
        return None if report.problems else made


def _at_commas(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _is_part(path: str, name: str) -> bool:
    return path == name or path.startswith((f"{name}.", f"{name}["))
