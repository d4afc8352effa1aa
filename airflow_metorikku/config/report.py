"""What is gathered while a file is read: its problems, and the names that stand for nothing yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from airflow_metorikku.config.document import Scalar
from airflow_metorikku.config.interpolation import (
    CONNECTIONS,
    Names,
    connection_problem,
    fill,
    literal_connection,
    literal_dollars,
    names_in,
    undefined_name,
)
from airflow_metorikku.errors import Problem


class Broken:
    """Stands for a value that could not be read; why is in the report, or comes with the run's variables."""

    def __bool__(self) -> bool:
        return False


BROKEN: Final = Broken()


@dataclass(kw_only=True)
class Report:
    """Problems of one file; the one thing in this room that changes."""

    file: str
    names: Names
    problems: list[Problem] = field(default_factory=list)
    undefined: list[Problem] = field(default_factory=list)

    def problem(self, line: int, path: str, text: str) -> Any:
        """Add a problem; returns BROKEN."""
        self.problems.append(Problem(file=self.file, line=line, path=path, text=text))
        return BROKEN

    def text(self, node: Scalar, path: str) -> str:
        """Text of a scalar outside SQL, with the operator's variables in it."""
        text = node.text
        if "${" in text:
            text = fill(text, self.names)
            for name in names_in(text):
                if name.startswith(CONNECTIONS):
                    self._connection(connection_problem(name, path), node.line, path)
                else:
                    self._undefined(name, node.line, path)
        found = literal_dollars(text)
        if found is not text and (literal := literal_connection(text, path)):
            # In a plan these names stand for what is secret, so the text could not be told from them.
            self.problem(
                node.line, path, f"got $${{{literal}}}: a text ${{{literal}}} cannot stand here"
            )
        return found

    def sql(self, node: Scalar, path: str) -> str:
        """Text of a SQL scalar: its names are left to Spark's variables."""
        for name in names_in(node.text):
            if name.startswith(CONNECTIONS):
                self._connection(connection_problem(name, None), node.line, path)
        return node.text

    def raw(self, node: Scalar) -> str:
        """Text of a scalar that may hold SQL, with the operator's variables in it; what is not known yet stays."""
        return fill(node.text, self.names) if "${" in node.text else node.text

    def filled(self, node: Scalar, path: str) -> Scalar | Broken:
        """The scalar, with the operator's variables in it, to be read as a number and the like; BROKEN while it waits for a name."""
        if "${" not in node.text:
            return node
        text = self.text(node, path)
        return BROKEN if names_in(text) else Scalar(text, node.line, node.quoted)

    def _connection(self, problem: str | None, line: int, path: str) -> None:
        if problem:
            self.problem(line, path, problem)

    def _undefined(self, name: str, line: int, path: str) -> None:
        text = undefined_name(name)
        self.undefined.append(Problem(file=self.file, line=line, path=path, text=text))
