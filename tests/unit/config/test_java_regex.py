"""Regular expressions that are refused before there is a Java to ask; tests/spark asks one about the same lists."""

from __future__ import annotations

import pytest
from made_patterns import BROKEN, SOUND

from airflow_metorikku.config.java_regex import mistake_in


@pytest.mark.parametrize("pattern", BROKEN)
def test_broken_ones_are_refused_by_their_text(pattern: str) -> None:
    assert repr(pattern) in (mistake_in(pattern) or "")


@pytest.mark.parametrize("pattern", SOUND)
def test_sound_ones_are_not(pattern: str) -> None:
    assert mistake_in(pattern) is None
