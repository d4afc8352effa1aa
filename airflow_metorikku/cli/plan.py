"""`metorikku plan -c JOB`: what a job becomes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from airflow_metorikku.cli.arguments import add_job
from airflow_metorikku.cli.jobs import job_of
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.credentials import without_secrets
from airflow_metorikku.plan.gates import gates
from airflow_metorikku.plan.paths import target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from airflow_metorikku.config.records.metric import Output, Step
    from airflow_metorikku.plan.records import Plan


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "plan",
        help="show the tasks of a job",
        description="Shows the Spark runs and gates that a job becomes, in which order, and why metrics "
        "are kept together. Nothing is run.",
        epilog="exit codes: 0 shown, 1 mistakes in the files",
    )
    add_job(parser)
    parser.add_argument(
        "--split",
        choices=("job", "metric"),
        default="job",
        help="one run a job, or one for each set of metrics that can run alone",
    )
    parser.add_argument("--json", action="store_true", help="the plans themselves, as JSON")
    parser.set_defaults(command=show_plan)


def show_plan(options: argparse.Namespace) -> int:
    """Print the plans of the job."""
    job = job_of(options, final=False)
    plans = [without_secrets(plan) for plan in compile_job(job, split=options.split)]
    if options.json:
        json.dump([plan.to_plain() for plan in plans], sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
        return 0
    sys.stdout.write(f"job {job.name}\nbase folder {job.base}\n")
    for number, plan in enumerate(plans, 1):
        sys.stdout.writelines(f"{line}\n" for line in _lines(plan, number, len(plans)))
    return 0


def _lines(plan: Plan, number: int, count: int) -> Iterator[str]:
    yield f"\nrun {number} of {count} (hash {plan.hash[:12]})"
    yield from (f"  together: {reason}" for reason in plan.together)
    if plan.reads:
        yield f"  inputs: {', '.join(plan.reads)}"
    for metric, gate in zip(plan.metrics, gates(plan), strict=True):
        yield f"  metric {metric.name} ({metric.file})"
        for step in metric.steps:
            yield from _of_step(step, plan)
        for output in metric.output:
            places = " ".join((output.output_type, *_places(output, plan)))
            yield f"    output {output.data_frame_name} -> {places}"
        asked = {"data_quality": gate.data_quality, "control_measures": gate.control_measures}
        yield from (f"    gate {metric.name}.{name}" for name, wanted in asked.items() if wanted)


def _places(output: Output, plan: Plan) -> Iterator[str]:
    path, options = target(plan.base, plan.settings, output, "<run start>"), output.output_options
    if path:
        yield path
    if table := getattr(options, "table_name", None) or getattr(options, "db_table", None):
        yield f"(table {table})" if path else f"table {table}"


def _of_step(step: Step, plan: Plan) -> Iterator[str]:
    yield f"    step {step.data_frame_name}"
    if step.dq:
        empty = plan.settings.quality.empty_data
        for constraint in constraints(step.data_frame_name, step.dq, empty):
            yield f"      {constraint.level} {constraint.id}: {constraint.text}"
