"""Dates and timestamps as values of checks: compared as instants, written in ISO 8601.

A date is its midnight; a time without a zone is UTC, in a bound as in a value, unless its reader has a zone to
take it in. Years may have more digits than Python's dates take, as mistyped ones do. All moments in YAML and in our
files are read here but three: `recentTimestampCheck`'s, which are Java's (`recent.moment`), those of `_INFO` files
(`info.time_of`, Atum's order of day and month), and cells of the tester, which are typed (`tester.values`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import total_ordering
from zoneinfo import ZoneInfo

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_TEXT = (
    r"[-+]?\d{4,6}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[-+]\d{2}:?\d{2})?)?"
)
_PARTS = re.compile(
    r"([-+]?\d+)-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[-+]\d{2}:?\d{2})?)?"
)
# The calendar repeats itself after these.
_YEARS, _DAYS = 400, 146_097
_EPOCH = date(1970, 1, 1).toordinal()


@total_ordering
@dataclass(frozen=True, eq=False)
class Moment:
    """A date or an instant. Two are equal where they are the same instant, however written."""

    micros: int
    """Microseconds since 1970-01-01 in UTC."""
    is_date: bool = False
    zone: str = "Z"
    """What its text ends in: `Z`, or nothing for a timestamp without a zone."""

    TEXT = _TEXT
    """Regular expression of its texts."""

    @classmethod
    def from_text(cls, text: str) -> Moment:
        """Read `2024-01-31`, `2024-01-31T12:00:00Z` or the like; raises ValueError with what was expected."""
        match = _PARTS.fullmatch(text.strip())
        if not match:
            raise ValueError(
                f"got {text!r}, expected a date or time as 2024-01-31 or 2024-01-31T12:00:00Z"
            )
        year, month, day, hour, minute, second, fraction, zone = match.groups()
        micros = _days(text, int(year), int(month), int(day)) * _DAY
        if hour is None:
            return cls(micros, is_date=True)
        seconds = _seconds(text, int(hour), int(minute), int(second or 0)) - _offset(zone)
        return cls(
            micros + seconds * _SECOND + int((fraction or "").ljust(6, "0")),
            zone="Z" if zone else "",
        )

    @classmethod
    def of_days(cls, days: int) -> Moment:
        """The date so many days after 1970-01-01."""
        return cls(days * _DAY, is_date=True)

    def in_zone(self, zone: str) -> datetime:
        """The instant as Python has it; a date, or a time without a zone, is of this one. Raises ValueError beyond Python's years."""
        try:
            plain = datetime(1970, 1, 1) + timedelta(microseconds=self.micros)  # noqa: DTZ001 - it gets one below
        except OverflowError:
            raise ValueError(f"got {self}, expected a year up to 9999") from None
        told = self.zone == "Z" and not self.is_date
        return plain.replace(tzinfo=UTC if told else ZoneInfo(zone))

    @property
    def epoch_seconds(self) -> float:
        """Seconds since 1970-01-01 in UTC, for whom only numbers will do."""
        return self.micros / _SECOND

    def __eq__(self, other: object) -> bool:
        return self.micros == other.micros if isinstance(other, Moment) else NotImplemented

    def __lt__(self, other: Moment) -> bool:
        return self.micros < other.micros

    def __hash__(self) -> int:
        return hash(self.micros)

    def __str__(self) -> str:
        days, micros = divmod(self.micros, _DAY)
        cycle, rest = divmod(days + _EPOCH - 1, _DAYS)
        day = date.fromordinal(rest + 1)
        year = day.year + cycle * _YEARS
        sign = "-" if year < 0 else "+" if year > 9999 else ""  # noqa: PLR2004 - ISO's four digits
        text = f"{sign}{abs(year):04}-{day.month:02}-{day.day:02}"
        if self.is_date:
            return text
        seconds, fraction = divmod(micros, _SECOND)
        minutes, second = divmod(seconds, 60)
        clock = f"{minutes // 60:02}:{minutes % 60:02}:{second:02}"
        part = f".{fraction:06}".rstrip("0") if fraction else ""
        return f"{text}T{clock}{part}{self.zone}"


def _days(text: str, year: int, month: int, day: int) -> int:
    """Days since 1970-01-01, in the calendar of today for all years."""
    cycle, rest = divmod(year - 1, _YEARS)
    try:
        return date(rest + 1, month, day).toordinal() + cycle * _DAYS - _EPOCH
    except ValueError as error:
        raise ValueError(f"got {text!r}, which is no date: {error}") from None


def _seconds(text: str, hour: int, minute: int, second: int) -> int:
    if hour > 23 or minute > 59 or second > 59:  # noqa: PLR2004 - as clocks have it
        raise ValueError(f"got {text!r}, which is no time of a day")
    return (hour * 60 + minute) * 60 + second


def _offset(zone: str | None) -> int:
    if zone in (None, "Z"):
        return 0
    sign = -1 if zone[0] == "-" else 1
    return sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60
