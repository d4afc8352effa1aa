"""Totals in Atum's and Java's texts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.spark.control.texts import double_text, total_text


# From Atum's own answers ("FORMAT", "EXTREME") and the documentation of Java's Double.toString.
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (600.0, "600.0"),
        (1e10, "1.0E10"),
        (2e300, "2.0E300"),
        (-0.30000000447034836, "-0.30000000447034836"),
        (0.30000000000000004, "0.30000000000000004"),
        (3.999999997674999e10, "3.999999997674999E10"),
        (4.7336832e9, "4.7336832E9"),
        (1e7, "1.0E7"),
        (9999999.0, "9999999.0"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (1.5e-5, "1.5E-5"),
        (-123456789.0, "-1.23456789E8"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (4.9e-324, "4.9E-324"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_as_java_writes_them(value: float, text: str) -> None:
    assert double_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("600.000", "600"),
        ("2001.500000", "2001.5"),
        ("6E+2", "600"),
        ("-0.00", "0"),
        ("0E-18", "0"),
        ("1E-18", "0.000000000000000001"),
    ],
)
def test_decimals_plain_without_trailing_zeros(value: str, text: str) -> None:
    assert total_text(Decimal(value)) == text
