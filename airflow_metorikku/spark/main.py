"""What the entrypoint does once the package can be imported: plan in, Spark up, result out."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.plan.credentials import SECRETS, put_back
from airflow_metorikku.plan.explorations import Exploration
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.spark.explore import explore
from airflow_metorikku.spark.info_build import build_info
from airflow_metorikku.spark.jvm import java_context
from airflow_metorikku.spark.result_file import ResultFile
from airflow_metorikku.spark.runner import failed_to_start, run_plan
from airflow_metorikku.spark.session import start_session
from airflow_metorikku.spark.stopping import stop_on_signals
from airflow_metorikku.spark.tester.server import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from airflow_metorikku.results.records import Result

logger = logging.getLogger(__name__)

DID_ITS_WORK, BROKE, OUR_BUG = 0, 3, 4
_NOISY = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the plan of `--plan`, the exploration of `--explore`, or the tests that `--tests` asks for: 0 when the run did its work, whatever its verdict, 3 when it broke."""
    parser = argparse.ArgumentParser(
        prog="metorikku_entrypoint.py", description="Runs a plan of airflow-metorikku."
    )
    given_one = parser.add_mutually_exclusive_group(required=True)
    given_one.add_argument(
        "--plan", help="plan.json, as a path or by the name that it was given to --files with"
    )
    given_one.add_argument("--explore", help="exploration.json, given as --plan is")
    given_one.add_argument("--tests", help="socket that asks for tests, one after the other")
    parser.add_argument(
        "--info", help="with --plan: where the first _INFO of its input goes; nothing else is run"
    )
    given = parser.parse_args(arguments)
    _log()
    try:
        if given.tests:
            _quieten()
            return serve(given.tests)
        if given.info:
            return _build(given.plan, given.info)
        if given.explore:
            return _explore(given.explore)
        result = _run(given.plan)
    except MetorikkuError as error:
        return _broke(str(error), BROKE)
    except Exception as error:
        logger.exception("this is a bug of airflow-metorikku; please report it with these lines")
        return _broke(f"{type(error).__name__}: {error}", OUR_BUG)
    return _broke(result.error, BROKE) if result.error else DID_ITS_WORK


def _log() -> None:
    logging.basicConfig(
        stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING
    )
    logging.getLogger("airflow_metorikku").setLevel(logging.INFO)


def _quieten() -> None:
    """Spark 4 logs every failed query with its Java stack, before anybody could say whether it matters."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return
    for name in _NOISY:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("py4j").setLevel(logging.CRITICAL)


def _broke(sentence: str, code: int) -> int:
    sys.stderr.write(f"metorikku: {sentence}\n")
    return code


def _run(plan_file: str) -> Result:
    path = next(
        (path for path in (Path(plan_file), Path(Path(plan_file).name)) if path.is_file()), None
    )
    plan = _read(path) if path else None
    try:
        session = start_session(plan)
    except RunError as error:
        if plan:
            _tell(plan, str(error))
        raise
    try:
        if path and java_context(session).isLocal():
            # Read, and shipped to nobody: a kill from now on leaves no secret behind.
            path.with_name(SECRETS).unlink(missing_ok=True)
        _quieten()
        stop_on_signals(session.sparkContext.cancelAllJobs, BROKE)
        return run_plan(plan or _read(_shipped(plan_file)), session)
    finally:
        _stop(session)


def _build(plan_file: str, target: str) -> int:
    plan = _read(Path(plan_file))
    session = start_session(plan)
    try:
        _quieten()
        stop_on_signals(session.sparkContext.cancelAllJobs, BROKE)
        build_info(plan, session, target)
    finally:
        _stop(session)
    return DID_ITS_WORK


def _explore(file: str) -> int:
    """Of the driver's own machine: its answer goes to a file there."""
    path = Path(file)
    try:
        asked = Exploration.from_plain(_json(path))
        asked = replace(asked, plan=put_back(asked.plan, _secrets(path.with_name(SECRETS))))
    except (OSError, ValueError) as error:
        raise RunError(f"--explore {file}: cannot be read: {error}") from error
    session = start_session(asked.plan)
    try:
        path.with_name(SECRETS).unlink(missing_ok=True)
        _quieten()
        stop_on_signals(session.sparkContext.cancelAllJobs, BROKE)
        explore(asked, session)
    finally:
        _stop(session)
    return DID_ITS_WORK


def _tell(plan: Plan, error: str) -> None:
    """Write the result of a run that has no Spark, where that can be: a gate takes a missing one for no pass too."""
    try:
        ResultFile.of(plan, None).write(failed_to_start(plan, error))
    except (OSError, RunError) as unwritten:
        logger.warning("no result is written: %s", unwritten)


def _shipped(plan_file: str) -> Path:
    """Where Spark put a file of `--files`."""
    from pyspark import SparkFiles

    return Path(SparkFiles.get(Path(plan_file).name))


def _read(path: Path) -> Plan:
    try:
        return put_back(Plan.from_plain(_json(path)), _secrets(path.with_name(SECRETS)))
    except (OSError, ValueError) as error:
        raise RunError(f"--plan {path}: cannot be read: {error}") from error


def _secrets(path: Path) -> dict[str, str]:
    """Read once; what was shipped to a cluster goes with its working folder."""
    return _json(path) if path.exists() else {}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _stop(session: SparkSession) -> None:
    try:
        session.stop()
    except Exception:
        logger.debug("Spark was gone before it was stopped", exc_info=True)
