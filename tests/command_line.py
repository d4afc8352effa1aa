"""`metorikku` as users start it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

METORIKKU = Path(sys.executable).parent / "metorikku"


def metorikku(
    folder: Path, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run it in a folder, to its end."""
    return subprocess.run(
        [METORIKKU, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
