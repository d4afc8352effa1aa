"""Reconciliation rules and expectations, as YAML has them, from a DAG file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.given import read_given
from airflow_metorikku.config.records.reconciliation import Expectation, ReconcileRule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.results.reconcile import Expected


@dataclass(frozen=True, kw_only=True)
class _Rules:
    reconcile: tuple[ReconcileRule, ...] = key("As in a job file.")


@dataclass(frozen=True, kw_only=True)
class _Thresholds:
    thresholds: Mapping[str, Literal["equal", "ignore"] | Expectation] = key("By control.")


def rules_of(given: Iterable[Any]) -> tuple[ReconcileRule, ...]:
    """Rules of a DAG file; raises ConfigError, as for a job file."""
    rules = list(given)
    if not rules:
        return ()
    return read_given(_Rules, {"reconcile": rules}, "reconcile of the DAG file").reconcile


def expectations_of(given: Mapping[str, Any] | None) -> dict[str, Expected]:
    """What a gate expects of controls, by `checkpoint.control` or by control; raises ConfigError."""
    if not given:
        return {}
    read = read_given(_Thresholds, {"thresholds": dict(given)}, "thresholds of the DAG file")
    return dict(read.thresholds)
