"""What Spark, Java and Python say of a failure, as a sentence: no stack, no plan, no SQL."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONDITION = re.compile(r"\[[A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*\][^\n]*")
_STATE = re.compile(r"\s*SQLSTATE: \w+;?")
# Wrappers that say only that something inside them failed.
_WRAPPERS = re.compile(
    r"\[(TASK_WRITE_FAILED|FAILED_EXECUTE_UDF|STAGE_MATERIALIZATION_MULTIPLE_FAILURES)\]"
    r"|Job aborted|Writing job aborted|An error occurred while calling"
)
_JAVA_CLASS = re.compile(r"^(?:[\w$]+\.)+([\w$]+(?:Exception|Error)): ?")
_IN_TASK = re.compile(r"executor \w+\): (.*)", re.DOTALL)
_TRACEBACK = "Traceback (most recent call last):"
_GONE = ("Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError", "BrokenPipeError")
_NO_ANSWER = "does not exist in the JVM"  # what py4j makes of a class that nobody answers for
_LONGEST = 1000
_MOST_CAUSES = 20  # they may go in a circle


def sentence(error: BaseException) -> str:
    """The cause of a failure in one line."""
    if isinstance(error, MetorikkuError):
        return str(error)
    if type(error).__name__ in _GONE or str(error).endswith(_NO_ANSWER):
        return "Spark's driver is gone: its JVM ended, or was killed"
    texts = [text for text in _texts(error) if text]
    # A Python function's own error stands behind its traceback, whatever wraps it.
    for text in texts:
        _, found, traceback = text.rpartition(_TRACEBACK)
        if found:
            return _shown(_behind_frames(traceback))
    told = [text for text in texts if not _WRAPPERS.search(text.split("\n", 1)[0])]
    conditions = [
        match[0] for text in told or texts for match in [_CONDITION.search(text)] if match
    ]
    if conditions:
        return _shown(
            next((text for text in conditions if not _WRAPPERS.search(text)), conditions[0])
        )
    text = (told or texts or [""])[0]
    shown = _shown(_in_task(text))
    return (
        shown
        if _is_of_spark(error)
        else f"{type(error).__name__}: {shown}"
        if shown
        else type(error).__name__
    )


def _is_of_spark(error: BaseException) -> bool:
    return type(error).__module__.startswith(("pyspark.", "py4j."))


def _texts(error: BaseException) -> Iterator[str]:
    """Texts of an error and of its causes, the outermost first."""
    java: Any = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    if java is None:
        yield str(error)
        return
    seen = 0
    while java is not None and seen < _MOST_CAUSES:
        yield str(java.getMessage() or java.getClass().getSimpleName())
        java = java.getCause()
        seen += 1


def _in_task(text: str) -> str:
    found = _IN_TASK.search(text)
    return found[1] if found else text


def _behind_frames(traceback: str) -> str:
    """What follows a traceback's frames, which are indented; Java's frames may follow it."""
    return "\n".join(itertools.dropwhile(_is_frame, traceback.splitlines()[1:]))


def _is_frame(line: str) -> bool:
    return line[:1].isspace() or not line


def _shown(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    line = _STATE.sub("", _JAVA_CLASS.sub(r"\1: ", lines[0])).rstrip(" ;")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
