"""Numbers for people, by hand."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from airflow_metorikku.config.number_texts import decimal_text, grouped_text, short_text


@pytest.mark.parametrize(
    ("number", "text"),
    [("600", "600"), ("6E+2", "600"), ("2001.50", "2001.5"), ("-0.0", "0"), ("1E-7", "0.0000001")],
)
def test_a_decimal_is_its_digits(number: str, text: str) -> None:
    assert decimal_text(Decimal(number)) == text


@pytest.mark.parametrize(
    ("number", "short", "grouped"),
    [
        (3.0, "3", "3"),
        (1234567.8, "1234567.8", "1234567.8"),
        (-1234567.0, "-1234567", "-1,234,567"),
        (1e15, "1000000000000000.0", "1000000000000000.0"),
        (math.inf, "inf", "inf"),
    ],
)
def test_a_double_is_as_short_as_it_is_exact(number: float, short: str, grouped: str) -> None:
    assert (short_text(number), grouped_text(number)) == (short, grouped)


def test_a_whole_number_of_any_size_is_grouped() -> None:
    assert grouped_text(10**18) == "1,000,000,000,000,000,000"
