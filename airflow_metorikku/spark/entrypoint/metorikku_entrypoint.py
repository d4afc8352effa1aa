"""The file given to spark-submit, with the package in `--py-files`.

Alone in its folder: spark-submit puts that folder first on sys.path, where any neighbour would hide
a module of the same name.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from airflow_metorikku.spark.main import main

    sys.exit(main())
