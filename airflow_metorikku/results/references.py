"""What rules are against, found: checkpoints of the same `_INFO`, of others, and files of expected totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.results.info import Info, InfoCheckpoint, read_info
from airflow_metorikku.results.reconcile import Reference
from airflow_metorikku.results.totals import read_totals

if TYPE_CHECKING:
    from airflow_metorikku.config.records.reconciliation import Against

ReadText = Callable[[str], str]
"""The text at an address; raises FileNotFoundError, other OSErrors, UnicodeDecodeError."""


def of_file(against: Against, read: ReadText) -> Reference:
    """What a file says; one that is missing, half written or of another kind is a reference with a problem, which nothing agrees with."""
    try:
        text = _text(against.path, read)
        if against.info_file:
            return _of_info(against, read_info(text, against.path))
        return Reference(name=str(against), values=read_totals(text, against))
    except MetorikkuError as error:
        return Reference(name=str(against), problem=str(error))


def _text(path: str, read: ReadText) -> str:
    try:
        return read(path)
    except FileNotFoundError:
        why = f"{path} is not there, so there is nothing to compare with"
    except IsADirectoryError:
        why = f"{path} is a folder, expected a file"
    except UnicodeDecodeError as error:
        why = f"{path}: not text in UTF-8: {error}"
    except OSError as error:
        why = f"cannot read {path}: {error}"
    raise RunError(why)


def of_checkpoint(
    checkpoint: InfoCheckpoint, name: str = "", *, is_whole: bool = False
) -> Reference:
    """The controls of a checkpoint; of two with one name there is no telling which is meant."""
    name = name or checkpoint.name
    counts = Counter(control.name for control in checkpoint.controls)
    if twice := [control for control, count in counts.items() if count > 1]:
        return Reference(name=name, problem=f"{name} has several controls named {', '.join(twice)}")
    values = {control.name: control.value for control in checkpoint.controls}
    return Reference(name=name, values=values, is_whole=is_whole)


def named(checkpoints: Iterable[InfoCheckpoint], name: str) -> InfoCheckpoint | None:
    """The last checkpoint of a name."""
    return next((one for one in reversed(list(checkpoints)) if one.name == name), None)


def not_there(name: str, checkpoints: Sequence[InfoCheckpoint]) -> Reference:
    """The reference for a checkpoint that does not exist."""
    names = [one.name for one in checkpoints]
    near = suggestion(name, names)
    hint = f"; did you mean {near!r}?" if near else ""
    text = f"there is no checkpoint {name}{hint}, so there is nothing to compare with; there are {', '.join(names) or 'none'}"
    return Reference(name=name, problem=text)


def _of_info(against: Against, info: Info) -> Reference:
    if against.checkpoint:
        found = named(info.checkpoints, against.checkpoint)
        if found is None:
            missing = not_there(against.checkpoint, info.checkpoints)
            return Reference(name=str(against), problem=f"{against.path}: {missing.problem}")
    else:
        found = info.last
        if found is None:
            text = f"{against.path}: has no checkpoints, so there is nothing to compare with"
            return Reference(name=str(against), problem=text)
    return of_checkpoint(found, f"{found.name} of {against.path}")
