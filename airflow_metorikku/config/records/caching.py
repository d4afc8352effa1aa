"""The job's `cache`: which data frames are kept while the run uses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import Where, key, where

CacheKind = Literal["spark", "parquet"]


@dataclass(frozen=True, kw_only=True)
class Cache:
    """Data frames that are computed once, by Waimak's rules (its extensions `sparkcache` and `cacheasparquet`)."""

    kind: CacheKind = key(
        "`spark`: in the executors' memory and disks; `parquet`: as Parquet files in a folder of the run, which survive lost executors.",
        default="spark",
    )
    data_frames: tuple[str, ...] | Literal["all"] = key("Names of steps and inputs, or `all`.")
    only_reused: bool = key(
        "Only those that are read at least twice: by steps, outputs, and checks of what is not written.",
        default=True,
    )
    folder: str | None = key(
        "Folder for the Parquet files; each run has one of its own in it. Default: beside the run's result.",
        default=None,
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.data_frames:
            raise ValueError("dataFrames: got an empty list, expected names, or all")
        if self.folder and self.kind == "spark":
            raise ValueError("folder: stands only beside kind: parquet")


@dataclass(frozen=True, kw_only=True)
class CacheRequest:
    """A request of the job's, or of an extension's, and where it stands."""

    cache: Cache
    at: Where | None
    path: str = "cache.dataFrames"
