"""The page of a run: read by a parser of its own, as a browser reads it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_results import EVIL, a_result, kept, with_value

from airflow_metorikku import pages
from airflow_metorikku.pages.report import render_report
from airflow_metorikku.pages.runs import FoundRun, runs_below

VOID = {"meta", "input"}
STYLE = (Path(pages.__file__).parent / "report.css").read_text(encoding="utf-8")


class Page(HTMLParser):
    """Elements, attributes and texts; every element that is opened is closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and (text := " ".join(data.split())):
            self.texts.append((self.open[-1], text))

    def attributes(self, tag: str, name: str) -> list[str | None]:
        return [given[name] for each, given in self.elements if each == tag and name in given]

    def said(self, tag: str) -> list[str]:
        return [text for each, text in self.texts if each == tag]


def page_of(*results, others=()) -> Page:
    """The page of the last of some results of one job."""
    runs = [
        FoundRun(path=Path(f"/r/local/run{n}/task/a{n}/result.json"), when=one.started, result=one)
        for n, one in enumerate(results)
    ]
    return Page(render_report(runs[-1], runs[::-1], list(others)))


def test_all_of_a_result_is_there():
    page = page_of(a_result())
    assert page.said("title")[0] == "trades: warning"
    assert {
        "Problems", "Metrics", "Constraints", "Outputs", "Control measures", "Reconciliation", "History",
    } <= set(page.said("h2"))  # fmt: skip
    cells = page.said("td")
    for text in ("1,234", "hasSize() >= 10", "1.25", "1200", "≠ 1199"):
        assert text in cells + page.said("th")
    assert "trades-a1" in page.said("dd")
    assert "late: did not run" not in cells
    assert "did not run" in cells
    assert any(text.startswith("2026-01-01T00:01:30.500Z (90.5 s)") for text in page.said("dd"))
    links = {link[1:] for link in page.attributes("a", "href")}
    ids = [name for _, given in page.elements if (name := given.get("id"))]
    assert links <= set(ids)
    assert len(ids) == len(set(ids))


def test_texts_of_others_are_texts():
    page = page_of(a_result(EVIL, day=1), a_result(EVIL, day=2))
    assert {tag for tag, _ in page.elements} <= {
        "html", "head", "meta", "title", "style", "script", "body", "a", "header", "h1", "h2", "dl", "dt", "dd",
        "nav", "ul", "li", "main", "p", "section", "div", "table", "caption", "thead", "tbody", "tr", "th", "td",
        "details", "summary", "ol", "form", "label", "input", "select", "option", "output", "span", "svg",
        "polyline", "circle", "footer",
    }  # fmt: skip
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not any(name.startswith("on") for _, given in page.elements for name in given)
    assert any(EVIL in text for text in page.said("h1") + page.said("th"))


def test_nothing_comes_from_elsewhere():
    text = render_report(
        FoundRun(path=Path("/r"), when="", result=a_result()),
        [],
        [FoundRun(path=Path("/x"), when="")],
    )
    page = Page(text)
    assert page.attributes("link", "href") == []
    assert [given for tag, given in page.elements if "src" in given] == []
    assert "http:" not in text
    assert "https:" not in text
    assert "@import" not in STYLE
    assert "url(" not in STYLE
    (policy,) = (given["content"] for _, given in page.elements if given.get("http-equiv"))
    assert policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy


def test_the_line_of_a_constraint_goes_through_its_values():
    page = page_of(
        a_result(day=1), with_value(a_result(day=2), 0, None), a_result(day=3), a_result(day=4)
    )
    # 11, none, 13, 14: a gap, and the newest on top.
    assert "3 values, oldest 11, newest 14, lowest 11, highest 14" in page.attributes(
        "svg", "aria-label"
    )
    assert page.attributes("polyline", "points")[0] == "78.7,9.3 116.0,4.0"
    assert page.attributes("circle", "cy")[:3] == ["20.0", "9.3", "4.0"]
    assert "2026-01-01T00:00:00.000Z: 11, passed" in page.said("title")


def test_later_runs_are_not_part_of_an_earlier_ones_line():
    first, second = a_result(day=1), a_result(day=2)
    runs = [
        FoundRun(path=Path(f"/r/d/r/t/{one.attempt}/result.json"), when=one.started, result=one)
        for one in (second, first)
    ]
    page = Page(render_report(runs[1], runs, []))
    assert page.attributes("svg", "role") == []


@pytest.mark.parametrize(
    "values",
    [
        (1e308, -1e308),
        (10**400, 1),
        (0, 0),
        (float("inf"), 1.0),
        (float("nan"), 2.0),
        (5e-324, 0.0),
    ],
)
def test_lines_of_strange_numbers(values):
    results = [with_value(a_result(day=day + 1), 0, value) for day, value in enumerate(values)]
    places = page_of(*results).attributes("circle", "cy")
    assert all(4 <= float(place) <= 20 for place in places)


def test_an_unreadable_result_is_no_pass(tmp_path):
    older, newer = a_result(day=1), a_result(day=2)
    kept(tmp_path, older, run="r1", seconds=1)
    kept(tmp_path, newer, run="r2", text=newer.to_json()[:200], seconds=9e6)
    newest, *others = runs_below(tmp_path)
    assert newest.result is None
    page = Page(render_report(newest, [newest, *others], []))
    assert page.said("h1") == ["Result"]
    (why,) = page.said("p")
    assert why.startswith("This is no verdict, and no pass: not a whole result: ")
    assert "r1" in page.said("td")


def test_what_cannot_be_seen_can_be_read_aloud():
    page = page_of(a_result(day=1), a_result(day=2))
    assert page.attributes("html", "lang") == ["en"]
    assert all("scope" in given for tag, given in page.elements if tag == "th")
    assert all(given.get("aria-label") for tag, given in page.elements if tag == "svg")
    assert all(
        given.get("aria-label") for _, given in page.elements if given.get("role") == "region"
    )
    # Colour is never alone: each verdict has its word and its sign.
    signs = set(page.said("span"))
    assert {"✕", "failed", "!", "warning"} <= signs


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_texts_stand_out_from_their_ground(scheme):
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[scheme]))
    pairs = [(name, f"{name}-ground") for name in ("good", "warn", "bad")]
    pairs += [
        (name, ground) for name in ("text", "quiet", "link") for ground in ("ground", "panel")
    ]
    pairs += [("warn", "warn-ground")]
    # WCAG 2, 1.4.3
    assert {pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5} == set()
