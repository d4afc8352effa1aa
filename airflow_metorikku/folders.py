"""Where a DAG's job files lie, at parse and at run alike."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from airflow.sdk.definitions._internal.contextmanager import DagContext

from airflow_metorikku.config.remote import is_remote, path_of
from airflow_metorikku.settings import dags_folder


def dag_file(fileloc: str) -> Path:
    """The DAG file being parsed, which Airflow makes every DAG's own afterwards; else the file that a DAG names."""
    module = sys.modules.get(DagContext.current_autoregister_module_name or "")
    return Path(getattr(module, "__file__", None) or fileloc)


def job_file(job: str, dag_file: Path) -> Path:
    """The job file that a DAG file names: relative to it, or a whole address as `s3://conn@bucket/job.yaml`."""
    path = path_of(job)
    return path if is_remote(path) else dag_file.parent / path


def ends_of(file: Path, bundle: Path | None = None) -> tuple[Path, ...]:
    """Folders above a job file where the search for its base folder ends: the bundle's, the DAGs' and the working folder.

    Airflow appends a bundle's folder to `sys.path`, at parse and at run; its first entry is a script's own folder.
    """
    candidates = (dags_folder(), str(Path.cwd()), str(bundle or ""), *sys.path[1:])
    return _above(str(file.absolute().parent), candidates)


# A DAG file may hold a thousand jobs, most of them in the same folder.
@functools.lru_cache(maxsize=64)
def _above(folder: str, candidates: tuple[str, ...]) -> tuple[Path, ...]:
    parents = (Path(folder), *Path(folder).parents)
    return tuple(
        dict.fromkeys(
            path
            for path in (Path(each).absolute() for each in candidates if each)
            if path in parents
        )
    )
