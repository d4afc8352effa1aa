"""A first `_INFO`, measured on a data frame as Atum's builder does: the rows, then a control for each column."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from airflow_metorikku import __version__
from airflow_metorikku.config.records.controls import CONTROL_TYPES, Metadata
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.checkpoints import MEASURED
from airflow_metorikku.results.info import (
    Info,
    InfoCheckpoint,
    InfoMetadata,
    date_text,
    is_date,
    time_text,
)
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.control.track import as_controls
from airflow_metorikku.spark.quality.columns import Columns, FoundColumn, UnknownColumnError
from airflow_metorikku.spark.sums import is_summable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

logger = logging.getLogger(__name__)

SOFTWARE = "airflow-metorikku"
_NUMERIC_ONLY = "Total"


@dataclass(frozen=True, kw_only=True)
class InfoBuilder:
    """What a first `_INFO` is built of; each `with_` gives another one, and `build` measures all in one pass.

    A column without a type is measured by absAggregatedTotal where it is numeric, else by hashCrc32.
    """

    frame: DataFrame
    name: str = "data frame"
    """For messages."""
    columns: tuple[tuple[str, str | None], ...] = ()
    """Columns with their control types; None for the default one."""
    metadata: Metadata = field(default_factory=Metadata)
    zone: tzinfo = UTC

    def with_columns(
        self, columns: Iterable[str | Mapping[str, str]], control: str | None = None
    ) -> InfoBuilder:
        """These columns instead of all given before; `control` is the type of those that name none."""
        pairs: list[tuple[str, str | None]] = []
        for one in columns:
            pairs.extend([(one, control)] if isinstance(one, str) else one.items())
        for column, given in pairs:
            if given is not None and given not in CONTROL_TYPES:
                raise RunError(f"{column}: {unknown('control type', given, CONTROL_TYPES)}")
        return replace(self, columns=tuple(pairs))

    def with_column(self, column: str, control: str | None = None) -> InfoBuilder:
        """One more column."""
        added = self.with_columns([column], control)
        return replace(self, columns=(*self.columns, *added.columns))

    def build(self) -> Info:
        """Measure; raises RunError, a sentence, for a column that is not there, stands twice or cannot be measured."""
        self._warn()
        requests = self._requests()
        started = datetime.now(UTC)
        audit = Audit(self.name, controls=requests).scan(self.frame)
        for control in audit.measured:
            if control.error:
                raise RunError(f"control {control.value.name} of {self.name}: {control.error}")
        checkpoint = InfoCheckpoint(
            name=MEASURED,
            software=SOFTWARE,
            version=__version__,
            started=time_text(started, self.zone),
            ended=time_text(datetime.now(UTC), self.zone),
            workflow_name=MEASURED,
            order=1,
            controls=as_controls(audit.controls),
        )
        return Info(metadata=self._metadata(), checkpoints=(checkpoint,))

    def _warn(self) -> None:
        given = self.metadata
        for key, text in (
            ("sourceApplication", given.source_application),
            ("dataFilename", given.data_filename),
        ):
            if not text:
                logger.warning("%s: the info file's %s is empty", self.name, key)
        if given.information_date and not is_date(given.information_date):
            logger.error(
                "%s: informationDate %r is no date as 2024-12-31 or 31-12-2024; written as it is",
                self.name,
                given.information_date,
            )

    def _requests(self) -> list[ControlRequest]:
        columns = Columns(self.frame, self.name)
        typed: list[tuple[str, str]] = []
        for column, given in self.columns:
            try:
                found = columns.find(column)
            except UnknownColumnError as error:
                raise RunError(f"columns: {error}") from error
            numeric = is_summable(found.type)
            if given and given.endswith(_NUMERIC_ONLY) and not numeric:
                logger.warning(
                    "%s: %s of column %s, which is %s and no number",
                    self.name,
                    given,
                    column,
                    found.type.simpleString(),
                )
            typed.append(
                (_spelt(column, found), given or ("absAggregatedTotal" if numeric else "hashCrc32"))
            )
        return _named(typed)

    def _metadata(self) -> InfoMetadata:
        given = self.metadata
        return InfoMetadata(
            source_application=given.source_application,
            country=given.country,
            history_type=given.history_type,
            data_filename=given.data_filename,
            source_type=given.source_type,
            version=given.version,
            information_date=date_text(
                given.information_date, datetime.now(UTC).astimezone(self.zone).date()
            ),
            additional_info=given.additional_info,
        )


def _spelt(column: str, found: FoundColumn) -> str:
    """As the data frame spells it, where only the case differs: later readers may be strict."""
    (name, *inner) = found.path
    return name if not inner and name.lower() == column.lower() else column


def _named(typed: list[tuple[str, str]]) -> list[ControlRequest]:
    """`recordCount`, then `<column>ControlTotal`, with the type where a column stands several times."""
    times = Counter(column for column, _ in typed)
    requests = [ControlRequest(checkpoint=MEASURED, name="recordCount", type="count", column="*")]
    for column, control in typed:
        name = f"{column}ControlTotal" if times[column] == 1 else f"{column}ControlTotal_{control}"
        requests.append(ControlRequest(checkpoint=MEASURED, name=name, type=control, column=column))
    names = Counter(request.name for request in requests)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise RunError(
            f"columns: {twice[0]} would stand {names[twice[0]]} times; give each column and type once"
        )
    return requests
