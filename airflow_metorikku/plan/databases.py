"""Which of a job's blocks describes the database of an output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airflow_metorikku.config.records.jdbc import JdbcSettings
    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Output

# By output type the keys of its block, the first that is there counts.
DATABASE_BLOCKS: dict[str, tuple[str, ...]] = {
    "JDBC": ("jdbc",),
    "JDBCQuery": ("jdbcquery", "jdbc"),
}


def database_of(settings: JobFile, output: Output) -> JdbcSettings | None:
    """The block for an output of type JDBC or JDBCQuery, None where the job has none."""
    block = settings.outputs.get(output.name) if output.name else settings.output
    for name in DATABASE_BLOCKS[output.output_type] if block else ():
        found: JdbcSettings | None = getattr(block, name)
        if found:
            return found
    return None
