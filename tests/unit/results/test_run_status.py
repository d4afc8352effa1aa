"""How a run stands, in the texts of Atum's serialisers."""

from __future__ import annotations

import pytest

from airflow_metorikku.results.run_status import RunStatus, Status, StatusError


@pytest.mark.parametrize("status", ["allSucceeded", "stageSucceeded", "running"])
def test_a_status_without_an_error_has_no_such_key(status: Status) -> None:
    assert RunStatus(status=status).to_json() == f'{{"status":"{status}"}}'


def test_an_errors_texts_are_cut() -> None:
    error = StatusError(
        job="j", step="s", description="x" * 3000, technical_details="y" * 2048 + "z"
    )
    assert RunStatus(status="failed", error=error).to_json() == (
        '{"status":"failed","error":{"job":"j","step":"s","description":"'
        + "x" * 2048
        + '","technicalDetails":"'
        + "y" * 2048
        + '"}}'
    )
