"""A job file that cannot be read, as an import error under its own name."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from airflow.exceptions import AirflowClusterPolicySkipDag
from airflow.sdk import DAG

from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)


class BrokenJobError(MetorikkuError):
    """Airflow gave no place for an import error of the job file itself."""

    exit_code = 1


class BrokenJob(DAG):
    """Stands for a DAG that cannot be made, until Airflow validates it.

    An import error that Airflow books on the DAG file takes every DAG of that file out of service
    (`DagModel.is_stale`). So it is booked on the job file, and this DAG leaves quietly.
    """

    def __init__(self, dag_id: str, file: Path, text: str) -> None:
        super().__init__(dag_id, schedule=None)
        self.file = file.absolute()
        self.text = text

    def validate(self) -> None:
        """Book the import error with the DagBag that asks; raises BrokenJobError when another asks."""
        caller = sys._getframe(1).f_locals.get("self")  # noqa: SLF001 - Airflow hands validate() nothing
        errors = getattr(caller, "import_errors", None)
        if not isinstance(errors, dict):
            raise BrokenJobError(self.text)
        errors[self._name(getattr(caller, "bundle_path", None))] = self.text
        log.error("%s", self.text)
        raise AirflowClusterPolicySkipDag(self.text)

    def _name(self, bundle: Path | None) -> str:
        if bundle is not None and self.file.is_relative_to(bundle):
            return str(self.file.relative_to(bundle))
        return str(self.file)
