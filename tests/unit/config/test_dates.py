"""Joda-Time patterns and the days of a range."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from airflow_metorikku.config.dates import check_template, days, fill, render


def span(pattern, start, end):
    return SimpleNamespace(format=pattern, start_date=start, end_date=end)


RANGES = {
    ("yyyy-MM-dd", "2017-01-30", "2017-02-01"): ["2017-01-30", "2017-01-31", "2017-02-01"],
    ("yyyy-MM-dd", "2020-02-28", "2020-03-01"): ["2020-02-28", "2020-02-29", "2020-03-01"],
    ("yyyy-MM-dd", "2020-01-01", "2020-01-01"): ["2020-01-01"],
    ("yyyyMMdd", "20171231", "20180101"): ["20171231", "20180101"],
    ("yyyy/M/d", "2017/9/30", "2017/10/1"): ["2017/9/30", "2017/10/1"],
    ("yyyy-MM-dd", "2017-1-5", "2017-1-6"): ["2017-01-05", "2017-01-06"],
    ("dd MMM yyyy", "31 Jan 2017", "01 Feb 2017"): ["31 Jan 2017", "01 Feb 2017"],
    ("MMMM d, yyyy", "march 31, 2017", "April 1, 2017"): ["March 31, 2017", "April 1, 2017"],
    ("EEE dd.MM.yy", "Thu 05.01.17", "Fri 06.01.17"): ["Thu 05.01.17", "Fri 06.01.17"],
    ("'year='yyyy'/day='DDD", "year=2017/day=031", "year=2017/day=032"): ["year=2017/day=031", "year=2017/day=032"],
    ("yyyy-MM-dd'T'HH", "2017-01-01T12", "2017-01-03T11"): ["2017-01-01T12", "2017-01-02T12"],
    ("yyyy-MM", "2017-01", "2017-03"): ["2017-01", "2017-02", "2017-03"],
    ("YYYY.MM.dd", "2017.01.01", "2017.01.02"): ["2017.01.01", "2017.01.02"],
    ("yyyy''MMdd", "2017'0101", "2017'0102"): ["2017'0101", "2017'0102"],
}  # fmt: skip


@pytest.mark.parametrize("given", RANGES)
def test_days(given):
    assert days(span(*given)) == RANGES[given]


BAD = {
    ("yyyy-MM-dd", "2020-01-03", "2020-01-01"): "endDate: '2020-01-01' is before startDate '2020-01-03'",
    ("yyyy-MM-dd", "2020/01/02", "2020-01-04"): "startDate: got '2020/01/02', expected a date as 'yyyy-MM-dd', like '2017-01-31'",
    ("yyyy-MM-dd", "2020-02-30", "2020-03-04"): "startDate: got '2020-02-30', which is no date",
    ("yyyy-MM-dd", "2020-01-02", "2020-13-04"): "endDate: got '2020-13-04', which is no date",
    ("yyyy-MM-dd", "2020-00-02", "2020-01-04"): "startDate: got '2020-00-02', which is no date",
    ("yyyy-DDD", "2019-366", "2020-001"): "startDate: got '2019-366', which is no date: day 366 is not in 2019",
    ("yyyy-MM-dd Z", "2020-01-02 +0", "2020-01-04 +0"): "format: letter 'Z' in 'yyyy-MM-dd Z'",
    ("yyyy-MM-dd'", "2020-01-02", "2020-01-04"): "format: \"yyyy-MM-dd'\" has a quote that is not closed",
    ("", "2020-01-02", "2020-01-04"): "format: got an empty text",
    ("yyyy-MM-dd", "0001-01-01", "9999-01-01"): "endDate: 3651695 days, expected at most",
}  # fmt: skip


@pytest.mark.parametrize("given", BAD)
def test_bad_ranges(given):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
        days(span(*given))
    assert str(caught.value).startswith(BAD[given])


def test_render():
    assert (
        render(datetime(2017, 3, 5, 14, 7, 9, tzinfo=UTC), "EEEE d MMM yy HH:mm:ss.SSS")
        == "Sunday 5 Mar 17 14:07:09.000"
    )


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("data/%s/x.csv", "data/2017-01-01/x.csv"),
        ("%1$s/%1$s.csv", "2017-01-01/2017-01-01.csv"),
        ("100%%/%s", "100%/2017-01-01"),
    ],
)
def test_templates(template, path):
    check_template(template)
    assert fill(template, "2017-01-01") == path


@pytest.mark.parametrize("template", ["data/x.csv", "data/%d/x", "data/%2$s", "%s/50%", "%s/%s"])
def test_bad_templates(template):
    with pytest.raises(ValueError, match=r"^template: "):
        check_template(template)
