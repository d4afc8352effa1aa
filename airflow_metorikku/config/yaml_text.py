"""YAML to nodes, from libyaml's events where PyYAML has it."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from airflow_metorikku.config.document import (
    DEEPEST,
    MOST_NODES,
    DocumentError,
    ListNode,
    MapNode,
    Node,
    Scalar,
    require_text,
)
from airflow_metorikku.config.interpolation import Interpolated, unmark

# Either loader is used as a parser only: nothing is composed or constructed. PyYAML may lack libyaml.
_PARSER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(source: Interpolated) -> tuple[Node, list[DocumentError]]:
    """The one document of a text and the mistakes that do not keep it from being read; raises DocumentError for others."""
    return _Composer(source).document()


class _Frame:
    """A collection that is being read. `size` counts its nodes with aliases expanded, `depth` its levels."""

    __slots__ = ("anchor", "depth", "entries", "items", "key", "line", "merges", "size")

    def __init__(self, line: int, anchor: str | None, *, mapping: bool) -> None:
        self.line = line
        self.anchor = anchor
        self.entries: dict[str, tuple[int, Node]] | None = {} if mapping else None
        self.items: list[Node] = []
        self.key: Scalar | None = None
        self.merges: list[Node] = []
        self.size = 1
        self.depth = 1


class _Composer:
    """Builds nodes from events; one a text."""

    def __init__(self, source: Interpolated) -> None:
        self.source = source
        self.frames: list[_Frame] = []
        self.anchors: dict[str, tuple[Node, int, int]] = {}
        self.mistakes: list[DocumentError] = []
        self.root: Node | None = None
        self.documents = 0

    def document(self) -> tuple[Node, list[DocumentError]]:
        try:
            parser = _PARSER(self.source.text)
            while (event := parser.get_event()) is not None and type(event) is not StreamEndEvent:
                self.take(event)
        except yaml.MarkedYAMLError as error:
            raise self.explained(error) from error
        except yaml.reader.ReaderError as error:
            line = self.source.text.count("\n", 0, error.position) + 1
            raise DocumentError(
                self.line(line - 1), f"character U+{error.character:04X} is not allowed"
            ) from error
        if self.root is None:
            raise DocumentError(0, "the file is empty: it has comments only")
        return self.root, self.mistakes

    def line(self, mark: int) -> int:
        """Line in the file, from a mark's line in the text."""
        lines = self.source.lines
        return mark + 1 if lines is None else lines[min(mark, len(lines) - 1)]

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            line = self.line(event.start_mark.line)
            text = require_text(event.value, line)
            text = unmark(text) if self.source.marked else text
            node = Scalar(text, line, not event.implicit[0], event.style == "|")
            self.refuse_tag(event, line)
            self.keep(event.anchor, node, 1, 0)
            self.add(node, 1, 0)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            self.open(event, mapping=kind is MappingStartEvent)
        elif isinstance(event, CollectionEndEvent):
            self.close()
        elif kind is AliasEvent:
            self.alias(event)
        elif kind is DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                raise DocumentError(
                    self.line(event.start_mark.line),
                    "a second document starts here, expected one a file",
                )

    def open(self, event: Any, *, mapping: bool) -> None:
        line = self.line(event.start_mark.line)
        self.refuse_tag(event, line)
        if len(self.frames) >= DEEPEST:
            raise DocumentError(line, f"nested deeper than {DEEPEST} levels")
        self.frames.append(_Frame(line, event.anchor, mapping=mapping))

    def close(self) -> None:
        frame = self.frames.pop()
        node: Node
        if frame.entries is None:
            node = ListNode(tuple(frame.items), frame.line)
        else:
            for merged in frame.merges:
                self.merge(frame.entries, merged, frame.line)
            node = MapNode(frame.entries, frame.line)
        self.keep(frame.anchor, node, frame.size, frame.depth)
        self.add(node, frame.size, frame.depth)

    def keep(self, anchor: str | None, node: Node, size: int, depth: int) -> None:
        if anchor:
            self.anchors[anchor] = node, size, depth

    def alias(self, event: Any) -> None:
        found = self.anchors.get(event.anchor)
        if found is None:
            line = self.line(event.start_mark.line)
            name = self.shown(event.anchor)
            raise DocumentError(
                line, f"*{name} refers to no anchor above; a text that starts with * needs quotes"
            )
        self.add(*found)

    def add(self, node: Node, size: int, depth: int) -> None:
        """Put a complete node into the collection that is being read."""
        if not self.frames:
            self.root = node
            return
        frame = self.frames[-1]
        frame.size += size
        if depth >= frame.depth:
            frame.depth = depth + 1
            if len(self.frames) + depth > DEEPEST:
                raise DocumentError(frame.line, f"nested deeper than {DEEPEST} levels")
        if frame.size > MOST_NODES:
            raise DocumentError(frame.line, f"aliases expand to more than {MOST_NODES} nodes")
        if frame.entries is None:
            frame.items.append(node)
        elif frame.key is None:
            if not isinstance(node, Scalar):
                raise DocumentError(node.line, "a key is a list or a mapping, expected a text")
            frame.key = node
        else:
            self.enter(frame, frame.entries, frame.key, node)

    def enter(
        self, frame: _Frame, entries: dict[str, tuple[int, Node]], key: Scalar, node: Node
    ) -> None:
        frame.key = None
        if key.text == "<<" and not key.quoted:
            frame.merges.append(node)
        elif key.text in entries:
            self.mistakes.append(
                DocumentError(
                    key.line, f"duplicate key {key.text!r}, first on line {entries[key.text][0]}"
                )
            )
        else:
            entries[key.text] = key.line, node

    def merge(self, entries: dict[str, tuple[int, Node]], merged: Node, line: int) -> None:
        """`<<`: keys of a mapping, or of several, where the mapping has none of its own."""
        for source in merged.items if isinstance(merged, ListNode) else (merged,):
            if not isinstance(source, MapNode):
                self.mistakes.append(
                    DocumentError(line, "<<: expected an alias of a mapping, or a list of them")
                )
                return
            for key, entry in source.entries.items():
                entries.setdefault(key, entry)

    def shown(self, text: str) -> str:
        """A name for a message; it may be a password that was put in without quotes."""
        return "…" if self.source.filled else text

    def refuse_tag(self, event: Any, line: int) -> None:
        if event.tag is not None:
            self.mistakes.append(
                DocumentError(
                    line,
                    f"tag {self.shown(event.tag)!r} is not allowed; write the value without it",
                )
            )

    def explained(self, error: yaml.MarkedYAMLError) -> DocumentError:
        """A sentence for a mistake of syntax, and the line where it can be mended."""
        last = self.source.text.rstrip().count("\n")
        mark = error.problem_mark or error.context_mark
        at = min(mark.line, last) if mark else 0
        start = min(error.context_mark.line, last) if error.context_mark else at
        context, problem = error.context or "", error.problem or ""
        if "quoted scalar" in context and "end of stream" in problem:
            return DocumentError(self.line(start), "a quote is opened here and not closed")
        if "flow sequence" in context:
            return DocumentError(
                self.line(start),
                f"a list opened with [ here: expected ',' or ']' {self.before(mark)}",
            )
        if "flow mapping" in context:
            return DocumentError(
                self.line(start),
                f"a mapping opened with {{ here: expected ',' or '}}' {self.before(mark)}",
            )
        return DocumentError(
            self.line(at), self.sentence(problem, context, at, mark.column if mark else 0)
        )

    def before(self, mark: Any) -> str:
        ended = mark is None or mark.line > self.source.text.rstrip().count("\n")
        return "before the file ends" if ended else f"on line {self.line(mark.line)} or before"

    def sentence(self, problem: str, context: str, at: int, column: int) -> str:
        lines = self.source.text.split("\n")
        line = lines[at] if at < len(lines) else ""
        if "\t" in line[: len(line) - len(line.lstrip())] or line[column : column + 1] == "\t":
            return "a tab indents this line, expected blanks"
        if "cannot start any token" in problem:
            return f"a plain text cannot start with {line[column : column + 1]!r}; put it in quotes"
        if "mapping values are not allowed" in problem:
            return "': ' is not expected here: put a text that holds it in quotes, or check the indentation"
        if "escape character" in problem:
            return "unknown escape after a backslash in double quotes; write \\\\ for a backslash, or use single quotes"
        if "block" in context or "document start" in problem:
            return "this line does not continue what stands above; check its indentation, quotes and brackets"
        return f"not YAML: {problem}"
