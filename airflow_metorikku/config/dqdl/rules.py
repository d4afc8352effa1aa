"""The rules of DQDL, each with the check that it becomes: one line in RULES."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.dqdl import references
from airflow_metorikku.config.dqdl.assertions import assertion_of
from airflow_metorikku.config.dqdl.records import Condition, Operand, Rule
from airflow_metorikku.config.records.analyzers import ANALYZER_NAMES
from airflow_metorikku.config.records.analyzers.declared import SchemaColumn
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.strategies import DynamicThreshold

Given = dict[str, Any]
Expression = Literal["none", "number", "number or rows", "values", "lengths", "type", "age"]
EXAMPLES: dict[Expression, str] = {
    "none": "",
    "number": "> 0.9",
    "number or rows": "= 0",
    "values": "between 1 and 5",
    "lengths": "<= 10",
    "type": '= "Integer"',
    "age": "<= 24 hours",
}
"""Of each kind of expression, one."""
SHARE_OF_ROWS = "`with threshold` is about the share of rows that hold"


@dataclass(frozen=True, kw_only=True)
class RuleType:
    """What a rule takes, and what becomes of it."""

    check: str
    parameters: tuple[str, ...] = ()
    """What they are, for people; the last may be repeated where it ends in `...`."""
    least: int | None = None
    """Parameters that must be there; default all."""
    expression: Expression = "number"
    where: bool = True
    make: Callable[[Rule], Given]

    @property
    def shape(self) -> str:
        """How it is written, for people."""
        needed = len(self.parameters) if self.least is None else self.least
        shown = [
            f'"{name}"' if number < needed else f'["{name}"]'
            for number, name in enumerate(self.parameters)
        ]
        return " ".join([*shown, *([] if self.expression == "none" else ["EXPRESSION"])])

    def takes(self, count: int) -> bool:
        """Whether so many parameters are right."""
        needed = len(self.parameters) if self.least is None else self.least
        repeated = bool(self.parameters) and self.parameters[-1].endswith("...")
        return needed <= count and (repeated or count <= len(self.parameters))


def check_of(rule: Rule) -> Any:
    """The check that a rule becomes, without its place; raises ValueError with a sentence."""
    conditions = [one for one in (rule.condition, rule.threshold) if one is not None]
    of_past = next((text for one in conditions if (text := one.of_past)), None)
    if of_past is None:
        return _check_of(rule)
    return _compared_with_past(_check_of(_with_numbers(rule)), rule, of_past)


def _with_numbers(rule: Rule) -> Rule:
    """The rule with 0, which every value can be, in the place of what earlier values give."""

    def known(condition: Condition | None) -> Condition | None:
        return condition if condition is None or not condition.of_past else _SOME

    return replace(rule, condition=known(rule.condition), threshold=known(rule.threshold))


_SOME = Condition(">=", (Operand("number"),))


def _compared_with_past(check: Any, rule: Rule, of_past: str) -> Any:
    """The metric of a check against its history, every value of it, as in DQDL."""
    metric = check.analyzer()
    is_number = RULES[rule.type].expression in ("number", "number or rows")
    of_values = rule.condition is not None and rule.condition.of_past and not is_number
    if of_values or check.pick() is not None or type(metric) not in ANALYZER_NAMES:
        raise ValueError(
            f"{rule.type}: is not compared with earlier values here, only numbers of the whole data frame are"
        )
    strategy = DynamicThreshold(assertion=of_past)
    return Anomaly(metric=metric, strategy=strategy, include_anomalies=True)


def _check_of(rule: Rule) -> Any:
    kind = RULES[rule.type]
    if not kind.takes(len(rule.parameters)):
        needs = kind.shape or "no parameters"
        raise ValueError(f"{rule.type}: got {len(rule.parameters)} parameters, expected {needs}")
    _check_expression(rule, kind)
    given = kind.make(rule)
    if rule.where is not None:
        given["where_"] = rule.where
    if rule.threshold is not None:
        given["assertion"] = assertion_of(rule.threshold, "with threshold")
    return CHECKS[kind.check](**given)


def _check_expression(rule: Rule, kind: RuleType) -> None:
    if kind.expression == "none" and rule.condition is not None:
        raise ValueError(f"{rule.type} takes no expression")
    if kind.expression not in ("none", "number or rows") and rule.condition is None:
        raise ValueError(f"{rule.type} needs an expression, as {EXAMPLES[kind.expression]}")
    if rule.threshold is not None and kind.expression in ("none", "number"):
        raise ValueError(f"{rule.type} takes no threshold; {SHARE_OF_ROWS}")
    if rule.where is not None and not kind.where:
        raise ValueError(f"{rule.type} takes no where: it is not about rows")
    if rule.tags:
        raise ValueError(f"{rule.type}: the tag {next(iter(rule.tags))!r} has no meaning here")


def _number(rule: Rule) -> Given:
    assert rule.condition is not None, rule
    return {"assertion": assertion_of(rule.condition, rule.type)}


def _column(rule: Rule) -> Given:
    return {"column": rule.parameters[0]}


def _column_number(rule: Rule) -> Given:
    return _column(rule) | _number(rule)


def _columns_number(rule: Rule) -> Given:
    return {"columns": rule.parameters} | _number(rule)


def _other_number(rule: Rule) -> Given:
    return {"other": rule.parameters[0]} | _number(rule)


def _pair_number(rule: Rule) -> Given:
    return {"column_a": rule.parameters[0], "column_b": rule.parameters[1]} | _number(rule)


def _key(rule: Rule) -> Given:
    return {"column": rule.parameters[0], "more": rule.parameters[1:], "nulls": "fail"}


def _values(rule: Rule) -> Given:
    condition = rule.condition
    assert condition is not None, rule
    if "duration" in condition.kinds:
        raise ValueError(f"{rule.type}: a time is compared, as with (now() - 3 days)")
    texts, times = condition.texts("text"), condition.texts("time")
    # A text that is compared by its order, or stands beside a time, is a date.
    if texts and (times or condition.operator in (">", ">=", "<", "<=", "between", "not between")):
        texts, times = (
            (),
            tuple(one.text for one in condition.operands if one.kind in ("text", "time")),
        )
    return _column(rule) | {
        "operator": condition.operator,
        "numbers": condition.numbers,
        "texts": texts,
        "times": times,
        "missing": condition.texts("missing"),
    }


def _lengths(rule: Rule) -> Given:
    condition = rule.condition
    assert condition is not None, rule
    if condition.kinds != {"number"}:
        raise ValueError(f"{rule.type}: a length is compared with numbers")
    return _column(rule) | {"operator": condition.operator, "numbers": condition.numbers}


# By what a value must be to what a time must be: what is at most so old is not before.
_TURNED = {
    ">": "<", ">=": "<=", "<": ">", "<=": ">=", "between": "between", "not between": "not between",
}  # fmt: skip


def _age(rule: Rule) -> Given:
    """Every value's age, so that the value stands beside a time before now."""
    condition = rule.condition
    assert condition is not None, rule
    if condition.kinds != {"duration"} or condition.operator not in _TURNED:
        raise ValueError(
            f"{rule.type}: expected an age in days, hours or minutes and one of {', '.join(_TURNED)}"
        )
    odd = next((one for one in condition.operands if one.number != one.number.to_integral()), None)
    if odd:
        raise ValueError(f"{rule.type}: got {odd.number} {odd.text}s, expected a whole number")
    times = [f"now() - {one.number:f} {one.text}s" for one in reversed(condition.operands)]
    return _column(rule) | {"operator": _TURNED[condition.operator], "times": tuple(times)}


