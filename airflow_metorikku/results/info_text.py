"""JSON in the two styles of Atum's writers: without any blank, and as Jackson's default pretty printer has it."""

from __future__ import annotations

import json

_INDENT = "  "


def compact_text(value: object) -> str:
    """On one line, without blanks: what Atum stores."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pretty_text(value: object, depth: int = 0) -> str:
    """Two blanks for each level of objects, ` : ` between key and value; lists open on their key's line."""
    if isinstance(value, dict):
        return _object(value, depth)
    if isinstance(value, list):
        items = ", ".join(pretty_text(item, depth) for item in value)
        return f"[ {items} ]" if value else "[ ]"
    return json.dumps(value, ensure_ascii=False)


def _object(value: dict[str, object], depth: int) -> str:
    if not value:
        return "{ }"
    inner = _INDENT * (depth + 1)
    lines = [
        f"{inner}{json.dumps(key, ensure_ascii=False)} : {pretty_text(item, depth + 1)}"
        for key, item in value.items()
    ]
    return "\n".join(["{", ",\n".join(lines), f"{_INDENT * depth}}}"])
