"""`metorikku info` as users start it: build by Spark, then show and compare what it built."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

from command_line import metorikku


def test_a_first_file_is_built_shown_and_compared(tmp_path: Path):
    rows = [("a;b", "1.5"), ("c", "-2.25"), ("", "4")]
    text = "".join(f'"{name}"|{price}\n' for name, price in rows)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/trades.csv").write_text("name|price\n" + text)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/._INFO.crc").write_text("of a file that Hadoop wrote")
    built = metorikku(
        tmp_path,
        *("info", "build", "--path", "in", "--format", "csv", "--option", "sep=|"),
        *("--columns", "name,price:aggregatedTotal", "--metadata", "country=UK"),
        *("--metadata", "additionalInfo.by=me", "--output", "out", "--master", "local[1]"),
    )
    assert built.returncode == 0, built.stderr
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["trades.csv"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["_INFO"]
    found = json.loads((tmp_path / "out/_INFO").read_text())
    assert found["metadata"]["country"] == "UK"
    assert found["metadata"]["dataFilename"] == str(tmp_path / "in")
    assert found["metadata"]["additionalInfo"] == {"by": "me"}
    (checkpoint,) = found["checkpoints"]
    assert [tuple(control.values()) for control in checkpoint["controls"]] == [
        ("recordCount", "count", "*", "3"),
        (
            "nameControlTotal",
            "hashCrc32",
            "name",
            str(sum(zlib.crc32(name.encode()) for name, _ in rows)),
        ),
        ("priceControlTotal", "aggregatedTotal", "price", "3.25"),
    ]
    shown = metorikku(tmp_path, "info", "show", "out")
    assert shown.returncode == 0
    assert "recordCount" in shown.stdout
    assert metorikku(tmp_path, "info", "compare", "out", "out/_INFO").returncode == 0


def test_data_that_is_not_there_says_so(tmp_path: Path):
    broken = metorikku(tmp_path, "info", "build", "--path", "none.csv", "--master", "local[1]")
    assert broken.returncode == 3
    assert "none.csv" in broken.stderr
    assert broken.stdout == ""
