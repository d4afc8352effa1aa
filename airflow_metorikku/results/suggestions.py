"""Checks that a data frame's profile suggests, as lines of YAML to paste and as Deequ's JSON (Deequ, `suggestions/`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.plain import to_plain
from airflow_metorikku.config.records.checks import CHECK_NAMES
from airflow_metorikku.config.records.checks.base import Check
from airflow_metorikku.results.yaml_lines import flow, remark

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """One check, and why."""

    column: str
    rule: str
    """Deequ's name of the rule, without its `Rule`."""
    rule_description: str
    current: str
    """What was seen, as `Completeness: 0.875`."""
    why: str
    """A sentence on the data that the check came from."""
    check: Check

    @property
    def yaml(self) -> str:
        """The check as an item of `checks`, in one line."""
        return f"- {flow({CHECK_NAMES[type(self.check)]: to_plain(self.check)})}"


@dataclass(frozen=True, kw_only=True)
class Suggestions:
    """All for one data frame: every check holds on its rows."""

    data_frame: str
    rows: int
    columns: int
    suggestions: tuple[Suggestion, ...]
    left_out: tuple[str, ...] = ()
    """What a rule suggested and the rows do not satisfy, or no file can hold: a sentence each."""

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.suggestions)

    def __len__(self) -> int:
        return len(self.suggestions)

    def to_yaml(self) -> str:
        """Items to be put under `dq: checks:`, each below a comment that says why."""
        head = f"{self.data_frame}: {self.rows} rows, {self.columns} columns; {len(self)} checks, all of which hold on them"
        lines = [remark(head), *(remark(f"left out: {one}") for one in self.left_out)]
        for one in self.suggestions:
            lines += [remark(f"{one.rule}: {one.why}"), one.yaml]
        return "\n".join(lines)

    def to_json(self) -> str:
        """Deequ's JSON, `{"constraint_suggestions": [...]}`; the code of a constraint is ours, a line of YAML."""
        return json.dumps(
            {"constraint_suggestions": [_keys(one) for one in self.suggestions]},
            ensure_ascii=False,
            indent=2,
        )


def _keys(one: Suggestion) -> dict[str, Any]:
    return {
        "constraint_name": f"{CHECK_NAMES[type(one.check)]}({one.check.subject()})",
        "column_name": one.column,
        "current_value": one.current,
        "description": one.why,
        "suggesting_rule": one.rule,
        "rule_description": one.rule_description,
        "code_for_constraint": one.yaml,
    }
