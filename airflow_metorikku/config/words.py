"""Did you mean: sentences for a word that is none of the known ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_LISTED = 20


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, None when none is near."""
    import difflib  # only mistakes pay for it

    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[near[0]] if near else None


def unknown(noun: str, word: str, known: Iterable[str]) -> str:
    """`unknown key 'pth'; did you mean 'path'?`, or what is known where nothing is near."""
    names = list(known)
    if not names:
        return f"unknown {noun} {word!r}; there is none"
    near = suggestion(word, names)
    if near:
        return f"unknown {noun} {word!r}; did you mean {near!r}?"
    listed = ", ".join(names[:MOST_LISTED]) + (", ..." if len(names) > MOST_LISTED else "")
    return f"unknown {noun} {word!r}; expected one of {listed}"
