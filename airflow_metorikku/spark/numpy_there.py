"""Keeps pandas out of a start of Spark: pyspark 4.2 imports it only to know whether numpy is there.

It asks `pyspark.testing.utils` that, at the first argument that goes to the JVM; the module imports pandas as well, which
is a seventh of the CPU of a short run. A stand-in answers the one question, and is the module itself for all others.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

_MODULE = "pyspark.testing.utils"


class _StandIn(ModuleType):
    have_numpy: bool

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python asks of every module
            raise AttributeError(name)
        if sys.modules.get(_MODULE) is self:
            del sys.modules[_MODULE]
        return getattr(importlib.import_module(_MODULE), name)


def answer_for_numpy() -> None:
    """Put the stand-in where pyspark looks, unless the module is there already."""
    if _MODULE not in sys.modules:
        stand_in = _StandIn(_MODULE)
        stand_in.have_numpy = importlib.util.find_spec("numpy") is not None
        sys.modules[_MODULE] = stand_in
