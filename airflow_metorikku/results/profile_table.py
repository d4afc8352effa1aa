"""A profile as aligned plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.results.profiles import Number, Numbers, as_json
from airflow_metorikku.results.table import cell_text, section

if TYPE_CHECKING:
    from airflow_metorikku.results.profiles import ColumnProfile, Profile

_MOST_SHOWN = 3
_DIGITS = 6
_EMPTY_TEXT = "''"
_ROUNDED_FROM = 1e15
_HEAD = (
    "column",
    "type",
    "complete",
    "distinct",
    "min",
    "max",
    "mean",
    "std dev",
    "length",
    "most frequent",
)


def render_profile(profile: Profile, width: int = 120) -> str:
    """One line a column, buckets where there are any, no wider than `width`, and remarks below."""
    count = len(profile.columns)
    columns = "1 column" if count == 1 else f"{count} columns"
    rows = "1 row" if profile.rows == 1 else f"{profile.rows:,} rows"
    remarks = [(one.column, remark) for one in profile.columns for remark in one.remarks]
    sections = [
        section(
            f"{profile.data_frame}: {rows}, {columns}",
            _HEAD,
            [_row(one) for one in profile.columns],
            width,
        ),
        section("buckets", ("column", "from", "to", "rows"), _buckets(profile), width),
        section("remarks", ("column", "what"), remarks, width),
    ]
    return "\n\n".join(text for text in sections if text)


def _buckets(profile: Profile) -> list[tuple[str, ...]]:
    """The buckets that hold any rows, of columns that were sketched."""
    sketched = [(one.column, one.numbers and one.numbers.kll) for one in profile.columns]
    return [
        (column, _text(bucket.low), _text(bucket.high), cell_text(bucket.count))
        for column, kll in sketched
        if kll
        for bucket in kll.buckets
        if bucket.count
    ]


def _row(one: ColumnProfile) -> tuple[str, ...]:
    numbers = one.numbers or Numbers()
    about = "~" if one.histogram is None and one.approximate_distinct is not None else ""
    return (
        one.column,
        f"{one.type}: {one.data_type}" if one.inferred and one.data_type != "String" else one.type,
        "-" if one.completeness is None else _share(one.completeness),
        f"{about}{cell_text(one.distinct)}",
        one.earliest or _text(numbers.minimum),
        one.latest or _text(numbers.maximum),
        _text(numbers.mean),
        _text(numbers.std_dev),
        "-" if one.max_length is None else f"{one.min_length}..{one.max_length}",
        _frequent(one),
    )


def _share(share: float) -> str:
    """100 % only where it is all, 0 % only where it is nothing."""
    percent = share * 100
    if share in (0, 1) or 0.1 <= percent <= 99.9:  # noqa: PLR2004 - what one decimal can tell from 0 and 100
        return f"{percent:.1f}%".replace(".0%", "%")
    return "<0.1%" if share < 0.5 else ">99.9%"  # noqa: PLR2004 - which end


def _text(number: Number | None) -> str:
    """Whole numbers exactly, others in six digits: the JSON has all of them."""
    value = as_json(number)
    if value is None or isinstance(value, str):
        return value or "-"
    if isinstance(value, int) or (value.is_integer() and abs(value) < _ROUNDED_FROM):
        return cell_text(value)
    return f"{value:.{_DIGITS}g}"


def _frequent(one: ColumnProfile) -> str:
    shown = [
        f"{each.value or _EMPTY_TEXT} {_share(each.ratio)}" for each in one.values[:_MOST_SHOWN]
    ]
    return ", ".join(shown) + (", …" if len(one.values) > _MOST_SHOWN else "") if shown else "-"
