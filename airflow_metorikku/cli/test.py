"""`metorikku test -t FILE[,FILE...]`: test files, all in one Spark."""

from __future__ import annotations

import glob
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.cli.test_session import SparkForTests
from airflow_metorikku.config.files import SUFFIXES
from airflow_metorikku.config.metric_tests import read_test
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.results.outcome_table import render_outcome

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TextIO

    from airflow_metorikku.results.outcome import Outcome

MISTAKES, FAILED = 1, 2
_NAMES = re.compile(rf".*_test({'|'.join(map(re.escape, SUFFIXES))})")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "test",
        help="run test files",
        description="Runs the metrics of test files on their mocks and compares what comes out with the expected "
        "rows; all files in one Spark, none of which sees another. Of a folder, its *_test.yaml, *_test.yml and *_test.json.",
        epilog="exit codes: 0 passed, 1 mistakes in the files, 2 failed tests, 3 Spark does not start, 4 a bug of ours",
    )
    parser.add_argument(
        "-t",
        "--test-settings",
        action="append",
        default=[],
        metavar="FILE[,FILE...]",
        help="test files, folders of them, or patterns (may be repeated)",
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help="the same, without -t")
    parser.add_argument(
        "-p",
        "--preview",
        type=int,
        default=0,
        metavar="N",
        help="print each step's SQL and so many of its rows, with Spark's log; default 0",
    )
    parser.add_argument(
        "--master", default="local[*]", metavar="URL", help="Spark master; default local[*]"
    )
    parser.set_defaults(command=test)


def test(options: argparse.Namespace) -> int:
    """Run every test, show what failed, and count."""
    given = [part for text in options.test_settings for part in text.split(",") if part]
    files = list(dict.fromkeys(file for text in [*given, *options.paths] for file in found(text)))
    if not files:
        raise _mistake("metorikku test", "expected -t FILE: a test file, a folder or a pattern")
    mistakes: list[str] = []
    outcomes: list[Outcome] = []
    with SparkForTests(options.master, preview=options.preview) as session:
        for number, file in enumerate(files, 1):
            _progress(f"[{number}/{len(files)}] {file}")
            try:
                outcomes.append(_run(file, session))
            except ConfigError as error:
                mistakes.append(file)
                _show("MISTAKES", file, "", str(error))
                continue
            _show_outcome(outcomes[-1])
    _progress("")
    failed = [one for one in outcomes if not one.passed]
    counts = [
        (len(outcomes) - len(failed), "passed"),
        (len(failed), "failed"),
        (len(mistakes), "with mistakes"),
    ]
    sys.stderr.write(", ".join(f"{count} {word}" for count, word in counts if count) + "\n")
    return MISTAKES if mistakes else FAILED if failed else 0


def _run(file: str, session: SparkForTests) -> Outcome:
    reading = read_test(file)
    if reading.test is None:
        raise ConfigError(reading.problems)
    return session.run(reading.test)


def found(text: str) -> Iterator[str]:
    """Test files that a path names: itself, those below a folder, or what a pattern matches."""
    path = Path(text)
    if path.is_dir():
        yield from (
            str(each)
            for each in sorted(path.rglob("*"))
            if _NAMES.fullmatch(each.name)
            and not any(part.startswith(".") for part in each.relative_to(path).parts)
        )
    elif not path.exists() and glob.has_magic(text):
        matches = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - Path's takes no absolute pattern
        if not matches:
            raise _mistake(text, "no file matches the pattern")
        yield from matches
    else:
        yield text


def _mistake(file: str, text: str) -> ConfigError:
    return ConfigError([Problem(file=file, line=0, path="", text=text)])


def _show_outcome(outcome: Outcome) -> None:
    word = "PASSED" if outcome.passed else "FAILED"
    details = render_outcome(outcome, colour=_colour(sys.stdout))
    _show(word, outcome.file, f" ({outcome.seconds:.1f} s)", details)


def _show(word: str, file: str, time: str, details: str) -> None:
    _progress("")
    ink = {"PASSED": "\x1b[32m"}.get(word, "\x1b[31m")
    shown = f"{ink}{word}\x1b[0m" if _colour(sys.stdout) else word
    sys.stdout.write(f"{shown} {file}{time}\n")
    sys.stdout.writelines(f"  {line}".rstrip() + "\n" for line in details.splitlines())
    sys.stdout.flush()


def _progress(text: str) -> None:
    """A line on a terminal that the next one takes the place of; an empty one takes it away."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _colour(stream: TextIO) -> bool:
    """Colours on a terminal, unless NO_COLOR says otherwise."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
