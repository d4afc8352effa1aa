"""`_INFO` files: read in every spelling, written as Atum writes them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from airflow_metorikku.results.info import (
    UnreadableInfoError,
    control_type,
    date_text,
    read_info,
    time_text,
)

# Written by Atum 3.10 itself (its answers, "full _INFO with all types"), shortened to two controls.
BY_ATUM = (
    '{"metadata":{"sourceApplication":"App","country":"ZA","historyType":"Snapshot","dataFilename":"f","sourceType":"Source",'
    '"version":3,"informationDate":"05-06-2020","additionalInfo":{"k1":"repl","k2":"v2"}},"runUniqueId":"run-1","checkpoints":'
    '[{"name":"Source","processStartTime":"01-01-2020 08:00:00","processEndTime":"01-01-2020 08:00:01","workflowName":"Source",'
    '"order":1,"controls":[{"controlName":"recordCount","controlType":"count","controlCol":"*","controlValue":"7"},'
    '{"controlName":"c8","controlType":"someControlType","controlCol":"name","controlValue":"7"}]},'
    '{"name":"cp1","software":"atum_2.12","version":"3.10.1-SNAPSHOT","processStartTime":"29-11-2026 23:04:34 +0000",'
    '"processEndTime":"29-11-2026 23:04:37 +0000","workflowName":"wf","order":2,"controls":[{"controlName":"recordCount",'
    '"controlType":"count","controlCol":"*","controlValue":"10"}]}]}'
)


def test_atums_own_file_is_written_as_it_was() -> None:
    assert read_info(BY_ATUM, "x/_INFO").to_json() == BY_ATUM


def test_controls_later_are_those_of_the_highest_order() -> None:
    info = read_info(BY_ATUM, "x/_INFO")
    assert info.last is not None
    assert info.last.name == "cp1"


def test_of_equal_orders_the_later_checkpoint_is_last() -> None:
    text = json.dumps(
        {
            "metadata": {},
            "checkpoints": [{"name": name, "order": 4, "controls": []} for name in "ab"],
        }
    )
    last = read_info(text, "i").last
    assert last is not None
    assert last.name == "b"


@pytest.mark.parametrize(
    "spelling",
    ["hashCrc32", "HASHCRC32", "controlType.HashCrc32", "Type.hashcrc32", "a.b.hashCRC32"],
)
def test_control_types_in_any_case_and_with_any_prefix(spelling: str) -> None:
    assert control_type(spelling) == "hashCrc32"


def test_an_unknown_control_type_stays_as_it_is() -> None:
    assert control_type("My.someControlType") == "My.someControlType"


def test_numbers_keep_every_digit() -> None:
    text = (
        '{"metadata":{"version":"3"},"checkpoints":[{"name":"s","order":"2","controls":['
        '{"controlName":"a","controlType":"Count","controlCol":"*","controlValue":12345678901234567890123456789.50},'
        '{"controlName":"b","controlType":"type.aggregatedTotal","controlCol":"x","controlValue":NaN}]}]}'
    )
    info = read_info(text, "i")
    assert [control.value for control in info.checkpoints[0].controls] == [
        "12345678901234567890123456789.50",
        "NaN",
    ]
    assert (info.metadata.version, info.checkpoints[0].order) == (3, 2)
    assert info.metadata.additional_info == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{bad", "x/_INFO: not JSON"),
        ("[]", "x/_INFO: got [], expected an object"),
        ("{}", "x/_INFO: has no metadata"),
        ('{"metadata":{}}', "x/_INFO: checkpoints: got nothing, expected a list"),
        (
            '{"metadata":{"version":"one"},"checkpoints":[]}',
            'metadata.version: got "one", expected a whole number',
        ),
        (
            '{"metadata":{},"checkpoints":[{"controls":[]}]}',
            "checkpoints[0].name: got nothing, expected a text or a number",
        ),
        (
            '{"metadata":{},"checkpoints":[{"name":"a","controls":[{"controlName":"c","controlType":"count","controlCol":"*"}]}]}',
            "checkpoints[0].controls[0].controlValue: got nothing",
        ),
        ('{"metadata":{},"checkpoints":' + "[" * 100_000, "x/_INFO: not JSON"),
    ],
)
def test_what_is_no_info_file_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(UnreadableInfoError) as caught:
        read_info(text, "x/_INFO")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("x/_INFO: ")


def test_times_are_utc_with_an_offset() -> None:
    time = datetime(2017, 10, 5, 9, 43, 50, tzinfo=timezone(timedelta(hours=2)))
    assert time_text(time) == "05-10-2017 07:43:50 +0000"
    assert time_text(time.astimezone(UTC)) == "05-10-2017 07:43:50 +0000"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2024-02-29", "29-02-2024"),
        ("29-02-2024", "29-02-2024"),
        (None, "01-03-2024"),
        ("2024/02/29", "2024/02/29"),
    ],
)
def test_dates(given: str | None, written: str) -> None:
    assert date_text(given, date(2024, 3, 1)) == written
