"""Data frames that are cached, in Spark or as Parquet files, until the run ends."""

from __future__ import annotations

import logging
import tempfile
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results.paths import encoded
from airflow_metorikku.spark.files import files_at

if TYPE_CHECKING:
    from airflow_metorikku.plan.caching import CachedFrame

logger = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Caches:
    """What a run has cached."""

    session: SparkSession
    plan: Plan
    frames: dict[str, DataFrame] = field(default_factory=dict)
    """Held by Spark, by the names of the data frames and a number."""
    folders: list[str] = field(default_factory=list)
    made: int = 0
    own: str = field(default_factory=lambda: uuid.uuid4().hex)
    """What folders of this run are called that has no attempt."""

    def wanted(self, name: str) -> CachedFrame | None:
        """How a data frame is to be cached, None where it is not."""
        return next((one for one in self.plan.cached if one.name == name.lower()), None)

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """The data frame, cached where the plan says so."""
        asked = self.wanted(name)
        if asked is None:
            return frame
        if asked.kind == "parquet":
            return self._as_parquet(name, frame, asked.folder)
        return self.in_spark(name, frame)

    def in_spark(self, name: str, frame: DataFrame) -> DataFrame:
        """The data frame, kept by Spark once something computes it."""
        cached = frame.cache()
        self.made += 1
        self.frames[f"{name.lower()} {self.made}"] = cached
        return cached

    def drop(self, name: str) -> None:
        """Forget what Spark holds of a data frame that is read anew, else it would answer with the old rows."""
        for key in [key for key in self.frames if key.rpartition(" ")[0] == name.lower()]:
            self.frames.pop(key).unpersist()

    def forget(self) -> None:
        """Release all; a JVM that is gone holds nothing."""
        for frame in self.frames.values():
            try:
                frame.unpersist()
            except Exception:
                logger.debug("cannot release a cached data frame", exc_info=True)
        for folder in self.folders:
            try:
                files, path = files_at(self.session, folder)
                files.remove(path)
            except Exception as error:  # noqa: BLE001 - what is left behind changes no result
                logger.warning("cannot remove the cache in %s: %s", folder, error)

    def _as_parquet(self, name: str, frame: DataFrame, folder: str | None) -> DataFrame:
        root = self._root(folder)
        if root not in self.folders:
            self.folders.append(root)
        self.made += 1
        path = f"{root}/{self.made}-{encoded(name)}"
        frame.write.parquet(path)
        logger.info("data frame '%s' is cached in %s", name, path)
        return self.session.read.parquet(path)

    def _root(self, folder: str | None) -> str:
        """A folder that only this run has."""
        identity = self.plan.identity
        if folder:
            return f"{folder.rstrip('/')}/metorikku-{identity.attempt if identity else self.own}"
        if identity is None:
            return next(iter(self.folders), None) or tempfile.mkdtemp(prefix="metorikku-cache-")
        return f"{identity.result.rpartition('/')[0]}/cache"
