"""One Spark for many tests, and none that sees another: views, settings, tables, caches, modules, environment."""

from __future__ import annotations

import logging
import os
import site
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.spark.jvm import make_current
from airflow_metorikku.spark.tester.catalog import catalog_state, restore_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)


@contextmanager
def isolated(root: SparkSession, base: str) -> Iterator[SparkSession]:
    """A session of its own for a test; what the test leaves behind is gone afterwards.

    :param base: folder that the test's own modules are imported from.
    """
    before = catalog_state(root)
    session = root.newSession()
    make_current(session)
    try:
        with _python_as_it_was(base):
            yield session
    finally:
        for query in session.streams.active:
            query.stop()
        restore_catalog(session, before)
        make_current(root)


@contextmanager
def _python_as_it_was(base: str) -> Iterator[None]:
    """Folder, environment, path and modules; another test's module of the same name must be imported anew."""
    folder, environment, path = Path.cwd(), dict(os.environ), list(sys.path)
    try:
        yield
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path
        _forget_modules(base)


def _forget_modules(base: str) -> None:
    from pyspark import cloudpickle

    by_value = cloudpickle.list_registry_pickle_by_value()  # type: ignore[no-untyped-call]
    below = _folder(base)
    # A project has its virtual environment in its own folder: what is installed there is not the test's.
    installed = tuple(
        folder
        for folder in map(_folder, (sys.prefix, sys.base_prefix, site.getuserbase()))
        if folder.startswith(below)
    )
    for name, module in list(sys.modules.items()):
        place = _place(module)
        if not place.startswith(below) or place.startswith(installed) or name == "__main__":
            continue
        del sys.modules[name]
        if name in by_value:
            cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]
    # Of this folder only: to look anew at all that can be imported from is to read Spark's archives again,
    # a quarter of a second for each test.
    for folder in list(sys.path_importer_cache):
        place = _folder(folder)
        if place.startswith(below) and not place.startswith(installed):
            del sys.path_importer_cache[folder]


def _folder(path: str) -> str:
    return os.path.join(path, "")  # noqa: PTH118 - there are thousands of modules


def _place(module: ModuleType) -> str:
    """Where it comes from: its file, or the folder of a package without `__init__.py`, which holds on to its modules."""
    file = getattr(module, "__file__", None)
    if file is None:
        file = next(iter(getattr(module, "__path__", ())), "")
    return str(file)
