"""Valid files with one mistake each, always the same ones, and the line that the mistake is on.

The lines are PyYAML's own marks of the text: nothing of what is tested says where a mistake is.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from airflow_metorikku.config.json_schema import SCHEMA_FILES
from airflow_metorikku.config.shapes import FieldShape, Shape, fields_of

ROOT = Path(__file__).resolve().parents[1]
KEYS_OF_KINDS = {"metrics": "job", "steps": "metric", "tests": "test"}
# Beside the examples, what they leave out.
RICH = """
metrics: [ok.yaml]
inputs:
  movies: {file: {path: in/movies.csv, format: csv, options: {sep: ';'}, schemaPath: s.json}}
  ratings: {file_date_range: {template: r/%s.csv, date_range: {format: yyyy-MM-dd, startDate: '2017-01-01', endDate: '2017-01-03'}}}
variables: {a: '1', b: x}
quoteSparkVariables: true
outputs: {other: {file: {dir: out}}}
output: {file: {dir: out}}
showPreviewLines: 3
logLevel: warn
explain: false
appName: rich
continueOnFailedStep: false
alerters:
- slack: {token: t, alertOn: [critical]}
- email: {host: mail, to: [a@example.com], port: 25, starttls: false}
- custom: {class: my.Pager, params: {team: data}}
- exception: {alertOn: [warning]}
sparkConf: {spark.sql.shuffle.partitions: '2'}
packages: [org.example:thing:1.0]
driverMemory: 1g
executorCores: 2
onFailedMetric: continue
quality: {emptyData: warn, failedDataLimit: 10}
periodic: {triggerDuration: 20 minutes}
controlMeasures:
  workflowName: w
  source: {input: movies, columns: [id, {price: aggregatedTotal}]}
  checkpoints: [{name: Loaded, dataFrameName: movies}]
  reconcile: [{checkpoint: Loaded, against: Source, control: recordCount, expect: {maxLoss: 0.1}}]
  level: error
---
steps:
- dataFrameName: t
  sql: SELECT 1 AS x
  cache: true
  dq:
    level: error
    name: sane
    checks:
    - isComplete: {column: x, hint: h}
    - hasSize: {size: 10, operator: '>='}
    - hasUniqueness: {columns: [x], warning: '>= 1.0', critical: '>= 0.5'}
    - isContainedIn: {column: x, allowedValues: [a, b]}
    - hasMean: {column: x, between: [1, 2], where: x > 0}
    - hasPattern: {column: x, pattern: '^a', nulls: ignore, assertion: '>= 0.5'}
    - satisfies: {predicate: x > 1, name: big, emptyData: pass}
- {dataFrameName: u, python: 'm:f', params: {a: b}, ignoreOnFailures: true, checkpoint: false, controlCheckpoint: C}
output:
- dataFrameName: t
  outputType: Parquet
  repartition: 2
  outputOptions: {path: t, saveMode: Overwrite, partitionBy: [x], partitionOverwrite: dynamic, protectFromEmptyOutput: true}