_TYPES = {
    "BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "timestamp", "INTEGER": "int",
    "DOUBLE": "double", "FLOAT": "float", "LONG": "long",
}  # fmt: skip
_DECIMAL = re.compile(r"DECIMAL\((\d+), *(\d+)\)")


def _type(rule: Rule) -> Given:
    condition = rule.condition
    assert condition is not None, rule
    if condition.kinds != {"text"} or condition.operator not in ("==", "!="):
        raise ValueError(f'{rule.type}: expected a type, as = "Integer"')
    name = condition.texts("text")[0]
    column: Given = {"name": rule.parameters[0], "nullable": False}
    if match := _DECIMAL.fullmatch(name.upper()):
        column |= {"type": "decimal", "precision": int(match[1]), "scale": int(match[2])}
    elif name.upper() in _TYPES:
        column["type"] = _TYPES[name.upper()]
    else:
        known = ", ".join(one.capitalize() for one in _TYPES)
        raise ValueError(f"{rule.type}: unknown type {name!r}; known are {known}, Decimal(p, s)")
    given: Given = {"columns": (SchemaColumn(**column),)}
    if condition.operator == "!=":
        if rule.threshold is not None:
            raise ValueError(f"{rule.type}: != takes no threshold")
        given["assertion"] = Assertion("==", Decimal(0))
    return given


