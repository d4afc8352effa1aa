"""The doors to Spark's JVM that pyspark keeps to itself: all of them, so that a change of pyspark's is met in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def jvm(session: SparkSession) -> Any:
    """Packages of the JVM, as `jvm(session).java.lang.System`."""
    return session._jvm  # noqa: SLF001 - see above


def java_session(session: SparkSession) -> Any:
    """The session's own object."""
    return session._jsparkSession  # noqa: SLF001 - see above


def java_context(session: SparkSession) -> Any:
    """The Spark context's own object."""
    return session.sparkContext._jsc.sc()  # noqa: SLF001 - see above


def java_frame(frame: DataFrame) -> Any:
    """A data frame's own object."""
    return frame._jdf  # noqa: SLF001 - see above


def launch() -> None:
    """Start the JVM without a session, so that what the submit set can be read."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized()  # noqa: SLF001 - see above
