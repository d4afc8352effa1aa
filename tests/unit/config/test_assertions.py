"""What assertions say of numbers, and of dates and times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_metorikku.config.assertion import Assertion, NotComparableError
from airflow_metorikku.config.moments import Moment

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_time_is_the_instant_that_python_says(moment: datetime) -> None:
    micros = (moment - EPOCH) // timedelta(microseconds=1)
    assert Moment.from_text(moment.isoformat()) == Moment(micros)
    assert datetime.fromisoformat(str(Moment(micros))) == moment


@given(st.dates())
def test_a_date_is_its_midnight(day) -> None:
    read = Moment.from_text(day.isoformat())
    assert str(read) == day.isoformat()
    assert read == Moment.from_text(f"{day.isoformat()}T00:00:00Z")
    assert Moment.of_days(day.toordinal() - 719163) == read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024-02-29T12:00:00+02:00", "2024-02-29T10:00:00Z"),
        ("2024-02-29 10:00", "2024-02-29T10:00:00Z"),
        ("2024-02-29T10:00:00.5-0130", "2024-02-29T11:30:00.500Z"),
    ],
)
def test_zones_and_spellings_of_one_instant(one: str, other: str) -> None:
    assert Moment.from_text(one) == Moment.from_text(other)


def test_what_has_no_zone_is_of_its_readers() -> None:
    noon = datetime(2024, 2, 29, 12, tzinfo=UTC)
    assert Moment.from_text("2024-02-29T14:00").in_zone("Africa/Johannesburg") == noon
    assert Moment.from_text("2024-02-29T13:00+01:00").in_zone("Africa/Johannesburg") == noon
    midnight = datetime(2024, 2, 28, 22, tzinfo=UTC)
    assert Moment.from_text("2024-02-29").in_zone("Africa/Johannesburg") == midnight
    with pytest.raises(ValueError, match="expected a year up to 9999"):
        Moment.from_text("+20244-02-29").in_zone("UTC")


def test_years_of_more_than_four_digits_are_years() -> None:
    mistyped = Moment.from_text("+20244-02-29")
    assert str(mistyped) == "+20244-02-29"
    assert mistyped > Moment.from_text("9999-12-31")
    assert mistyped.micros - Moment.from_text("+20244-02-28").micros == 86_400_000_000


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2024-13-01", "2024-01-01T24:00:00", "2024-1-1", "x"]
)
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match=f"got {text!r}"):
        Moment.from_text(text)


@pytest.mark.parametrize(
    ("text", "holding", "failing"),
    [
        (">= 2024-02-01", "2024-02-01", "2024-01-31"),
        ("< 2024-02-01T12:00:00Z", "2024-02-01", "2024-02-01T12:00:00Z"),
        ("between 2024-01-01 and 2024-12-31", "2024-06-30", "2025-01-01"),
        ("== 2024-02-01", "2024-02-01T00:00:00Z", "2024-02-01T00:00:01Z"),
        ("!= 2024-02-01", "2024-02-02", "2024-02-01"),
    ],
)
def test_assertions_on_dates(text: str, holding: str, failing: str) -> None:
    assertion = Assertion.from_text(text)
    assert str(assertion) == text
    assert assertion.holds(holding)
    assert assertion.holds(Moment.from_text(holding))
    assert not assertion.holds(failing)


def test_numbers_and_dates_are_not_compared() -> None:
    with pytest.raises(NotComparableError, match="a number, which >= 2024-02-01 says nothing of"):
        Assertion.from_text(">= 2024-02-01").holds(5)
    with pytest.raises(NotComparableError, match="a date or time, which >= 5 says nothing of"):
        Assertion.from_text(">= 5").holds("2024-02-01")
    with pytest.raises(ValueError, match="not both numbers"):
        Assertion.from_text("between 1 and 2024-02-01")


def test_numbers_stay_exact() -> None:
    assert not Assertion.from_text("<= 9007199254740992").holds(9007199254740993)
    assert Assertion.from_text("== 0.1").holds(0.1)
    assert not Assertion.from_text(">= 0").holds(float("nan"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("== 1.0", True),
        ("== 1.5", False),
        ("!= 1.5", False),
        (">= 1.5", True),
        ("== 1e999999", True),
        ("in [1.5, 2]", True),
        ("not in [1.5, 2.5]", False),
        ("between 1.2 and 2", True),
        ("between -1.8 and -1", True),
        ("between 1.2 and 1.8", False),
        ("strictly between 1 and 3", True),
        ("strictly between 1 and 2", False),
        ("strictly between 0.5 and 1.5", True),
        ("not strictly between 1.5 and 2", False),
    ],
)
def test_an_assertion_that_tells_whole_numbers_apart(text: str, told: bool) -> None:
    asked = Assertion.from_text(text)
    assert asked.tells_whole_numbers_apart() is told
    held = {asked.holds(number) for number in range(-5, 6)}
    if not told:  # what is so of all numbers is so of these
        assert len(held) == 1