---
metric: ok.yaml
mocks: [{name: movies, path: movies.csv, streaming: false}]
params: {variables: {a: b}}
tests: {t: [{x: 1, y: [1, 2]}]}
keys: {t: [x]}
outputMode: append
compare: text
"""
# What is no value of the shape, in any notation.
WRONG: dict[str, tuple[Any, ...]] = {
    "text": ([1], {"a": 1}),
    "words": ("nonsense", [1]),
    "bool": ("maybe", 3, [True]),
    "int": ("many", 1.5, {"a": 1}),
    "decimal": ("much", [1]),
    "assertion": ("about 5", [1]),
    "list": (5, "text", {"a": 1}),
    "map": (5, "text", [1]),
    "record": (5, "text", [1]),
    "kinds": (5, [1]),
}


class Loader(yaml.SafeLoader):
    """Dates stay texts, as in Metorikku and in editors."""


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if not pair[0].endswith(":timestamp")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(text: str) -> Any:
    return yaml.load(text, Loader)


@dataclass(frozen=True)
class Mistake:
    kind: str
    what: str
    text: str
    line: int

    @property
    def data(self) -> Any:
        return load(self.text)


@dataclass(frozen=True)
class Slot:
    """A key of a record in a file."""

    path: tuple[Any, ...]
    field: FieldShape
    shape: Shape
    siblings: frozenset[str]


def sources() -> Iterator[tuple[str, dict[str, Any]]]:
    """Valid files, with the kind of each."""
    texts = [path.read_text(encoding="utf-8") for path in example_files()]
    for data in [
        *map(load, texts),
        *yaml.load_all(RICH, Loader),
    ]:
        kind = next(kind for key, kind in KEYS_OF_KINDS.items() if key in data)
        if kind == "job":
            data["metrics"] = ["ok.yaml"]
        if kind == "test":
            data["metric"] = "ok.yaml"
            data.pop("job", None)
            for mock in data.get("mocks", ()):
                mock["path"] = "movies.csv"
        data.pop("base", None)
        yield kind, data


def example_files() -> list[Path]:
    """YAML files of the examples that are jobs, metrics or tests and are right."""
    folders = (ROOT / "dags_examples", ROOT / "tests/end_to_end/metorikku_movies")
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*.yaml"))
        if "broken" not in path.read_text(encoding="utf-8") and "broken" not in path.stem
        if path.name != "checks.yaml"  # of an operator
    ]


def slots(record: type[Any], data: Any, path: tuple[Any, ...] = ()) -> Iterator[Slot]:
    """Every key of a record in the data, the records inside it too."""
    fields = fields_of(record)
    known = frozenset(key for field in fields for key in (field.key, *field.also))
    for field in fields:
        if data.get(field.key) is None or field.later:
            continue
        shape = field.shape
        if of := field.metadata.get("options_of"):
            named = next(other for other in fields if other.name == of)
            shape = Shape(kind="record", record=named.metadata["kinds"].table[data[named.key]])
        elif field.metadata.get("kinds"):
            shape = Shape(kind="words")
        yield Slot((*path, field.key), field, shape, known)
        yield from inside(shape, data[field.key], (*path, field.key))


def inside(shape: Shape, data: Any, path: tuple[Any, ...]) -> Iterator[Slot]:
    if shape.kind == "record" and isinstance(data, dict):
        yield from slots(shape.record, data, path)
    elif shape.kind == "kinds" and isinstance(data, dict):
        ((name, options),) = data.items()
        if isinstance(options, dict):
            yield from slots(shape.kinds.table[name], options, (*path, name))
    elif shape.kind == "list" and isinstance(data, list):
        for number, item in enumerate(data):
            yield from inside(shape.item, item, (*path, number))
    elif shape.kind == "map" and isinstance(data, dict):
        for name, item in data.items():
            yield from inside(shape.item, item, (*path, name))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        data = data[part]
    return data


def dump(data: Any) -> str:
    return yaml.safe_dump(data, sort_keys=False, width=1000)


def line_of(text: str, path: tuple[Any, ...], *, value: bool = False) -> int:
    """Line of the last key of a path, or of its value; of the whole for an empty path."""
    node = yaml.compose(text)
    mark = node.start_mark
    for part in path:
        if isinstance(part, int):
            node = node.value[part]
            mark = node.start_mark
        else:
            key, node = next(pair for pair in node.value if pair[0].value == part)
            mark = node.start_mark if value else key.start_mark
    return int(mark.line) + 1


def misspelt(kind: str, data: Any, slot: Slot, chance: random.Random) -> Mistake | None:
    key = str(slot.path[-1])
    place = chance.randrange(len(key))
    new = key[:place] + chance.choice("qxz") + key[place + chance.randint(0, 1) :]
    if new in slot.siblings:
        return None
    owner = at(data, slot.path[:-1])
    items = [(new if name == key else name, value) for name, value in owner.items()]
    owner.clear()
    owner.update(items)
    text = dump(data)
    return Mistake(kind, f"{key} misspelt {new}", text, line_of(text, (*slot.path[:-1], new)))


def added(kind: str, data: Any, slot: Slot, chance: random.Random) -> Mistake | None:
    new = f"zz{chance.randrange(1000)}"
    at(data, slot.path[:-1])[new] = chance.choice([1, "x", [1], {"a": 1}])
    text = dump(data)
    return Mistake(kind, f"{new} added", text, line_of(text, (*slot.path[:-1], new)))


def of_wrong_type(kind: str, data: Any, slot: Slot, chance: random.Random) -> Mistake | None:
    if slot.shape.kind not in WRONG:
        return None
    wrong = chance.choice(WRONG[slot.shape.kind])
    at(data, slot.path[:-1])[slot.path[-1]] = wrong
    text = dump(data)
    what = f"{slot.path[-1]} is {wrong!r}, which is no {slot.shape.kind}"
    return Mistake(kind, what, text, line_of(text, slot.path, value=True))


def removed(kind: str, data: Any, slot: Slot, chance: random.Random) -> Mistake | None:
    owner = at(data, slot.path[:-1])
    if not slot.field.required or len(owner) == 1:
        return None
    del owner[slot.path[-1]]
    text = dump(data)
    line = line_of(text, slot.path[:-1], value=True)
    return Mistake(kind, f"{slot.path[-1]} removed", text, line)


def doubled(kind: str, data: Any, slot: Slot, chance: random.Random) -> Mistake | None:
    if isinstance(at(data, slot.path), dict | list) or "\n" in str(at(data, slot.path)):
        return None
    lines = dump(data).splitlines()
    line = line_of("\n".join(lines), slot.path)
    again = lines[line - 1].replace("- ", "  ", 1)
    return Mistake(
        kind,
        f"{slot.path[-1]} twice",
        "\n".join([*lines[:line], again, *lines[line:], ""]),
        line + 1,
    )


MUTATIONS = (misspelt, misspelt, added, of_wrong_type, of_wrong_type, removed, doubled)


def mistakes(count: int, seed: int = 0) -> list[Mistake]:
    """So many mistakes, no two of them the same."""
    chance = random.Random(seed)
    valid = list(sources())
    found: dict[tuple[str, str], Mistake] = {}
    while len(found) < count:
        kind, data = chance.choice(valid)
        data = copy.deepcopy(data)
        slot = chance.choice(list(slots(SCHEMA_FILES[kind], data)))
        made = chance.choice(MUTATIONS)(kind, data, slot, chance)
        if made:
            found.setdefault((made.text, made.what), made)
    return list(found.values())
