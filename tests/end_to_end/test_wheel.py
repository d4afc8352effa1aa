"""The wheel, installed into an environment of its own, is a provider and runs a job."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).parent / "uv"


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    import os

    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONPATH")
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(
        UV,
        "build",
        "--wheel",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        folder,
        ROOT,
        cwd=folder,
    )
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs of a fresh environment with the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("fresh")
    run(UV, "venv", "--python", sys.executable, folder / "venv", cwd=folder)
    python = folder / "venv/bin/python"
    run(
        UV,
        "pip",
        "install",
        "--python",
        python,
        "-c",
        ROOT / "dev/constraints-3.3.txt",
        wheel,
        cwd=folder,
    )
    return folder / "venv/bin"


def test_wheel_holds_every_module_and_nothing_else(wheel: Path):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "airflow_metorikku").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == ours
    assert "airflow_metorikku/spark/entrypoint/metorikku_entrypoint.py" in names


def test_airflow_lists_the_provider_and_the_plugin(installed: Path, tmp_path: Path):
    settings = {"AIRFLOW_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
    assert "airflow-metorikku" in run(
        installed / "airflow", "providers", "list", "-o", "plain", cwd=tmp_path, **settings
    )
    assert "metorikku" in run(
        installed / "airflow", "plugins", "-o", "plain", cwd=tmp_path, **settings
    )


def test_a_job_runs(installed: Path, tmp_path: Path):
    (tmp_path / "job.yaml").write_text("metrics: [metric.yaml]\noutput: {file: {dir: out}}\n")
    (tmp_path / "metric.yaml").write_text(
        "steps:\n- {dataFrameName: t, sql: SELECT 1 AS x, dq: {level: error, checks: [{isComplete: {column: x}}]}}\n"
        "output:\n- {dataFrameName: t, outputType: JSON, outputOptions: {path: t}}\n"
    )
    said = run(installed / "metorikku", "run", "-c", "job.yaml", cwd=tmp_path)
    assert "verdict good" in said
    assert [part.read_text() for part in (tmp_path / "out/t").glob("part-*")] == ['{"x":1}\n']
