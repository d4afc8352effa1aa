"""CPU of `metorikku check` on N job files, each with a metric file of its own, after the start of the program.

./dev/bench/check [JOBS]      1000 jobs; exit 1 above the limit
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from parse_jobs import make

from airflow_metorikku.config.check import check_paths
from airflow_metorikku.plan.problems import find_problems

LIMIT = 5.0


def main() -> int:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory(prefix="metorikku-bench-") as scratch:
        make(Path(scratch), jobs)
        start = time.process_time()
        files, problems = check_paths([scratch], find=find_problems)
        spent = (time.process_time() - start) * 1000
    if len(files) != 2 * jobs or problems:
        print(
            f"expected {2 * jobs} files without a problem, got {len(files)}, {len(problems)} problems"
        )
        return 1
    each = spent / jobs
    print(f"{jobs} jobs of two files: {each:.2f} ms of CPU a job; limit {LIMIT} ms")
    return int(each > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
