"""What every output of a plan has, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.records.metric import Output
from airflow_metorikku.errors import RunError


@dataclass(frozen=True, kw_only=True)
class PlannedOutput:
    """An output of one of the plan's metrics."""

    output: Output
    metric: str
    number: int
    """Place among the metric's outputs."""

    @property
    def where(self) -> str:
        """For messages."""
        at = f" ({self.output.at})" if self.output.at else ""
        return f"output of '{self.output.data_frame_name}' to {self.output.output_type} in metric '{self.metric}'{at}"

    @property
    def protected(self) -> bool:
        """Whether an empty data frame is refused."""
        return bool(
            self.output.protect_from_empty_output
            or self.output.output_options.protect_from_empty_output
        )

    def refuse_empty(self) -> RunError:
        """What is raised for an empty data frame."""
        return RunError(
            f"Abort writing dataframe: {self.output.data_frame_name}, "
            f"empty dataframe output is not allowed according to configuration ({self.where})"
        )
