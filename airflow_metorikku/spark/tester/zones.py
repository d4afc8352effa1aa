"""The session's time zone, in any of the spellings that Spark takes."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")


def zone_of(session: SparkSession) -> dt.tzinfo:
    """Zone of `spark.sql.session.timeZone`; raises RunError for one that Python does not know."""
    name = session.conf.get("spark.sql.session.timeZone") or "UTC"
    if name in ("UTC", "GMT", "UT", "Z"):
        return dt.UTC
    if match := _OFFSET.fullmatch(name):
        offset = dt.timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
        return dt.timezone(-offset if match[1] == "-" else offset)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise RunError(
            f"spark.sql.session.timeZone: this machine has no time zone {name!r}"
        ) from error
