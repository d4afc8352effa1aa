"""Dates in Joda-Time's patterns, and the days of `file_date_range` (Metorikku: `FileDateRange`)."""

from __future__ import annotations

import re
from datetime import MAXYEAR, MINYEAR, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
_NUMBERS = "yYMdDHmsS"
_WIDTHS = {"M": 2, "d": 2, "D": 3, "H": 2, "m": 2, "s": 2, "S": 9}
_TEXT_FROM = 3  # letters: MMM is a name, MM a number
MOST_DAYS = 36_600
_EXAMPLE = datetime(2017, 1, 31)  # noqa: DTZ001 - days of a calendar, in no zone
_DIRECTIVE = re.compile(r"%(1\$s|s|%)|%.?")


class DateRange(Protocol):
    """What `days` needs of a range."""

    @property
    def format(self) -> str: ...  # noqa: D102
    @property
    def start_date(self) -> str: ...  # noqa: D102
    @property
    def end_date(self) -> str: ...  # noqa: D102


class _Part(NamedTuple):
    """A run of one pattern letter, or literal text (letter empty)."""

    letter: str
    text: str

    @property
    def is_number(self) -> bool:
        return (
            bool(self.letter)
            and self.letter in _NUMBERS
            and not (self.letter == "M" and len(self.text) >= _TEXT_FROM)
        )


def days(date_range: DateRange) -> list[str]:
    """Each day rendered, both ends included, each text once (a pattern of months repeats itself); raises ValueError as `key: text`."""
    pattern = date_range.format
    start = _date("startDate", date_range.start_date, pattern)
    end = _date("endDate", date_range.end_date, pattern)
    if end < start:
        raise ValueError(
            f"endDate: {date_range.end_date!r} is before startDate {date_range.start_date!r}"
        )
    count = (end - start).days + 1
    if count > MOST_DAYS:
        raise ValueError(f"endDate: {count} days, expected at most {MOST_DAYS}")
    return list(dict.fromkeys(render(start + timedelta(days=day), pattern) for day in range(count)))


def check_template(template: str) -> None:
    """Raise ValueError unless the template has a `%s` for the day, and nothing else after a `%`."""
    found = [match[0] for match in _DIRECTIVE.finditer(template)]
    if odd := [text for text in found if text not in ("%s", "%1$s", "%%")]:
        raise ValueError(
            f"template: got {odd[0]!r}, expected %s or %1$s for the day, and %% for a percent sign"
        )
    if not any(text.endswith("s") for text in found):
        raise ValueError(f"template: got {template!r}, expected %s where the day goes")
    if found.count("%s") > 1:
        raise ValueError("template: %s stands twice; repeat the day as %1$s")


def fill(template: str, day: str) -> str:
    """The template with the day in its place."""
    return _DIRECTIVE.sub(lambda match: "%" if match[1] == "%" else day, template)


def _date(key: str, text: str, pattern: str) -> datetime:
    parts = _parts(pattern)
    found = re.fullmatch(_expression(parts), text, re.IGNORECASE)
    if not found:
        example = render(_EXAMPLE, pattern)
        raise ValueError(f"{key}: got {text!r}, expected a date as {pattern!r}, like {example!r}")
    values: dict[str, str] = {}
    groups = iter(found.groups())
    for part in parts:
        if part.letter:
            values[part.letter.replace("Y", "y")] = f"{part.text}={next(groups)}"
    try:
        return _moment({letter: value.split("=", 1) for letter, value in values.items()})
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{key}: got {text!r}, which is no date: {error}") from error


def _moment(values: dict[str, list[str]]) -> datetime:
    """A point in time from texts by letter; what is missing is as in Joda-Time, 2000-01-01T00:00."""
    number = {letter: int(text) for letter, (_, text) in values.items() if text.isdigit()}
    year = number.get("y", 2000)
    if "y" in values and len(values["y"][0]) == 2 == len(values["y"][1]):  # noqa: PLR2004 - yy
        pivot = datetime.now().year - 30  # noqa: DTZ005 - Joda-Time's rule, only the year counts
        year = pivot - 50 + (year - (pivot - 50)) % 100
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    month = number.get("M") or _month(values)
    clock = (number.get("H", 0), number.get("m", 0), number.get("s", 0))
    if "D" in number:
        found = datetime(year, 1, 1, *clock) + timedelta(days=number["D"] - 1)  # noqa: DTZ001
        if found.year != year:
            raise ValueError(f"day {number['D']} is not in {year}")
        return found
    return datetime(year, month, number.get("d", 1), *clock)  # noqa: DTZ001


def _month(values: dict[str, list[str]]) -> int:
    if "M" not in values:
        return 1
    text = values["M"][1]
    if text.isdigit():
        return int(text)
    return next(i for i, name in enumerate(_MONTHS, 1) if name[:3].lower() == text[:3].lower())


def render(moment: datetime, pattern: str) -> str:
    """A date as text; raises ValueError for a letter that has no place here, such as a time zone."""
    return "".join(_rendered(moment, part) for part in _parts(pattern))


def _rendered(moment: datetime, part: _Part) -> str:
    width = len(part.text)
    match part.letter:
        case "":
            return part.text
        case "y" | "Y":
            return f"{moment.year % 100:02d}" if width == 2 else f"{moment.year:0{width}d}"  # noqa: PLR2004 - yy
        case "M" if width >= _TEXT_FROM:
            return (
                _MONTHS[moment.month - 1] if width > _TEXT_FROM else _MONTHS[moment.month - 1][:3]
            )
        case "E":
            name = _WEEKDAYS[moment.weekday()]
            return name if width > _TEXT_FROM else name[:3]
        case "S":
            return "0" * width
        case letter:
            number = {
                "M": moment.month, "d": moment.day, "D": moment.timetuple().tm_yday,
                "H": moment.hour, "m": moment.minute, "s": moment.second,
            }[letter]  # fmt: skip
            return f"{number:0{width}d}"


def _parts(pattern: str) -> list[_Part]:
    return list(_each_part(pattern))


def _each_part(pattern: str) -> Iterator[_Part]:
    position = 0
    while position < len(pattern):
        found = _TOKEN.match(pattern, position)
        if not found:
            raise ValueError(f"format: {pattern!r} has a quote that is not closed")
        letter = found[2] or ""
        if letter and letter not in _NUMBERS + "E":
            raise ValueError(
                f"format: letter {letter!r} in {pattern!r}, expected y M d D E H m s S, and other text in single quotes"
            )
        quoted = found[1]
        text = found[0] if quoted is None else quoted.replace("''", "'") or "'"
        yield _Part(letter, text)
        position = found.end()
    if not pattern:
        raise ValueError("format: got an empty text, expected a pattern as yyyy-MM-dd")


def _expression(parts: list[_Part]) -> str:
    """A regular expression with a group for each letter; a number beside a number has its pattern's width, as in Joda-Time."""
    return "".join(
        _matching(part, following)
        for part, following in zip(parts, [*parts[1:], _Part("", "")], strict=True)
    )


def _matching(part: _Part, following: _Part) -> str:
    if not part.letter:
        return re.escape(part.text)
    if part.letter == "E":
        return f"({'|'.join(f'{name}|{name[:3]}' for name in _WEEKDAYS)})"
    if not part.is_number:
        return f"({'|'.join(f'{name}|{name[:3]}' for name in _MONTHS)})"
    width = len(part.text)
    if following.is_number:
        return rf"(\d{{{width}}})"
    most = max(width, _WIDTHS.get(part.letter, 9))
    return rf"(\d{{1,{most}}})"
