"""CPU of the movies example by `metorikku run`: with each profile of the fast start, against Spark's own settings.

Pairs are taken in turns; the archive is made before, in a cache of its own. A bar that is missed is exit code 1.
"""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOVIES = ROOT / "dags_examples/movies"
# At most so much of the CPU with Spark's own settings.
SHORT_BAR = 0.65
PROFILES = {
    "default": "{spark.metorikku.fastStart: 'off', spark.ui.enabled: 'true'}",
    "archive": "{spark.metorikku.fastStart: archive}",
    "short": "{spark.metorikku.fastStart: short}",
}


def job_of(profile: str) -> Path:
    """The example's job with other settings; beside it, as its paths start there."""
    text = (MOVIES / "job.yaml").read_text(encoding="utf-8")
    changed = re.sub(r"(?m)^sparkConf: .*$", f"sparkConf: {PROFILES[profile]}", text)
    assert changed != text or PROFILES[profile] in text, "the example has no sparkConf"
    path = MOVIES / f".bench-{profile}.yaml"
    path.write_text(changed, encoding="utf-8")
    return path


def cpu(job: Path, scratch: str) -> float:
    """CPU seconds of one run and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = str(Path(sys.executable).with_name("metorikku"))
    done = subprocess.run(
        [program, "run", "-c", str(job), "--results", f"{scratch}/results"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{job}:\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    jobs = {profile: job_of(profile) for profile in PROFILES}
    try:
        with tempfile.TemporaryDirectory() as scratch:
            os.environ |= {
                "XDG_CACHE_HOME": f"{scratch}/cache",
                "EXAMPLES_OUTPUT": f"{scratch}/output",
            }
            made = {profile: cpu(job, scratch) for profile, job in jobs.items()}
            taken = {profile: [] for profile in jobs}  # type: dict[str, list[float]]
            for _ in range(rounds):
                for profile, job in jobs.items():
                    taken[profile].append(cpu(job, scratch))
    finally:
        for job in jobs.values():
            job.unlink()
    ratios = {}
    for profile, seconds in taken.items():
        ratios[profile] = statistics.median(
            one / default for one, default in zip(seconds, taken["default"], strict=True)
        )
        print(
            f"{profile:8} {statistics.median(seconds):6.1f} s CPU, ratio {ratios[profile]:.2f}"
            f" (first run, which makes the archive: {made[profile]:.1f})"
        )
    print(f"bar of short: {SHORT_BAR}")
    return int(ratios["short"] > SHORT_BAR)


if __name__ == "__main__":
    sys.exit(main())
