"""Keeps pandas out of a start of Spark: pyspark 4.2 imports it only to know whether numpy is there.

It asks `pyspark.testing.utils` that, at the first argument that goes to the JVM; the module imports pandas as well, which
is a seventh of the CPU of a short run. A stand-in answers the one question, and is the module itself for all others.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

_PACKAGE, _MODULE = "pyspark.testing", "pyspark.testing.utils"


def answer_for_numpy() -> None:
    """Put the stand-in where pyspark looks, unless the module is there already."""
    if _PACKAGE in sys.modules or _MODULE in sys.modules:
        return
    import pyspark

    module = _stand_in(_MODULE, have_numpy=importlib.util.find_spec("numpy") is not None)
    # `import pyspark.testing.utils` asks for the package as well, once it finds the module.
    folders = [str(Path(folder, "testing")) for folder in pyspark.__path__]
    package = _stand_in(_PACKAGE, utils=module, __path__=folders)
    sys.modules |= {_MODULE: module, _PACKAGE: package}
    vars(pyspark)["testing"] = package


def _stand_in(name: str, **answers: Any) -> ModuleType:
    """A plain module with a spec, as others are: functions that use it are pickled for Spark's workers by its name."""
    stand_in = ModuleType(name)
    one_at_a_time = Lock()

    def other(asked: str) -> Any:
        if asked.startswith("__"):  # what Python asks of every module
            raise AttributeError(asked)
        with one_at_a_time:
            for place in (_PACKAGE, _MODULE):
                if hasattr(sys.modules.get(place), "stands_in"):
                    del sys.modules[place]
        return getattr(importlib.import_module(name), asked)

    stand_in.__spec__ = ModuleSpec(name, None, is_package="__path__" in answers)
    vars(stand_in).update(answers, __getattr__=other, stands_in=True)
    return stand_in
