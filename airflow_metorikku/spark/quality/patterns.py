"""Whether a regular expression is found in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.config.records.checks.patterns import PROOFS

if TYPE_CHECKING:
    from pyspark.sql import Column


def is_found(text: Column, pattern: str) -> Column:
    """Deequ's way: what is found first is not empty; null of a null."""
    found = F.regexp_extract(text, pattern, 0) != F.lit("")
    proof = PROOFS.get(pattern)
    return text.rlike(proof) | found if proof else found
