"""Makes the data of the examples, the same at each run: python dags_examples/make_data.py."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

HERE = Path(__file__).parent
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
GENRES = ("Fantasy", "Drama", "Comedy", "Crime", "Documentary")
FIRST = (
    "Silent",
    "Crooked",
    "Distant",
    "Paper",
    "Last",
    "Glass",
    "Winter",
    "Hollow",
    "Second",
    "Salt",
)
SECOND = ("Harbour", "Lantern", "Orchard", "Violin", "Comet", "Ferry", "Garden", "Tunnel")
MOVIES = 60
RATINGS_A_DAY = 400


def write(path: Path, head: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def movies(chance: random.Random) -> None:
    titles = chance.sample([f"{one} {two}" for one in FIRST for two in SECOND], MOVIES)
    rows: list[tuple[object, ...]] = [
        (
            number,
            f"{title}, The ({chance.randint(1950, 2025)})",
            "|".join(chance.sample(GENRES, chance.randint(1, 3))),
        )
        for number, title in enumerate(titles, start=1)
    ]
    write(HERE / "movies/data/movies.csv", ("movieId", "title", "genres"), rows)
    for day in DAYS:
        ratings: list[tuple[object, ...]] = [
            (
                chance.randint(1, 200),
                chance.randint(1, MOVIES),
                min(5, max(1, round(chance.gauss(3.4, 1.1)))),
                day,
            )
            for _ in range(RATINGS_A_DAY)
        ]
        write(
            HERE / f"movies/data/ratings/{day}/ratings.csv",
            ("userId", "movieId", "rating", "day"),
            ratings,
        )


def trades(chance: random.Random) -> None:
    """Twenty trades and the `_INFO` of the system that they come from; venue X is unknown to the job."""
    rows: list[tuple[object, ...]] = [
        (
            number,
            chance.choice("ABC") if number != 7 else "X",
            chance.randint(1, 500),
            chance.randint(100, 9999),
        )
        for number in range(1, 21)
    ]
    folder = HERE / "control_totals/trades"
    write(folder / "trades.csv", ("id", "venue", "quantity", "price"), rows)
    control = {"controlCol": "id"}
    controls = [
        {
            "controlName": "recordCount",
            "controlType": "count",
            "controlCol": "*",
            "controlValue": str(len(rows)),
        },
        {
            "controlName": "quantityTotal",
            "controlType": "aggregatedTotal",
            "controlCol": "quantity",
            "controlValue": str(sum(int(str(row[2])) for row in rows)),
        },
        {
            "controlName": "idDistinct",
            "controlType": "distinctCount",
            **control,
            "controlValue": str(len(rows)),
        },
    ]
    info = {
        "metadata": {
            "sourceApplication": "Exchange",
            "country": "ZA",
            "historyType": "Snapshot",
            "dataFilename": "trades.csv",
            "sourceType": "Source",
            "version": 1,
            "informationDate": "03-01-2026",
            "additionalInfo": {},
        },
        "checkpoints": [
            {
                "name": "Source",
                "processStartTime": "03-01-2026 08:00:00 +0000",
                "processEndTime": "03-01-2026 08:00:05 +0000",
                "workflowName": "Trades",
                "order": 1,
                "controls": controls,
            }
        ],
    }
    (folder / "_INFO").write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    movies(random.Random(20260101))
    trades(random.Random(7))
