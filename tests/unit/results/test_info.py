"""`_INFO` files: read in every spelling, written as Atum writes them."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from airflow_metorikku.results.info import (
    Control,
    Info,
    InfoCheckpoint,
    InfoMetadata,
    UnreadableInfoError,
    control_type,
    date_text,
    read_info,
    time_of,
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


def names(info: Info) -> list[tuple[str, int]]:
    return [(one.name, one.order) for one in info.checkpoints]


def test_a_preceding_checkpoint_moves_the_others() -> None:
    info = read_info(BY_ATUM, "i")
    first, second = info.checkpoints
    before = InfoCheckpoint(name="p", started="", ended="", workflow_name="", order=1, controls=())
    assert names(info.with_preceding(before)) == [("p", 1), ("Source", 2), ("cp1", 3)]
    empty = Info(metadata=info.metadata, checkpoints=())
    assert empty.with_preceding(before).checkpoints == (before,)
    assert empty.last is None
    assert names(empty.with_checkpoint(second)) == [("cp1", 1)]
    assert first.row_count == 7
    assert second.row_count == 10


@pytest.mark.parametrize(
    ("replace_existing", "expected"),
    [(False, {"k1": "repl", "k2": "v2", "k3": "3"}), (True, {"k1": "1", "k2": "v2", "k3": "3"})],
)
def test_additional_info(*, replace_existing: bool, expected: dict[str, str]) -> None:
    info = read_info(BY_ATUM, "i")
    more = info.with_additional_info({"k1": "1", "k3": "3"}, replace_existing=replace_existing)
    assert list(more.metadata.additional_info.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("controls", "rows"),
    [
        ([("count", "3"), ("count", "4")], 4),
        ([("aggregatedTotal", "4")], None),
        ([], None),
        ([("count", "many")], None),
    ],
)
def test_row_counts(controls: list[tuple[str, str]], rows: int | None) -> None:
    checkpoint = InfoCheckpoint(
        name="c",
        started="",
        ended="",
        workflow_name="",
        order=1,
        controls=tuple(
            Control(name="n", type=kind, column="*", value=value) for kind, value in controls
        ),
    )
    assert checkpoint.row_count == rows


def test_pretty_texts_are_those_of_jackson() -> None:
    cases = (Path(__file__).parents[2] / "oracle/atum/cases.txt").read_text()
    text = cases.split("createInfoFile tool (pretty) => ")[1].split("\n## 9")[0]
    assert read_info(text, "i").to_json(pretty=True) == text


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("05-10-2017 09:43:50 +0200", datetime(2017, 10, 5, 7, 43, 50, tzinfo=UTC)),
        ("05-10-2017 09:43:50", datetime(2017, 10, 5, 9, 43, 50, tzinfo=UTC)),
        ("31-02-2017 09:43:50", None),
        ("2017-10-05", None),
        ("", None),
    ],
)
def test_times_are_read(text: str, moment: datetime | None) -> None:
    assert time_of(text) == moment


def example_files() -> list[str]:
    """Every `_INFO` of the examples, and all that Atum itself gave."""
    root = Path(__file__).parents[3]
    cases = (root / "tests/oracle/atum/cases.txt").read_text().splitlines()
    found = [path.read_text() for path in (root / "dags_examples").rglob("_INFO")]
    # One of the lines is shortened by hand.
    found += [
        line[line.index("{") : line.rindex("}") + 1]
        for line in cases
        if '"checkpoints":[' in line and ",..}" not in line
    ]
    return found


@pytest.mark.parametrize("text", example_files())
def test_a_round_trip_keeps_the_value(text: str) -> None:
    assert json.loads(read_info(text, "i").to_json()) == json.loads(text)


def test_there_are_examples() -> None:
    assert len(example_files()) >= 6


METADATA = {
    "sourceApplication": str,
    "country": str,
    "historyType": str,
    "dataFilename": str,
    "sourceType": str,
    "version": int,
    "informationDate": str,
    "additionalInfo": dict,
}
CHECKPOINT = {
    "name": str,
    "software": str,
    "version": str,
    "processStartTime": str,
    "processEndTime": str,
    "workflowName": str,
    "order": int,
    "controls": list,
}
CONTROL = dict.fromkeys(("controlName", "controlType", "controlCol", "controlValue"), str)


def accept(raw: dict[str, Any], keys: dict[str, type], optional: tuple[str, ...] = ()) -> None:
    assert set(raw) <= set(keys)
    assert set(keys) - set(raw) <= set(optional)
    assert list(raw) == [key for key in keys if key in raw]
    for key, value in raw.items():
        assert type(value) is keys[key], key


def spec_reader(text: str) -> None:
    """What the specification says of a file, and no more: keys, their order and types, formats."""
    assert not re.search(r'[,:] "|[{[] ', re.sub(r'"(\\.|[^"\\])*"', '""', text))
    raw = json.loads(text)
    accept(
        raw, {"metadata": dict, "runUniqueId": str, "checkpoints": list}, optional=("runUniqueId",)
    )
    accept(raw["metadata"], METADATA)
    assert all(type(value) is str for value in raw["metadata"]["additionalInfo"].values())
    for checkpoint in raw["checkpoints"]:
        accept(checkpoint, CHECKPOINT, optional=("software", "version"))
        for control in checkpoint["controls"]:
            accept(control, CONTROL)
    orders = [checkpoint["order"] for checkpoint in raw["checkpoints"]]
    assert orders == sorted(orders)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
CONTROLS = st.builds(Control, name=TEXTS, type=TEXTS, column=TEXTS, value=TEXTS)
CHECKPOINTS = st.builds(
    InfoCheckpoint,
    name=TEXTS,
    software=st.none() | TEXTS.filter(bool),
    version=st.none() | TEXTS.filter(bool),
    started=TEXTS,
    ended=TEXTS,
    workflow_name=TEXTS,
    order=st.integers(0, 50),
    controls=st.lists(CONTROLS, max_size=3).map(tuple),
)
INFOS = st.builds(
    Info,
    metadata=st.builds(
        InfoMetadata,
        source_application=TEXTS,
        country=TEXTS,
        version=st.integers(-5, 10**12),
        additional_info=st.dictionaries(TEXTS, TEXTS, max_size=3),
    ),
    run_unique_id=st.none() | TEXTS.filter(bool),
    checkpoints=st.lists(CHECKPOINTS, max_size=4).map(
        lambda some: tuple(sorted(some, key=lambda one: one.order))
    ),
)


@given_any(INFOS)
def test_a_reader_made_from_the_specification_accepts_ours(info: Info) -> None:
    spec_reader(info.to_json())
    back = read_info(info.to_json(), "i")
    assert back.to_json() == info.to_json()
    assert read_info(info.to_json(pretty=True), "i") == back
