"""`${name}` in SQL: Spark's rules, but an undefined name is an error and no value can end its quotes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.interpolation import literal_dollars
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import java_class
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

# Spark's own expression for a reference, with its prefix.
_REFERENCE = re.compile(r"\$\{(?:(\w+?):)?(\S+?)\}")
_PART = re.compile(
    r"(?P<comment>--[^\n]*|/\*(?!\+).*?\*/)"
    r"|(?P<single>'(?:[^'\\]|\\.)*')"
    r'|(?P<double>"(?:[^"\\]|\\.)*")'
    r"|(?P<name>`(?:[^`]|``)*`)"
    r"|(?P<code>(?:\$\{\S+?\}|[^'\"`/-]|-(?!-)|/(?!\*)|/\*(?=\+))+|.)",
    re.DOTALL,
)
_IN_CONF = frozenset({"", "spark", "sparkconf", "hivevar", "hiveconf"})
_SUBSTITUTE = "spark.sql.variable.substitute"


def quoted(value: str) -> str:
    r"""A value between single quotes, as Metorikku pastes it, but so that it cannot end them.

    Pairs with a backslash are kept as the user wrote them (`\'`, `\n`), a lone quote gets a backslash.
    """
    inner = re.sub(
        r"\\.|\\$|'",
        lambda match: {"'": r"\'", "\\": "\\\\"}.get(match[0], match[0]),
        value,
        flags=re.DOTALL,
    )
    return f"'{inner}'"


class Variables:
    """The variables of a run. They live in Spark's settings, where `SET` and code steps see and change them."""

    def __init__(self, session: SparkSession, *, quotes: bool) -> None:
        self._session = session
        self._quotes = quotes
        self._names: list[str] = []

    def define(self, variables: Mapping[str, str]) -> None:
        """Set each in order; a value may use the ones before it. Raises RunError naming the variable."""
        for name, value in variables.items():
            try:
                text = literal_dollars(self._replaced(value))
                # As Metorikku's SET: quoted values keep their blanks, others lose them.
                self._session.conf.set(name, quoted(text) if self._quotes else text.strip())
            except RunError as error:
                raise RunError(f"variable '{name}': {error}") from error
            except Exception as error:
                hint = (
                    "; with quoteSparkVariables: false it would be set without quotes"
                    if self._quotes
                    else ""
                )
                raise RunError(
                    f"variable '{name}': Spark refuses the value {value!r}: {sentence(error)}{hint}"
                ) from error
            self._names.append(name)

    def fill(self, sql: str) -> str:
        """SQL with every reference replaced; raises RunError naming the variable. Comments stay as they are."""
        if "${" not in sql:
            return literal_dollars(sql)
        return literal_dollars("".join(self._part(match) for match in _PART.finditer(sql)))

    def run(self, sql: str) -> Any:
        """The data frame of a statement, without Spark's own substitution, which makes empty texts of unknown names."""
        text = self.fill(sql)
        conf = self._session.conf
        before = conf.get(_SUBSTITUTE)
        conf.set(_SUBSTITUTE, "false")
        try:
            return self._session.sql(text)
        finally:
            conf.set(_SUBSTITUTE, before or "true")

    def _part(self, match: re.Match[str]) -> str:
        text, kind = match[0], match.lastgroup
        if "${" not in text or kind == "comment":
            return text
        if kind != "code" and self._quotes:
            self._check_quoted(text, str(kind))
        return self._replaced(text)

    def _check_quoted(self, text: str, kind: str) -> None:
        """A quoted value inside quotes would end them: its text would become SQL."""
        sign = {"single": "'", "double": '"', "name": "`"}[kind]
        for reference in _REFERENCE.finditer(text):
            name = reference[2]
            if (
                reference[1] in (None, *_IN_CONF)
                and name in self._names
                and sign in (self._session.conf.get(name, "") or "")
            ):
                raise RunError(
                    f"${{{name}}} stands inside {sign} quotes, but is put in with quotes of its own; "
                    f"write ${{{name}}} without quotes around it, or set quoteSparkVariables: false"
                )

    def _replaced(self, text: str) -> str:
        return _REFERENCE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        prefix, name = match[1] or "", match[2]
        if prefix == "env":
            found = os.environ.get(name)
        elif prefix == "system":
            found = self._system(name)
        elif prefix in _IN_CONF:
            found = self._session.conf.get(name, None)
        else:
            found = None
        if found is None:
            raise RunError(f"{match[0]} is not defined{self._hint(prefix, name)}")
        return found

    def _system(self, name: str) -> str | None:
        runtime: Any = java_class(self._session, "java.lang.System")
        found = runtime.getProperty(name)
        return None if found is None else str(found)

    def _hint(self, prefix: str, name: str) -> str:
        near = suggestion(name, self._names) if not prefix else None
        if near:
            return f"; did you mean ${{{near}}}?"
        if prefix == "env":
            return "; the driver's environment has no such name"
        return f"; set it in the job's variables, or give a default: ${{{name}:-...}}"
