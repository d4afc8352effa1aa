"""Regular expressions with a name, and what proves that they are found."""

from __future__ import annotations

import re
from itertools import chain, product

import pytest

from airflow_metorikku.config.records.checks.patterns import PROOFS


@pytest.mark.parametrize("pattern", PROOFS)
def test_where_its_proof_is_found_a_pattern_is_found(pattern: str) -> None:
    proof, whole = re.compile(PROOFS[pattern]), re.compile(pattern)
    # All short texts of the letters that mean something in the patterns.
    texts = chain.from_iterable(product('a@.-"9', repeat=length) for length in range(7))
    proven = [text for letters in texts if proof.search(text := "".join(letters))]
    assert len(proven) > 100
    assert [text for text in proven if not (found := whole.search(text)) or not found[0]] == []
