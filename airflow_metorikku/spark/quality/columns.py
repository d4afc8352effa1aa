"""The one way from a column's name in YAML to a column of a data frame: always quoted, flat names before nested ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructType

from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PART = re.compile(r"`((?:[^`]|``)+)`|([^.`]+)")
_MOST_LISTED = 20


class UnknownColumnError(MetorikkuError):
    """A data frame has no such column, or several."""


class AmbiguousColumnError(UnknownColumnError):
    """A data frame has several columns of a name."""


@dataclass(frozen=True)
class FoundColumn:
    """A column of a data frame; `path` holds its name as the data frame spells it, for a nested one the names of all levels."""

    path: tuple[str, ...]
    column: Column
    type: DataType

    def tried(self, kind: str) -> Column:
        """Its values as another type of SQL, null where one is none of it, whatever the session's ANSI mode."""
        return F.expr(f"try_cast({'.'.join(map(quoted, self.path))} AS {kind})")


class Columns:
    """The columns of one data frame, by the name `data_frame`, compared as Spark's `spark.sql.caseSensitive` says, `exact` or in any case."""

    def __init__(self, frame: DataFrame, data_frame: str) -> None:
        self.data_frame = data_frame
        self.session = frame.sparkSession
        self._schema = frame.schema
        self.exact = str(self.session.conf.get("spark.sql.caseSensitive")).lower() == "true"
        self._found: dict[str, FoundColumn] = {}
        self.conditions: dict[str, Column] = {}
        """Conditions on rows that were found sound, by their texts."""

    @property
    def names(self) -> list[str]:
        """Top-level names, in order."""
        return self._schema.names

    def same(self, one: str, other: str) -> bool:
        """Whether two names mean the same column."""
        return self.find(quoted(one)).path == self.find(other).path

    def has(self, name: str) -> bool:
        """Whether there is a column of that name, or several."""
        try:
            self.find(name)
        except AmbiguousColumnError:
            return True
        except UnknownColumnError:
            return False
        return True

    def find(self, name: str) -> FoundColumn:
        """The column of that name; raises UnknownColumnError, a sentence that says what was probably meant."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> FoundColumn:
        path = self._path(name)
        column, kind, found = None, DataType(), []
        fields: DataType = self._schema
        for part in path:
            if not isinstance(fields, StructType):
                raise self._unknown(name)
            number = self._number(fields, part, name)
            if number is None:
                raise self._unknown(name)
            field = fields.fields[number]
            column = F.col(quoted(field.name)) if column is None else column.getField(field.name)
            found.append(field.name)
            kind = fields = field.dataType
        if column is None:
            raise self._unknown(name)
        return FoundColumn(tuple(found), column, kind)

    def _path(self, name: str) -> list[str]:
        """The flat name where there is one, else the levels between dots."""
        if self._number(self._schema, name, name) is not None:
            return [name]
        parts: list[str] = []
        at = 0
        while match := _PART.match(name, at):
            parts.append(match[1].replace("``", "`") if match[1] else match[2])
            at = match.end()
            if at == len(name):
                return parts
            if name[at] != ".":
                break
            at += 1
        raise self._unknown(name)

    def _number(self, fields: StructType, part: str, name: str) -> int | None:
        """Position of a field; of several in other cases the exact one."""
        same = [number for number, known in enumerate(fields.names) if known == part]
        if not same and not self.exact:
            same = [
                number for number, known in enumerate(fields.names) if known.lower() == part.lower()
            ]
        if len(same) > 1:
            raise AmbiguousColumnError(
                f"column {name!r}: data frame {self.data_frame} has {len(same)} columns of that name; "
                "name them apart in the step's SQL"
            )
        return same[0] if same else None

    def _unknown(self, name: str) -> UnknownColumnError:
        near = suggestion(name, self.names)
        listed = ", ".join(self.names[:_MOST_LISTED]) + (
            ", ..." if len(self.names) > _MOST_LISTED else ""
        )
        hint = (
            f"did you mean {near!r}?" if near else f"it has {listed}" if listed else "it has none"
        )
        return UnknownColumnError(f"column {name!r} is not in data frame {self.data_frame}; {hint}")
