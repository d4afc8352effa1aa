"""`metorikku report` in a real browser: Chromium, without a screen, told what to do through a pipe."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import metorikku
from made_results import EVIL, a_result, kept

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page, by Chromium's own protocol: JSON in and out, a zero byte after each message."""

    def __init__(self, sends: int, hears: int) -> None:
        self._sends, self._hears = sends, hears
        self._number, self._rest = 0, b""
        self._session: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = {
            "sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)[
                "sessionId"
            ]
        }
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters, **self._session}
        os.write(self._sends, json.dumps(message).encode() + b"\0")
        while (heard := self._heard()).get("id") != self._number:
            self.events.append(heard)
        assert "error" not in heard, heard
        return heard["result"]

    def _heard(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._hears, 1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def go(self, url: str) -> None:
        self.events.clear()
        self.ask("Page.navigate", url=url)
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._heard())

    def run(self, script: str) -> Any:
        """What a script of the test's own gives; it runs beside the page's policy, which is for the page."""
        told = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def happened(self, method: str) -> list[dict[str, Any]]:
        return [one["params"] for one in self.events if one.get("method") == method]


# Chromium hears on descriptor 3 and says on descriptor 4.
START = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execvp(sys.argv[3], sys.argv[3:])"


@contextmanager
def chromium(folder: Path) -> Iterator[Browser]:
    assert CHROMIUM
    (there, sends), (hears, back) = pipe(), pipe()
    command = [
        sys.executable, "-c", START, there, back, CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
        "--remote-debugging-pipe", f"--user-data-dir={folder}", "--disable-dev-shm-usage", "--no-first-run",
    ]  # fmt: skip
    with subprocess.Popen(
        [str(part) for part in command],
        pass_fds=(there, back),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        os.close(there)
        os.close(back)
        try:
            yield Browser(sends, hears)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            os.close(sends)
            os.close(hears)


def pipe() -> tuple[int, int]:
    """Where is read and where is written, both above the descriptors that Chromium wants."""
    both = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in both]
    for end in both:
        os.close(end)
    return high[0], high[1]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine; dev/services install brings it")
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    kept(folder / "metorikku-results", a_result(EVIL, day=1), run="r1")
    kept(folder / "metorikku-results", a_result(EVIL, day=2), run="r2")
    done = metorikku(folder, "report")
    assert (done.returncode, done.stdout) == (0, "report.html\n"), done.stderr
    return (folder / "report.html").as_uri()


def test_page_asks_for_nothing_and_nothing_is_forbidden(browser: Browser, url: str):
    browser.go(url)
    asked = [one["request"]["url"] for one in browser.happened("Network.requestWillBeSent")]
    assert asked == [url]
    # A policy that forbade our own script or style would say so here.
    assert browser.happened("Log.entryAdded") == []
    assert browser.happened("Runtime.exceptionThrown") == []


def test_scripts_of_others_do_not_run(browser: Browser, url: str):
    browser.go(url)
    assert browser.run("document.title") == f"{EVIL}: warning"
    assert browser.run("document.querySelectorAll('img').length") == 0
    # Even one that came into the page would not: the policy knows ours by its hash.
    browser.run(
        "(() => { const it = document.createElement('script'); it.textContent = 'document.title = `owned`';"
        " document.body.append(it); })()"
    )
    assert browser.run("document.title") == f"{EVIL}: warning"


def test_constraints_are_filtered(browser: Browser, url: str):
    browser.go(url)
    choose = """
        (name, value) => {
          const field = document.querySelector("form.filter").elements[name];
          field.value = value;
          field.dispatchEvent(new Event("input", {bubbles: true}));
          return document.querySelector("output").textContent;
        }
    """
    assert browser.run("document.querySelector('form.filter').hidden") is False
    assert browser.run("document.querySelector('output').textContent") == "2 of 2 shown"
    assert browser.run(f"({choose})('status', 'failed')") == "1 of 2 shown"
    assert browser.run(f"({choose})('text', 'HASSIZE')") == "0 of 2 shown"
    assert browser.run(f"({choose})('status', '')") == "1 of 2 shown"
    shown = "getComputedStyle(document.querySelectorAll('#constraints-table tbody tr')[{}]).display"
    assert browser.run(shown.format(0)) == "table-row"
    assert browser.run(shown.format(1)) == "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_follows_the_scheme_of_its_reader(browser: Browser, url: str, scheme: str):
    browser.ask(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    browser.go(url)
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]


def test_page_fits_a_narrow_screen(browser: Browser, url: str):
    browser.ask(
        "Emulation.setDeviceMetricsOverride",
        width=360,
        height=640,
        deviceScaleFactor=1,
        mobile=True,
    )
    browser.go(url)
    assert browser.run("document.documentElement.scrollWidth") <= 360
    browser.ask("Emulation.clearDeviceMetricsOverride")


def test_everything_is_named_to_those_who_do_not_see(browser: Browser, url: str):
    browser.go(url)
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    named = {
        "table": False,
        "link": True,
        "image": True,
        "searchbox": True,
        "combobox": True,
        "region": True,
    }
    kinds = [(one.get("role", {}).get("value"), one.get("name", {}).get("value")) for one in nodes]
    assert {"link", "searchbox", "combobox", "region"} <= {role for role, _ in kinds}
    assert [role for role, name in kinds if named.get(role) and not name] == []
