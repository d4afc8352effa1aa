"""YAML and JSON to nodes: raw text, lines, values as Jackson reads them, and what is refused."""

from __future__ import annotations

import math

import pytest
import yaml

from airflow_metorikku.config import yaml_text
from airflow_metorikku.config.document import DEEPEST, DocumentError, MapNode, Scalar, plain_value
from airflow_metorikku.config.interpolation import Interpolated
from airflow_metorikku.config.json_text import read_json
from airflow_metorikku.config.yaml_text import read_yaml


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def _either_parser(request, monkeypatch):
    parser = yaml.SafeLoader if request.param == "python" else yaml.CSafeLoader
    monkeypatch.setattr(yaml_text, "_PARSER", parser)


def read(text):
    return read_yaml(Interpolated(text))


# As Jackson reads them, where PyYAML would not.
VALUES = {
    "2017-09-01": "2017-09-01",
    "2017-09-01T10:00:00Z": "2017-09-01T10:00:00Z",
    "10:30": "10:30",
    "190:20:30": "190:20:30",
    "1e3": 1000.0,
    "1.5E-2": 0.015,
    "010": 8,
    "0x1F": 31,
    "0b11": 3,
    "1_000": 1000,
    "-7": -7,
    "+7": 7,
    "0": 0,
    "08": "08",
    "1.": 1.0,
    ".5": 0.5,
    ".inf": math.inf,
    "-.inf": -math.inf,
    "yes": True, "Yes": True, "on": True, "TRUE": True,
    "no": False, "off": False, "False": False,
    "y": "y", "n": "n",
    "tRue": "tRue",
    "null": None, "~": None, "NULL": None, "": None,
    "'010'": "010", '"yes"': "yes", "''": "",
    "text": "text",
    "1.2.3": "1.2.3",
    "-": "-",
}  # fmt: skip


@pytest.mark.parametrize("written", [text for text in VALUES if text != "-"])
def test_scalars_are_resolved_as_jackson_does(written):
    root, _ = read(f"a: {written}\n")
    value = plain_value(root)["a"]
    assert value == VALUES[written]
    assert type(value) is type(VALUES[written])


def test_raw_text_is_kept():
    root, _ = read("a: 010\nb: 1_000\nc: '010'\n")
    assert root.entries["a"] == (1, Scalar("010", 1))
    assert root.entries["b"][1].text == "1_000"
    assert root.entries["c"][1] == Scalar("010", 3, quoted=True)


def test_lines():
    root, _ = read("a:\n  b:\n    - 1\n    - {c: 2,\n       d: 3}\n")
    items = root.entries["a"][1].entries["b"][1].items
    assert items[0].line == 3
    assert (items[1].line, items[1].entries["d"][0]) == (4, 5)


def test_plain_lines_fold_and_block_lines_do_not():
    root, _ = read("a:\n  SELECT 1 -- one\n  , 2\nb: |\n  SELECT 1 -- one\n  , 2\n")
    assert plain_value(root) == {"a": "SELECT 1 -- one , 2", "b": "SELECT 1 -- one\n, 2\n"}


def test_aliases_and_merge_keys():
    root, mistakes = read(
        "a: &x {p: 1, q: 2}\nb: *x\nc:\n  <<: *x\n  q: 3\nd: {<<: [*x, {r: 4}]}\n"
    )
    assert not mistakes
    assert plain_value(root) == {
        "a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 2}, "c": {"p": 1, "q": 3}, "d": {"p": 1, "q": 2, "r": 4},
    }  # fmt: skip


