"""The rules that make checks of a profile (Deequ, `suggestions/rules/`): one line a rule in RULES.

What Deequ's rules get wrong is right here: bounds of `hasMin` and `hasMax` are bounds, as tomorrow's data are not
today's; `hasMean` is about the mean; a name is never pasted into SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.plan.suggestions import numbers, values
from airflow_metorikku.plan.suggestions.seen import Found, Seen
from airflow_metorikku.results.suggestions import Suggestion
from airflow_metorikku.results.yaml_lines import why_not_written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.results.profiles import Profile

RuleSet = Literal["DEFAULT", "EXTENDED"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule. `find` gives nothing where it has nothing to suggest."""

    name: str
    description: str
    find: Callable[[Seen], Found | None]
    extended: bool = False
    """Only in the EXTENDED set."""


_CATEGORIES = "a column whose values are few"
RULES: tuple[Rule, ...] = (
    Rule(
        name="CompleteIfComplete",
        description="a column without a null may stay so",
        find=values.complete,
    ),
    Rule(
        name="RetainCompleteness",
        description="a column with nulls may not have many more: the lower end of a 95 % interval of their share",
        find=values.retain_completeness,
    ),
    Rule(
        name="RetainType",
        description="texts that all are of another type may stay so",
        find=values.retain_type,
    ),
    Rule(
        name="CategoricalRange",
        description=f"{_CATEGORIES}, nearly all of them seen several times, may have no others",
        find=values.categories,
    ),
    Rule(
        name="FractionalCategoricalRange",
        description=f"{_CATEGORIES} may have others in about as many rows as now",
        find=values.usual_categories,
    ),
    Rule(
        name="NonNegativeNumbers",
        description="numbers of which none is negative may stay so",
        find=numbers.not_negative,
    ),
    Rule(
        name="UniqueIfApproximatelyUnique",
        description="a complete column with about as many values as rows may be a key",
        find=values.unique,
        extended=True,
    ),
    Rule(
        name="HasMin",
        description="no number may be smaller than the smallest now",
        find=numbers.minimum,
        extended=True,
    ),
    Rule(
        name="HasMax",
        description="no number may be larger than the largest now",
        find=numbers.maximum,
        extended=True,
    ),
    Rule(
        name="HasMean",
        description="the mean may move by half a standard deviation",
        find=numbers.mean,
        extended=True,
    ),
    Rule(
        name="HasStandardDeviation",
        description="the standard deviation may become half or twice as large",
        find=numbers.standard_deviation,
        extended=True,
    ),
    Rule(
        name="HasMinLength",
        description="no text may be shorter than the shortest now",
        find=values.shortest,
        extended=True,
    ),
    Rule(
        name="HasMaxLength",
        description="no text may be longer than the longest now",
        find=values.longest,
        extended=True,
    ),
)


def suggested(profile: Profile, rules: RuleSet = "DEFAULT") -> tuple[list[Suggestion], list[str]]:
    """What the rules of a set make of a profile, column by column; and what no file could hold, a sentence each."""
    found: list[Suggestion] = []
    left_out: list[str] = []
    for column in profile.columns:
        for suggestion in _of_column(Seen(column=column, rows=profile.rows), rules):
            if why := _unwritable(suggestion.check):
                left_out.append(f"{suggestion.rule} of column {column.column!r}: {why}")
            else:
                found.append(suggestion)
    return found, left_out


def _of_column(seen: Seen, rules: RuleSet) -> Iterator[Suggestion]:
    for rule in RULES:
        if rule.extended and rules == "DEFAULT":
            continue
        if found := rule.find(seen):
            name = seen.column.column
            check: Check = CHECKS[found.check](column=name, **found.keys)
            yield Suggestion(
                column=name,
                rule=rule.name,
                rule_description=rule.description,
                current=found.current,
                why=found.why,
                check=check,
            )


def _unwritable(check: Check) -> str | None:
    texts = [getattr(check, "column", ""), *getattr(check, "allowed_values", ())]
    return next((why for text in texts if (why := why_not_written(text))), None)
