"""Flags where tools disagree on what counts, each with Deequ's way as its default; checks and analyzers share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import key

Nulls = Literal["fail", "pass", "ignore"]


NULLS = "What a row counts as that a null leaves undecided: `fail`, `pass`, or `ignore`, which leaves it out of the share."


@dataclass(frozen=True, kw_only=True)
class NanFlag:
    """What NaN is among the numbers of a column."""

    nan: Literal["keep", "ignore"] = key(
        "`ignore` takes NaN for null; by default it is a number, the largest of all, and a sum or mean with it is NaN.",
        default="keep",
    )


@dataclass(frozen=True, kw_only=True)
class EmptyFlag:
    """What a text without a character is."""

    empty_as_null: bool = key("Whether an empty text counts as null.", default=False)


@dataclass(frozen=True, kw_only=True)
class MissingFlags(EmptyFlag):
    """What counts as missing beside null."""

    nan: Literal["keep", "ignore"] = key("`ignore` takes NaN for null.", default="keep")


@dataclass(frozen=True, kw_only=True)
class SignFlags:
    """What counts as a number with a sign."""

    nulls: Nulls = key(NULLS, default="pass")
    nan: Nulls = key("What NaN counts as: `pass` as in Deequ, `fail` or `ignore`.", default="pass")
    not_numbers: Nulls = key(
        "What a text that is no number counts as; Deequ lets it pass.", default="fail"
    )


@dataclass(frozen=True, kw_only=True)
class LengthFlags(EmptyFlag):
    """What the length of null is."""

    null_behavior: Literal["Ignore", "EmptyString", "Fail"] = key(
        "What a null is: left out (`Ignore`), of length 0 (`EmptyString`), or out of any bounds (`Fail`).",
        default="Ignore",
        any_case=True,
    )