MISTAKES = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", 3, "duplicate key 'a', first on line 1"),
    "tag": (
        "a: 1\nb: !!python/object:os.system x\n",
        2,
        "tag 'tag:yaml.org,2002:python/object:os.system' is not allowed",
    ),
    "own tag": ("a: !mine x\n", 1, "tag '!mine' is not allowed"),
    "tag of a collection": ("a: !!set {x}\n", 1, "is not allowed"),
    "merge of a text": ("a:\n  <<: x\n", 2, "<<: expected an alias of a mapping"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_that_reading_survives(case):
    text, line, sentence = MISTAKES[case]
    root, mistakes = read(text)
    assert isinstance(root, MapNode)
    (mistake,) = mistakes
    assert mistake.line == line
    assert sentence in str(mistake)


UNREADABLE = {
    "two documents": ("a: 1\n---\nb: 2\n", 2, "a second document starts here"),
    "unknown alias": ("a: 1\nb: *c\n", 2, "*c refers to no anchor above"),
    "alias inside itself": ("a: &x [*x]\n", 1, "*x refers to no anchor above"),
    "list as key": ("a: 1\n? [b]\n: 2\n", 2, "a key is a list or a mapping"),
    "comments only": ("# nothing\n", 0, "comments only"),
    "too deep": ("a: " + "[" * DEEPEST + "]" * DEEPEST, 1, f"nested deeper than {DEEPEST} levels"),
    "tab": ("a:\n\tb: 1\n", 2, "a tab indents this line"),
    "quote": ("a: 1\nb: 'x\nc: 2\nd: 3\n", 2, "a quote is opened here and not closed"),
    "list": ("a: 1\nb: [x\nc: 2\n", 2, "a list opened with ["),
    "mapping": ("a: 1\nb: {c: 1\nd: 2", 2, "a mapping opened with {"),
    "colon": ("a: 1\nb: c: d\n", 2, "': ' is not expected here"),
    "at sign": ("a: 1\nb: @x\n", 2, "cannot start with '@'; put it in quotes"),
    "backtick": ("a: `x`\n", 1, "cannot start with '`'"),
    "escape": ('a: 1\nb: "\\q"\n', 2, "unknown escape after a backslash"),
    "indentation": ("a:\n  b: 1\n c: 2\n", 3, ""),
    "list and mapping": ("- a\nb: 1\n", 2, "does not continue what stands above"),
    "brace": ("{a: 1}}\n", 1, "does not continue what stands above"),
    "control character": ("a: 1\nb: \x07\n", 2, "U+0007 is not allowed"),
    "escaped NUL": ('a: 1\nb: "x\\0"\n', 2, "U+0000 is not allowed"),
    "escaped NUL in a key": ('a: 1\n"x\\0": b\n', 2, "U+0000 is not allowed"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable(case):
    text, line, sentence = UNREADABLE[case]
    with pytest.raises(DocumentError) as caught:
        read(text)
    assert caught.value.line == line
    assert sentence in str(caught.value)


def test_alias_bomb_is_counted_not_expanded():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
    )
    assert len(bomb) < 1024
    with pytest.raises(DocumentError, match="aliases expand to more than"):
        read(bomb)


def test_aliases_cannot_deepen_without_end():
    deep = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, DEEPEST + 1))
    with pytest.raises(DocumentError, match="nested deeper than"):
        read(deep)


def test_lines_after_a_value_with_line_ends():
    root, _ = read_yaml(Interpolated("a: x\n  y\nb: 1\n", lines=(1, 1, 2, 3)))
    assert root.entries["b"][0] == 2


def read_as_json(text):
    return read_json(Interpolated(text))


def test_json_with_tabs_and_lines():
    root, mistakes = read_as_json('{\n\t"a": [1, "x", true, null],\n\t"b": {"c": 1.5e3}\n}\n')
    assert not mistakes
    assert plain_value(root) == {"a": [1, "x", True, None], "b": {"c": 1500.0}}
    assert root.entries["b"][0] == 3
    assert root.entries["a"][1].items[1] == Scalar("x", 2, quoted=True)


def test_json_text_escapes():
    root, _ = read_as_json('"a\\n\\u00e9\\"/"')
    assert root.text == 'a\né"/'


def test_json_duplicate_key():
    root, (mistake,) = read_as_json('{"a": 1,\n"a": 2}')
    assert plain_value(root) == {"a": 1}
    assert (mistake.line, str(mistake)) == (2, "duplicate key 'a', first on line 1")


BAD_JSON = {
    "trailing comma": ('{"a": 1,\n}', 2, "got '}', expected a key in double quotes"),
    "trailing comma in a list": ("[1,\n]", 2, "got ']', expected a value"),
    "comment": ('// no\n{"a": 1}', 1, "got '/', expected a value"),
    "single quotes": ("{'a': 1}", 1, "expected a key in double quotes"),
    "plain text": ('{"a":\n x}', 2, "got 'x', expected a value, texts in double quotes"),
    "cut short": ('{"a": [1, 2', 1, "the file ends, expected ',' or ']'"),
    "open text": ('{"a": "x\n}', 1, "expected a text in double quotes that ends on its line"),
    "two values": ('{"a": 1}\n{"b": 2}', 2, "got '{', expected the end of the file"),
    "leading zero": ('{"a": 010}', 1, "got '0', expected a value"),
    "NaN": ('{"a": NaN}', 1, "got 'N', expected a value"),
    "escape": ('{"a": "\\q"}', 1, "unknown escape"),
    "escaped NUL": ('{"a":\n"x\\u0000"}', 2, "U+0000 is not allowed"),
    "half a character": ('{"a":\n"x\\ud800"}', 2, "U+D800 is not allowed"),
    "too deep": ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), 1, "nested deeper than"),
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json(case):
    text, line, sentence = BAD_JSON[case]
    with pytest.raises(DocumentError) as caught:
        read_as_json(text)
    assert caught.value.line == line
    assert sentence in str(caught.value)
