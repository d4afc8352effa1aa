"""The errors that users meet, each with the exit code that the command line gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class MetorikkuError(Exception):
    """Root of all errors of this package; its text is a sentence for the user, never a traceback."""

    exit_code = 3


@dataclass(frozen=True, kw_only=True, order=True)
class Problem:
    """One mistake in one file: where it stands, and what was got, expected, and probably meant."""

    file: str
    line: int
    path: str
    """Keys from the root of the file, as `inputs.movies.file.path`; empty for the file as a whole."""
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.path}: {self.text}" if self.path else f"{where}: {self.text}"


class ConfigError(MetorikkuError):
    """Mistakes in the user's files: every one of every file, in the order of the files."""

    exit_code = 1

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RunError(MetorikkuError):
    """The run itself broke: a step, an input, Spark, a file system."""

    exit_code = 3
