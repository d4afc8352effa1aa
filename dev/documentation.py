"""Makes docs/reference.md from the records, and the migration pages from the oracle's lists.

./dev/docs            writes them
./dev/docs --check    exit 1 when one is not what it would write
"""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
import types
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.dqdl.rules import EXAMPLES as EXPRESSIONS
from airflow_metorikku.config.dqdl.rules import RULES
from airflow_metorikku.config.fields import Kinds, Where, yaml_name
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.checks.base import Check, ColumnCheck
from airflow_metorikku.config.records.code_steps import CODE_STEPS, LATER_CODE_STEPS, PACKAGE
from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.config.records.inputs import LATER_INPUTS
from airflow_metorikku.config.records.instrumentation import InfluxDB
from airflow_metorikku.config.records.jdbc import JdbcSettings
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import MetricFile
from airflow_metorikku.config.records.outputs import (
    FILE_OUTPUTS,
    LATER_OUTPUTS,
    OUTPUT_OPTIONS,
    JdbcOptions,
    JdbcQueryOptions,
)
from airflow_metorikku.config.records.test_settings import TestSettings
from airflow_metorikku.config.shapes import fields_of

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/reference.md"
DIFFERENCES = ROOT / "docs/differences.md"
FROM_ATUM = ROOT / "docs/from-atum.md"
MIGRATIONS = {"deequ": "Deequ", "pydeequ": "PyDeequ", "waimak": "Waimak"}
PREFIX = "DIFFERENCES_"
FILES = {JobFile: "Job file", MetricFile: "Metric file", TestSettings: "Test file"}
# Headings that the names of the records, word by word, do not make.
TITLES = FILES | {
    InfluxDB: "InfluxDB",
    JdbcSettings: "JDBC settings",
    JdbcOptions: "JDBC options",
    JdbcQueryOptions: "JDBCQuery options",
}
SIMPLE = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    Decimal: "number",
    Assertion: "assertion",
    object: "anything",
}
# Keys that are explained once, for all checks.
SHARED = (Check, ColumnCheck)


def title(record: type) -> str:
    """Heading of a record's section."""
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in record.__name__).strip()
    return TITLES.get(record, words.capitalize())


def link(record: type, name: str | None = None) -> str:
    anchor = (name or title(record)).lower().replace(" ", "-").replace("`", "").replace(":", "")
    shown = name or (title(record) if record in TITLES else title(record).lower())
    return f"[{shown}](#{anchor})"