def _of_column(check: str) -> RuleType:
    """A number of one column."""
    return RuleType(check=check, parameters=("column",), make=_column_number)


RULES: dict[str, RuleType] = {
    "RowCount": RuleType(check="hasSize", make=_number),
    "IsComplete": RuleType(
        check="isComplete", parameters=("column",), expression="none", make=_column
    ),
    "Completeness": _of_column("hasCompleteness"),
    "IsUnique": RuleType(check="isUnique", parameters=("column",), expression="none", make=_column),
    "Uniqueness": RuleType(check="hasUniqueness", parameters=("column...",), make=_columns_number),
    "Mean": _of_column("hasMean"),
    "Sum": _of_column("hasSum"),
    "StandardDeviation": _of_column("hasStandardDeviation"),
    "Variance": _of_column("hasVariance"),
    "Skewness": _of_column("hasSkewness"),
    "Kurtosis": _of_column("hasKurtosis"),
    "Range": _of_column("hasRange"),
    "InterquartileRange": _of_column("hasInterquartileRange"),
    "ZerosCount": _of_column("hasZerosCount"),
    "ColumnCorrelation": RuleType(
        check="hasCorrelation", parameters=("column", "column"), make=_pair_number
    ),
    "IsPrimaryKey": RuleType(
        check="isPrimaryKey", parameters=("column...",), expression="none", make=_key
    ),
    "UniqueValueRatio": RuleType(
        check="hasUniqueValueRatio", parameters=("column...",), make=_columns_number
    ),
    "DistinctValuesCount": _of_column("hasNumberOfDistinctValues"),
    "Entropy": _of_column("hasEntropy"),
    "DuplicateRowCount": RuleType(
        check="hasDuplicateRowCount", parameters=("column...",), least=0, make=_columns_number
    ),
    "CustomSql": RuleType(
        check="customSql",
        parameters=("query",),
        expression="number or rows",
        where=False,
        make=references.custom_sql,
    ),
    "DatasetMatch": RuleType(
        check="doesDatasetMatch",
        parameters=("data frame", "key->key, ...", "column->column, ..."),
        least=2,
        make=lambda rule: references.dataset_match(rule) | _number(rule),
    ),
    "ReferentialIntegrity": RuleType(
        check="referentialIntegrity",
        parameters=("column, ...", "data frame.{column, ...}"),
        make=lambda rule: references.referential_integrity(rule) | _number(rule),
    ),
    "RowCountMatch": RuleType(
        check="rowCountMatch", parameters=("data frame",), make=_other_number
    ),
    "SchemaMatch": RuleType(
        check="schemaMatch", parameters=("data frame",), where=False, make=_other_number
    ),
    "AggregateMatch": RuleType(
        check="customSql",
        parameters=("sum(column)", "sum(data frame.column)"),
        where=False,
        make=lambda rule: references.aggregate_match(rule) | _number(rule),
    ),
    "ColumnCount": RuleType(check="hasColumnCount", where=False, make=_number),
    "ColumnExists": RuleType(
        check="hasColumn", parameters=("column",), expression="none", where=False, make=_column
    ),
    "ColumnNamesMatchPattern": RuleType(
        check="columnNamesMatch",
        parameters=("pattern",),
        expression="none",
        where=False,
        make=lambda rule: {"pattern": rule.parameters[0]},
    ),
    "ColumnValues": RuleType(
        check="columnValues", parameters=("column",), expression="values", make=_values
    ),
    "ColumnLength": RuleType(
        check="columnLength", parameters=("column",), expression="lengths", make=_lengths
    ),
    "ColumnDataType": RuleType(
        check="hasRowSchema", parameters=("column",), expression="type", make=_type
    ),
    "DataFreshness": RuleType(
        check="columnValues", parameters=("column",), expression="age", make=_age
    ),
}
