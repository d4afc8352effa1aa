"""pytest collects `*_test.yaml`, `*_test.yml` and `*_test.json`: each a test in one Spark that the whole session shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from airflow_metorikku.cli.test_session import SparkForTests
    from airflow_metorikku.results.outcome import Outcome

_ENDINGS = ("_test.yaml", "_test.yml", "_test.json")
# Other tools have files of these names too: ours have `metric` and one of the others, which may be misspelt.
_KEYS = [
    re.compile(rf"""(^|[{{,])\s*["']?({keys})["']?\s*:""", re.MULTILINE)
    for keys in ("metric", r"tests?\w*|mocks|keys|params|outputs|expect")
]
_SESSION: pytest.StashKey[SparkForTests] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Settings of the plugin."""
    parser.addini("metorikku_master", "Spark master of Metorikku test files", default="local[2]")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> MetorikkuFile | None:
    """Test files by their name and keys."""
    if not file_path.name.endswith(_ENDINGS):
        return None
    text = file_path.read_text(encoding="utf-8", errors="replace")
    if not all(key.search(text) for key in _KEYS):
        return None
    found: MetorikkuFile = MetorikkuFile.from_parent(parent, path=file_path)
    return found


def pytest_unconfigure(config: pytest.Config) -> None:
    """End Spark."""
    session = config.stash.get(_SESSION, None)
    if session is not None:
        session.close()


class DifferencesError(Exception):
    """A test whose outcome is not as expected."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.file)


class MetorikkuFile(pytest.File):
    """A test file: one item."""

    def collect(self) -> Iterator[MetorikkuItem]:
        """Its item, named by the file."""
        item: MetorikkuItem = MetorikkuItem.from_parent(self, name=self.path.stem)
        yield item


class MetorikkuItem(pytest.Item):
    """The test of a file."""

    def runtest(self) -> None:
        """Run it; raises ConfigError for mistakes in the files."""
        from airflow_metorikku.config.metric_tests import read_test
        from airflow_metorikku.errors import ConfigError

        reading = read_test(self.path)
        if reading.test is None:
            raise ConfigError(reading.problems)
        outcome = _session(self.config).run(reading.test)
        if not outcome.passed:
            raise DifferencesError(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        """The differences, or the sentences; no traceback of ours."""
        from airflow_metorikku.errors import MetorikkuError
        from airflow_metorikku.results.outcome_table import render_outcome

        if isinstance(excinfo.value, DifferencesError):
            terminal = self.config.get_terminal_writer()
            return render_outcome(excinfo.value.outcome, colour=terminal.hasmarkup)
        if isinstance(excinfo.value, MetorikkuError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands."""
        return self.path, 0, self.name


def _session(config: pytest.Config) -> SparkForTests:
    """This process's Spark; of parallel workers each has its own."""
    from airflow_metorikku.cli.test_session import SparkForTests

    if _SESSION not in config.stash:
        config.stash[_SESSION] = SparkForTests(config.getini("metorikku_master"))
    return config.stash[_SESSION]