def kinds_of(kind: Any) -> Kinds | None:
    return next((x for x in getattr(kind, "__metadata__", ()) if isinstance(x, Kinds)), None)


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def text_of(kind: Any) -> str:  # noqa: PLR0911 - one line for each kind of type
    """A field's type in words."""
    if kinds := kinds_of(kind):
        return f"one [{kinds.noun}](#{_plural(kinds.noun)})"
    if isinstance(kind, type) and kind in SIMPLE:
        return SIMPLE[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin is tuple:
        return f"list of {text_of(arguments[0])}"
    if origin is Mapping:
        return f"mapping of name to {text_of(arguments[1])}"
    if origin in (Union, types.UnionType):
        return " or ".join(text_of(x) for x in arguments if x is not types.NoneType)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return link(kind)
    raise SystemExit(f"dev/docs: no words for the type {kind}")


def parts_of(kind: Any) -> Iterator[Any]:
    """Records and Kinds that a type mentions."""
    if kinds := kinds_of(kind):
        yield kinds
    elif dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if kind not in (Assertion, Where):
            yield kind
    else:
        for part in get_args(kind):
            yield from parts_of(part)


def options_of(record: type) -> list[type]:
    """Records that the kind named by another field decides on."""
    found = (field.options_of for field in fields_of(record))
    return list(dict.fromkeys(option for each in found if each for option in each.table.values()))


def keys(record: type) -> list[dataclasses.Field[Any]]:
    own = [field for field in dataclasses.fields(record) if not field.metadata.get("where")]
    if record in SHARED or not issubclass(record, Check):
        return own
    common = {field.name for field in dataclasses.fields(Check)}
    return [field for field in own if field.name not in common]


def default_of(field: dataclasses.Field[Any]) -> str:
    if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
        return "**required**"
    value = field.default
    if (
        value is dataclasses.MISSING
        or value is None
        or value == ()
        or dataclasses.is_dataclass(value)
    ):
        return ""
    if isinstance(value, tuple):
        return ", ".join(f"`{each}`" for each in value)
    return (
        f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else "empty"
    )


def row(record: type, field: dataclasses.Field[Any]) -> str:
    hints = get_type_hints(record, include_extras=True)
    about = field.metadata["doc"]
    if spellings := field.metadata["also"]:
        about += f" Also spelt {', '.join(f'`{x}`' for x in spellings)}."
    if later := field.metadata["later"]:
        about += f" *Refused by this version: {later}.*"
    kind = (
        "[options of its type](#output-types)"
        if field.metadata.get("options_of")
        else "text of [DQDL](#dqdl)"
        if field.metadata.get("read")
        else text_of(hints[field.name])
    )
    cells = (f"`{yaml_name(field)}`", kind, default_of(field), about)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(record: type) -> str:
    rows = [row(record, field) for field in keys(record)]
    return (
        "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows])
        if rows
        else ""
    )


def prose(record: type) -> str:
    return "\n\n".join(part.strip() for part in (record.__doc__ or "").split("\n\n")).replace(
        "\n    ", "\n"
    )


def section(record: type, heading: str, level: int = 2) -> str:
    extra = (
        f"Beside the [keys of every check](#{title(Check).lower()}):"
        if issubclass(record, Check) and record is not Check
        else ""
    )
    body = table(record)
    return "\n\n".join(
        part
        for part in ("#" * level + f" {heading}", prose(record), extra if body else "", body)
        if part
    )


def kinds_section(kinds: Kinds) -> str:
    later = LATER_INPUTS if kinds.noun == "input" else {}
    parts = [
        f"## {_plural(kinds.noun).capitalize()}",
        f"A mapping whose one key is the kind of {kinds.noun}:"
        + (" it may also stand alone, as a text." if kinds.bare else ""),
    ]
    parts[-1] += "\n\n" + ", ".join(f"[`{name}`](#{name.lower()})" for name in kinds.table) + "."
    if kinds.noun == "check":
        parts += [section(Check, title(Check), 3)]
    for name, record in kinds.table.items():
        note = f"\n\n*Refused by this version: {later[name]}.*" if name in later else ""
        parts.append(section(record, f"`{name}`", 3) + note)
    return "\n\n".join(parts)


def walk() -> list[type | Kinds]:
    """Every record and registry that a user's file can reach, in the order of reading."""
    queue: list[type | Kinds] = list(FILES)
    seen: list[type | Kinds] = []
    while queue:
        part = queue.pop(0)
        if any(part is other for other in seen):
            continue
        seen.append(part)
        for record in list(part.table.values()) if isinstance(part, Kinds) else [part]:
            hints = get_type_hints(record, include_extras=True)
            queue += [found for field in keys(record) for found in parts_of(hints[field.name])]
            queue += options_of(record)
    return seen


def output_types() -> str:
    known = "\n".join(
        f"| `{name}` | {FILE_OUTPUTS.get(name) or ''} | {link(record)} |"
        for name, record in OUTPUT_OPTIONS.items()
    )
    later = "\n".join(f"| `{name}` | {why} |" for name, why in LATER_OUTPUTS.items())
    return (
        "## Output types\n\n`outputType` of an output, and its `outputOptions`:\n\n"
        f"| type | format | options |\n|---|---|---|\n{known}\n\n"
        f"Known and refused by this version:\n\n| type | why |\n|---|---|\n{later}"
    )


def code_steps() -> str:
    parts = [
        "## Code steps",
        f"Metorikku's own, as `classpath: {PACKAGE}NAME` with `params`:",
    ]
    for name, step in CODE_STEPS.items():
        rows = [
            f"| `{param}` | {'' if param in step.optional else '**required**'} | {about} |"
            for param, about in step.params.items()
        ]
        parts += [f"### `{name}`", step.doc]
        if rows:
            parts.append("\n".join(["| parameter | | meaning |", "|---|---|---|", *rows]))
    later = ", ".join(f"`{name}` ({why})" for name, why in LATER_CODE_STEPS.items())
    return "\n\n".join([*parts, f"Known and refused by this version: {later}."])


def dqdl() -> str:
    rows = []
    for name, kind in RULES.items():
        written = f"{name} {kind.shape}".strip().replace("EXPRESSION", EXPRESSIONS[kind.expression])
        check = f"`{kind.check}`"
        there = f"[{check}](#{kind.check.lower()})" if kind.check in CHECKS else f"{check}, later"
        rows.append(f"| `{written}` | {there} |")
    return "\n\n".join(
        [
            "## DQDL",
            "Rules of `dqdl`, and the check that each becomes. [How it is read](quality.md#dqdl).",
            "\n".join(["| rule | check |", "|---|---|", *rows]),
        ]
    )


def reference() -> str:
    parts = [
        "# Reference of the YAML",
        (
            "Every key of job, metric and test files. Made by `dev/docs` from the records in "
            "`airflow_metorikku/config/records`, which are also what files are checked against.\n\n"
            "A *text* is taken as it is written (`010`, `1_000`, `2026-01-01`, `yes` stay texts). An *assertion* is a "
            "comparison, as `>= 0.9`, `== 3`, `between 1 and 5`. Unknown keys are mistakes, and reported."
        ),
    ]
    parts += [
        kinds_section(part) if isinstance(part, Kinds) else section(part, title(part))
        for part in walk()
    ]
    parts += [output_types(), code_steps(), dqdl()]
    parts.append("## Control types\n\n" + ", ".join(f"`{name}`" for name in CONTROL_TYPES) + ".")
    return "\n\n".join(parts) + "\n"


def oracle(name: str) -> Any:
    """A module of the oracle's lists."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tests/oracle/{name}.py")
    assert spec
    assert spec.loader
    lists = importlib.util.module_from_spec(spec)
    sys.modules[name] = lists  # dataclasses look there for their module
    spec.loader.exec_module(lists)
    return lists


def from_atum() -> str:
    lists = oracle("atum_differences")
    api = "\n".join(f"| {theirs} | {ours} |" for theirs, ours in lists.API)
    changes = "\n".join(f"| {one.here} | {one.there} | {one.reason} |" for one in lists.CHANGES)
    reasons: dict[str, list[str]] = {}
    for (_, column, control), (_, why) in lists.MEASURES.items():
        reasons.setdefault(why, []).append(f"{control}({column})")
    for question, (_, why) in lists.CASES.items():
        reasons.setdefault(why, []).append(question)
    asked = "\n".join(
        f"| {why} | {', '.join(f'`{question}`' for question in questions)} |"
        for why, questions in reasons.items()
    )
    return (
        f"{lists.INTRODUCTION.strip()}\n\n## What takes the place of what\n\n"
        f"| Atum | here |\n|---|---|\n{api}\n\n"
        f"## What is different, by design\n\n| here | in Atum | why |\n|---|---|---|\n{changes}\n\n"
        f"## Measures that differ\n\n| why | asked by |\n|---|---|\n{asked}\n"
    )


def migration(system: str) -> str:
    """The page for users of a system: what its words are here, and every list of differences that is about it."""
    texts, lists = oracle("migration"), oracle("deequ_differences")
    name = system.upper()
    sections = [section for section in vars(lists) if section.startswith(PREFIX)]
    apart = [f"{PREFIX}{other.upper()}" for other in MIGRATIONS if other != "deequ"]
    mine = [
        one for one in sections if (one == PREFIX + name) or (name == "DEEQU" and one not in apart)
    ]
    words = "\n".join(f"| {old} | {new} |" for old, new in getattr(texts, f"{name}_MAPPING"))
    parts = [
        getattr(texts, name).strip(),
        f"## Words\n\n| in {MIGRATIONS[system]} | here |\n|---|---|\n{words}",
        "## What is different, and why",
    ]
    for section_name in mine:
        rows = "\n".join(f"| {what} | {why} |" for what, why in getattr(lists, section_name))
        topic = section_name.removeprefix(PREFIX).replace("_", " ").capitalize()
        heading = f"### {topic}\n\n" if len(mine) > 1 else ""
        parts.append(f"{heading}| what is different | why |\n|---|---|\n{rows}")
    return "\n\n".join(parts) + "\n"


def differences() -> str:
    lists = oracle("differences")
    means: dict[str, list[str]] = {}
    for probe, difference in lists.DIFFERENCES.items():
        means.setdefault(difference.reason, []).append(probe)
    rows = "\n".join(
        f"| {reason} | {', '.join(f'`{probe}`' for probe in probes)} |"
        for reason, probes in means.items()
    )
    needs: dict[str, list[str]] = {}
    for probe, need in lists.LATER.items():
        needs.setdefault(need, []).append(probe)
    later = "\n".join(
        f"| {need} | {', '.join(f'`{probe}`' for probe in probes)} |"
        for need, probes in needs.items()
    )
    changes = "\n".join(f"| {one.here} | {one.there} | {one.old} |" for one in lists.CHANGES)
    return (
        f"{lists.INTRODUCTION.strip()}\n\n## What is different, by design\n\n"
        f"| here | in Metorikku | for the old behaviour |\n|---|---|---|\n{changes}\n\n"
        f"## What is different, question by question\n\n"
        f"| what is different, and why | asked by |\n|---|---|\n{rows}\n\n"
        f"## Not in this version\n\n| what a job needs | asked by |\n|---|---|\n{later}\n"
    )


def main() -> int:
    stale = 0
    pages = {ROOT / f"docs/from-{system}.md": migration(system) for system in MIGRATIONS}
    pages |= {REFERENCE: reference(), DIFFERENCES: differences(), FROM_ATUM: from_atum()}
    for path, text in pages.items():
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{path.relative_to(ROOT)} is not up to date; run: ./dev/docs")
                stale = 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
