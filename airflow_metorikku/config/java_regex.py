"""What is surely no regular expression to Java, found without a Java: brackets, parentheses, ends and repetitions.

Only what Java refuses is refused; the rest Java itself says where the check runs.
"""

from __future__ import annotations

import re
from itertools import pairwise

# Under (?x) a `#` starts a comment, which may hold any bracket.
_COMMENTS = re.compile(r"\(\?[a-zA-Z]*x")
_LITERAL = re.compile(r"\\Q.*?(?:\\E|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_FIRST_MEMBERS = re.compile(r"\^?\]?")


def mistake_in(pattern: str) -> str | None:
    """A sentence about what Java will not compile, None where nothing is found."""
    if _COMMENTS.search(pattern):
        return None
    # What is quoted is as good as a letter, and so is a class of characters.
    plain = _ESCAPED.sub("a", _LITERAL.sub("a", pattern))
    found = "ends in the middle of an escape" if plain.endswith("\\") else None
    outside = _without_classes(plain)
    if outside is None:
        found = found or "has a [ that is not closed"
    else:
        found = found or _mistake_outside(outside)
    return f"got {pattern!r}, a regular expression that {found}" if found else None


def _without_classes(plain: str) -> str | None:
    """With a letter for each class; None where one is not closed. Classes may stand in classes."""
    outside: list[str] = []
    depth = at = 0
    while at < len(plain):
        if plain[at] == "[":
            depth += 1
            # A bracket that would close an empty class is a member of it.
            at += len(_FIRST_MEMBERS.match(plain, at + 1)[0])  # type: ignore[index]  # it matches nothing too
        elif plain[at] == "]" and depth:
            depth -= 1
            outside += [] if depth else ["a"]
        elif not depth:
            outside.append(plain[at])
        at += 1
    return None if depth else "".join(outside)


def _mistake_outside(outside: str) -> str | None:
    depth = 0
    # The ? of `(?:` repeats nothing, and means to.
    for before, char in pairwise(f"({outside.replace('(?', '(:')}"):
        if char in "*+?" and before in "(|":
            return f"has a {char} that repeats nothing"
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return "has a ) too many"
    return "has a ( that is not closed" if depth else None
