"""Values of metrics in Deequ's repository format, each kind under its `metricName`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from airflow_metorikku.results.distributions import (
    KLL,
    Bin,
    Bucket,
    Distribution,
    Histogram,
    HistogramBinned,
    Keyed,
)

Value = int | float | Distribution

# Up to here every whole number is a double of its own.
_EXACT = 2**53
_KEYED = "KeyedDoubleMetric"


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """One kind of distribution: Deequ's name of its metric, and how its value is written and read."""

    metric: str
    record: type[Any]
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], Any]
    flat: Callable[[Any], dict[str, float]]
    """Its numbers by what Deequ's flattened metrics add to the name."""


def metric_json(identity: Mapping[str, str], value: Value) -> dict[str, Any]:
    """Deequ's `metric` object; `identity` has entity, instance and name."""
    for kind in _KINDS:
        if isinstance(value, kind.record):
            written = kind.write(value)
            bins = {"numberOfBins": written["numberOfBins"]} if "numberOfBins" in written else {}
            return (
                {"metricName": kind.metric, "column": identity["instance"]}
                | bins
                | {
                    "name": identity["name"],
                    "value": written,
                }
            )
    if isinstance(value, Keyed):
        return {"metricName": _KEYED} | dict(identity) | {"value": dict(value.values)}
    return {"metricName": "DoubleMetric"} | dict(identity) | {"value": _double(value)}


def value_from(metric: Mapping[str, Any]) -> Value | None:
    """The value of Deequ's `metric` object; None where it has none, or is of no kind that we know."""
    value = metric.get("value")
    if value is None:
        return None
    name = metric.get("metricName")
    for kind in _KINDS:
        if name == kind.metric:
            found: Value = kind.read(value)
            return found
    if name == _KEYED:
        return Keyed(values={str(key): float(one) for key, one in value.items()})
    return value if isinstance(value, int) else float(value)


def flattened(name: str, value: Value) -> dict[str, float]:
    """The numbers of a value by the names of Deequ's flattened metrics, as `Histogram.abs.B`."""
    for kind in _KINDS:
        if isinstance(value, kind.record):
            return {f"{name}.{part}": float(one) for part, one in kind.flat(value).items()}
    if isinstance(value, Keyed):
        return {f"{name}-{key}": float(one) for key, one in value.values.items()}
    assert isinstance(value, int | float), value
    return {name: float(value)}


def _double(number: Any) -> float | int:
    """As Deequ writes it, with a point; a whole number that no double is stays whole."""
    return number if isinstance(number, int) and abs(number) > _EXACT else float(number)


def _histogram_json(histogram: Histogram) -> dict[str, Any]:
    tail = {} if histogram.tail_count is None else {"tailCount": histogram.tail_count}
    return {
        "numberOfBins": histogram.bins,
        "values": {
            key: {"absolute": absolute, "ratio": ratio}
            for key, (absolute, ratio) in histogram.values.items()
        },
    } | tail


def _histogram(raw: Mapping[str, Any]) -> Histogram:
    return Histogram(
        bins=int(raw["numberOfBins"]),
        values={
            str(key): (one["absolute"], float(one["ratio"])) for key, one in raw["values"].items()
        },
        tail_count=raw.get("tailCount"),
    )


def _histogram_flat(histogram: Histogram) -> dict[str, float]:
    flat: dict[str, float] = {"bins": histogram.bins}
    for key, (absolute, ratio) in histogram.values.items():
        flat |= {f"abs.{key}": absolute, f"ratio.{key}": ratio}
    return flat


def _binned_json(binned: HistogramBinned) -> dict[str, Any]:
    return {
        "numberOfBins": len(binned.bins),
        "bins": [
            {
                "binStart": one.start,
                "binEnd": one.end,
                "frequency": one.frequency,
                "ratio": one.ratio,
            }
            for one in binned.bins
        ],
        "nullCount": binned.null_count,
    }


def _binned(raw: Mapping[str, Any]) -> HistogramBinned:
    return HistogramBinned(
        bins=tuple(
            Bin(
                start=float(one["binStart"]),
                end=float(one["binEnd"]),
                frequency=int(one["frequency"]),
                ratio=float(one["ratio"]),
            )
            for one in raw["bins"]
        ),
        null_count=int(raw.get("nullCount", 0)),
    )


def _binned_flat(binned: HistogramBinned) -> dict[str, float]:
    flat: dict[str, float] = {"bins": len(binned.bins), "nullCount": binned.null_count}
    for number, one in enumerate(binned.bins):
        flat |= {f"abs.bin{number}": one.frequency, f"ratio.bin{number}": one.ratio}
    return flat


def _kll_json(sketch: KLL) -> dict[str, Any]:
    return {
        "buckets": [
            {"lowValue": one.low, "highValue": one.high, "count": one.count}
            for one in sketch.buckets
        ],
        "parameters": [sketch.shrinking_factor, float(sketch.sketch_size)],
        "data": [list(level) for level in sketch.data],
    }


def _kll(raw: Mapping[str, Any]) -> KLL:
    factor, size = raw["parameters"]
    return KLL(
        buckets=tuple(
            Bucket(
                low=float(one["lowValue"]), high=float(one["highValue"]), count=int(one["count"])
            )
            for one in raw["buckets"]
        ),
        shrinking_factor=float(factor),
        sketch_size=int(size),
        data=tuple(tuple(float(one) for one in level) for level in raw["data"]),
    )


def _kll_flat(sketch: KLL) -> dict[str, float]:
    flat: dict[str, float] = {"buckets": len(sketch.buckets)}
    for number, one in enumerate(sketch.buckets):
        flat |= {f"low.{number}": one.low, f"high.{number}": one.high, f"count.{number}": one.count}
    return flat


_KINDS = (
    _Kind(
        metric="HistogramMetric",
        record=Histogram,
        write=_histogram_json,
        read=_histogram,
        flat=_histogram_flat,
    ),
    _Kind(
        metric="HistogramBinnedMetric",
        record=HistogramBinned,
        write=_binned_json,
        read=_binned,
        flat=_binned_flat,
    ),
    _Kind(metric="KLLMetric", record=KLL, write=_kll_json, read=_kll, flat=_kll_flat),
)
