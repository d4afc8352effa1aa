"""The doors to Spark's JVM that pyspark keeps to itself: all of them, so that a change of pyspark's is met in one place."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import Column, DataFrame, SparkSession


def java_class(session: SparkSession, name: str) -> Any:
    """A class of the JVM by its full name.

    Asked for part by part, the JVM looks for a class called `org` in every archive of its class path, then for one
    called `org.apache`, and so on.
    """
    return getattr(session._jvm, name)  # noqa: SLF001 - see above


def running_class(name: str) -> Any:
    """The same where no session is at hand; None where no JVM runs."""
    from pyspark import SparkContext

    return getattr(SparkContext._jvm, name, None)  # noqa: SLF001 - see above


def java_session(session: SparkSession) -> Any:
    """The session's own object."""
    return session._jsparkSession  # noqa: SLF001 - see above


def java_context(session: SparkSession) -> Any:
    """The Spark context's own object."""
    return session.sparkContext._jsc.sc()  # noqa: SLF001 - see above


def java_frame(frame: DataFrame) -> Any:
    """A data frame's own object."""
    return frame._jdf  # noqa: SLF001 - see above


def scala_list(session: SparkSession, items: list[Any]) -> Any:
    """A sequence of Scala's."""
    table = java_class(session, "java.util.ArrayList")()
    for item in items:
        table.add(item)
    return java_class(session, "org.apache.spark.api.python.PythonUtils").toSeq(table)


def frame_of_plan(session: SparkSession, plan: Any) -> DataFrame:
    """A data frame of a plan of Spark's own, whose classes Spark 4 has moved."""
    from pyspark.sql import DataFrame as Frames

    home = "classic.Dataset" if session.version >= "4" else "Dataset"
    frames = java_class(session, f"org.apache.spark.sql.{home}")
    made: Any = frames.ofRows(java_session(session), plan)
    return Frames(made, session)


def as_column(expression: Any) -> Column:
    """A column of an expression of Spark's own, for which it has no function."""
    import pyspark
    from pyspark.sql import Column as Columns

    if pyspark.__version__ < "4":
        return Columns(running_class("org.apache.spark.sql.Column")(expression))
    return Columns(running_class("org.apache.spark.sql.classic.ExpressionUtils").column(expression))


def as_expression(column: Column) -> Any:
    """The expression of Spark's own that a column stands for."""
    import pyspark

    inner: Any = column._jc  # noqa: SLF001 - see above
    if pyspark.__version__ < "4":
        return inner.expr()
    return running_class("org.apache.spark.sql.classic.ExpressionUtils").expression(inner)


def unscaled(value: Column) -> Column:
    """The digits of a decimal that has at most 18, as a whole number: 125 of 1.25. Spark has the expression, and no function for it."""
    digits = running_class("org.apache.spark.sql.catalyst.expressions.UnscaledValue")
    return as_column(digits(as_expression(value)))


def parse_expression(session: SparkSession, text: str) -> None:
    """Parse an expression of SQL, which looks at no data frame; raises ParseException."""
    java_session(session).sessionState().sqlParser().parseExpression(text)


def silence(session: SparkSession, logger: str) -> None:
    """Log no more than errors of one of Spark's own loggers, whatever the log level."""
    errors = java_class(session, "org.apache.logging.log4j.Level").ERROR
    java_class(session, "org.apache.logging.log4j.core.config.Configurator").setLevel(
        logger, errors
    )


def launch() -> None:
    """Start the JVM without a session, so that what the submit set can be read."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized()  # noqa: SLF001 - see above


def make_current(session: SparkSession) -> None:
    """Make a session the one that `SparkSession.builder.getOrCreate()` gives from now on."""
    from pyspark.sql import SparkSession as Sessions

    Sessions._instantiatedSession = session  # noqa: SLF001 - see above
    Sessions._activeSession = session  # noqa: SLF001 - see above
    sessions = java_class(session, "org.apache.spark.sql.SparkSession")
    sessions.setDefaultSession(java_session(session))
    sessions.setActiveSession(java_session(session))


def scala_map(session: SparkSession, texts: Mapping[str, Any]) -> Any:
    """An immutable map of Scala's."""
    table = java_class(session, "java.util.HashMap")()
    for name, value in texts.items():
        table.put(name, value)
    return java_class(session, "org.apache.spark.api.python.PythonUtils").toScalaMap(table)


@contextmanager
def in_task(session: SparkSession) -> Iterator[None]:
    """For what Spark runs in tasks only, as its binding of rows to SQL: an empty task in this thread of the driver."""
    tasks = getattr(java_class(session, "org.apache.spark.TaskContext$"), "MODULE$")
    tasks.setTaskContext(tasks.empty())
    try:
        yield
    finally:
        tasks.unset()
