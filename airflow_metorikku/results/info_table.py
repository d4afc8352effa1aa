"""`_INFO` files as aligned plain text, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.results.judge_info import oddities
from airflow_metorikku.results.reconcile import gap
from airflow_metorikku.results.side_by_side import as_result, side_by_side
from airflow_metorikku.results.table import Row, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airflow_metorikku.results.info import Info
    from airflow_metorikku.results.reconcile import Compared


def render_info(info: Info, width: int = 100) -> str:
    """Metadata, the controls with a column for each checkpoint, when each was taken, and what is odd."""
    table = side_by_side([as_result(one) for one in info.checkpoints], [])
    controls: list[Row] = [
        (row.name, row.type, row.column, *("-" if value is None else value for value in row.values))
        for row in table.rows
    ]
    taken = [
        (one.name, str(one.order), one.workflow_name, one.started, one.ended, _software(one.software, one.version))
        for one in info.checkpoints
    ]  # fmt: skip
    parts = [
        section("metadata", ("name", "value"), _metadata(info), width),
        section("controls", ("control", "type", "column", *table.places), controls, width),
        section(
            "checkpoints",
            ("checkpoint", "order", "workflow", "started", "ended", "software"),
            taken,
            width,
        ),
        "\n".join(("odd", *(f"  {one}" for one in odd))) if (odd := list(oddities(info))) else "",
        "" if info.checkpoints else "no checkpoints",
    ]
    return "\n\n".join(part for part in parts if part)


def render_comparison(
    compared: Sequence[Compared], places: tuple[str, str], width: int = 100
) -> str:
    """Both values of each control side by side, and whether they agree."""
    rows = [
        (
            one.control,
            one.expected or "-",
            one.actual or "-",
            gap(one.expected, one.actual),
            one.status,
        )
        for one in compared
    ]
    table = section("", ("control", *places, "difference", "status"), rows, width).lstrip("\n")
    messages = [f"{one.control}: {one.message}" for one in compared if one.message]
    wrong = sum(one.status != "passed" for one in compared)
    controls = "1 control" if len(compared) == 1 else f"{len(compared)} controls"
    last = f"{controls} compared, {wrong or 'none'} disagreeing" if compared else "nothing compared"
    return "\n\n".join(part for part in (table, "\n".join(messages), last) if part)


def _metadata(info: Info) -> list[Row]:
    data = info.metadata
    rows: list[Row] = [
        ("sourceApplication", data.source_application),
        ("country", data.country),
        ("historyType", data.history_type),
        ("dataFilename", data.data_filename),
        ("sourceType", data.source_type),
        ("version", str(data.version)),
        ("informationDate", data.information_date),
        ("runUniqueId", info.run_unique_id or ""),
        *((f"additionalInfo.{name}", text) for name, text in data.additional_info.items()),
    ]
    return [row for row in rows if row[1]]


def _software(name: str | None, version: str | None) -> str:
    return " ".join(part for part in (name, version) if part)
