"""Nodes to records: what is taken, and the sentence and place of every mistake."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.interpolation import LITERAL_DOLLAR, Names
from airflow_metorikku.config.records.alerters import CustomAlerter, ExceptionAlerter
from airflow_metorikku.config.records.checks.keys import HasUniqueness
from airflow_metorikku.config.records.checks.numbers import HasMin
from airflow_metorikku.config.records.checks.rows import HasSize
from airflow_metorikku.config.records.controls import (
    ControlMeasures,
)
from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import MetricFile
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.config.records.reconciliation import Expectation
from airflow_metorikku.config.records.test_settings import TestSettings as Settings
from airflow_metorikku.config.report import BROKEN

JOB = "metrics: [m.yaml]\n"
STEP = "steps:\n- dataFrameName: t\n  sql: SELECT 1\n"
CHECK = STEP + "  dq:\n    checks:\n"
OUTPUT = STEP + "output:\n- dataFrameName: t\n"
CONTROLS = JOB + "controlMeasures:\n  source: {input: t}\n"


def test_job_in_full(read):
    job, problems = read(
        JobFile,
        JOB
        + """\
inputs:
  movies: {file: {path: movies.csv, format: csv, options: {header: true, sep: ;}}}
  ratings:
    file_date_range:
      template: r/%s.csv
      date_range: {format: yyyy-MM-dd, startDate: 2017-01-01, endDate: 2017-01-02}
variables: {a: 010, b: 1_000, c: 2017-09-01, d: 10:30, e: yes, f: "it's", g: 1e3, h: true, i: , j: ''}
quoteSparkVariables: "false"
showPreviewLines: 010
explain: on
logLevel: info
output: {file: {dir: out}}
sparkConf: {spark.sql.shuffle.partitions: 8}
alerters:
- exception
- custom: {class: my.Pager, params: {team: data, n: 3}, alertOn: [Critical]}
quality: {emptyData: warn}
failedDFLocationPrefix: failed
executorCores: "2"
""",
    )
    assert problems == []
    movies, ratings = job.inputs["movies"], job.inputs["ratings"]
    assert movies == FileInput(
        path="movies.csv", format="csv", options={"header": "true", "sep": ";"}
    )
    assert movies.at == Where(file="f.yaml", line=3)
    assert isinstance(ratings, FileDateRangeInput)
    assert ratings.date_range.start_date == "2017-01-01"
    assert job.variables == {
        "a": "010", "b": "1_000", "c": "2017-09-01", "d": "10:30", "e": "yes", "f": "it's", "g": "1e3",
        "h": "true", "i": "null", "j": "",
    }  # fmt: skip
    assert (job.quote_spark_variables, job.show_preview_lines, job.explain) == (False, 8, True)
    assert (job.log_level, job.failed_df_location_prefix, job.executor_cores) == (
        "INFO",
        "failed",
        2,
    )
    assert job.spark_conf == {"spark.sql.shuffle.partitions": "8"}
    pager = CustomAlerter(
        class_path="my.Pager", params={"team": "data", "n": 3}, alert_on=("critical",)
    )
    assert job.alerters == (ExceptionAlerter(), pager)
    assert job.quality.empty_data == "warn"


def test_metric_in_full(read):
    metric, problems = read(
        MetricFile,
        CHECK
        + """\
    - hasSize: {size: "100", operator: ">="}
    - hasMin: {column: x, between: [1_0, 25.50], level: ERROR, where: "y = ${v}"}
    - hasUniqueness: {columns: [a, b], warning: ">= 1.0", critical: ">= 0.98"}
    level: Warn
- {dataFrameName: u, classpath: my.code:run, params: {n: 010}, ignoreOnFailures: yes}
output:
- dataFrameName: t
  outputType: CSV
  format: csv
  outputOptions: {path: 3, saveMode: Overwrite, partitionBy: [k], extraOptions: {header: false, n: 1}}
""",
    )
    assert problems == []
    size, low, keys = metric.steps[0].dq.checks
    assert size == HasSize(size=100, operator=">=")
    assert low == HasMin(
        column="x", between=(Decimal(10), Decimal("25.50")), level="error", where_="y = ${v}"
    )
    assert isinstance(keys, HasUniqueness)
    assert keys.critical == Assertion(">=", Decimal("0.98"))
    assert metric.steps[0].dq.level == "warn"
    assert metric.steps[1].params == {"n": "010"}
    options = FileOptions(
        path="3",
        save_mode="overwrite",
        partition_by=("k",),
        extra_options={"header": "false", "n": "1"},
    )
    assert metric.output[0].output_options == options


# Record, text, and the problems that it must give: all of them.
MISTAKES = {
    "unknown key": (JobFile, JOB + "shwoPreviewLines: 4\n", ["2: shwoPreviewLines: unknown key 'shwoPreviewLines'; did you mean 'showPreviewLines'?"]),
    "key in another case": (JobFile, JOB + "appname: x\n", ["2: appname: unknown key 'appname'; did you mean 'appName'?"]),
    "missing key": (JobFile, "appName: x\n", ["1: key 'metrics' is missing: "]),
    "misspelt key explains a missing one": (JobFile, "metrcs: [a]\n", ["1: metrcs: unknown key 'metrcs'; did you mean 'metrics'?"]),
    "key without value": (JobFile, "appName: x\nmetrics:\n", ["2: metrics: got nothing, expected: Metric files"]),
    "misspelt key explains a rule": (MetricFile, "steps:\n- dataFrameName: t\n  sqll: SELECT 1\n", ["3: steps[0].sqll: unknown key 'sqll'; did you mean 'sql'?"]),
    "no metrics": (JobFile, "metrics: []\n", ["1: metrics: got an empty list"]),
    "list": (JobFile, "- a\n", ["1: got a list, expected a mapping with metrics"]),
    "text": (JobFile, "hello\n", ["1: got 'hello', expected a mapping with metrics"]),
    "text for a list": (JobFile, "metrics: m.yaml\n", ["1: metrics: got 'm.yaml', expected a list, as [m.yaml]"]),
    "item that is no text": (JobFile, "metrics:\n- m.yaml\n- [x]\n", ["3: metrics[1]: got a list, expected a text"]),
    "bool": (JobFile, JOB + "explain: maybe\n", ["2: explain: got 'maybe', expected true or false"]),
    "number without end": (JobFile, JOB + f"showPreviewLines: {'9' * 5000}\n", ["2: showPreviewLines: got '999"]),
    "quoted yes": (JobFile, JOB + 'explain: "yes"\n', ["2: explain: got 'yes', expected true or false"]),
    "number for a bool": (JobFile, JOB + "explain: 1\n", ["2: explain: got 1, expected true or false"]),
    "int": (JobFile, JOB + "showPreviewLines: some\n", ["2: showPreviewLines: got 'some', expected a whole number"]),
    "fraction for an int": (JobFile, JOB + "showPreviewLines: 1.5\n", ["2: showPreviewLines: got 1.5, expected a whole number"]),
    "time of day for an int": (JobFile, JOB + "showPreviewLines: 10:30\n", ["2: showPreviewLines: got '10:30', expected a whole number"]),
    "rule of a key": (JobFile, JOB + "showPreviewLines: -1\n", ["2: showPreviewLines: expected 0 or more, got -1"]),
    "word": (JobFile, JOB + "logLevel: LOUD\n", ["2: logLevel: got 'LOUD', expected one of ALL, TRACE"]),
    "word with a near one": (JobFile, JOB + "onFailedMetric: stopp\n", ["2: onFailedMetric: got 'stopp', expected one of stop, continue; did you mean 'stop'?"]),
    "list for a text": (JobFile, JOB + "appName: [x]\n", ["2: appName: got a list, expected a text"]),
    "list for a map": (JobFile, JOB + "variables: [x]\n", ["2: variables: got a list, expected a mapping"]),
    "mapping in a map of texts": (JobFile, JOB + "variables:\n  a: {b: c}\n", ["3: variables.a: got a mapping, expected SQL as a text"]),
    "null in a map of texts": (JobFile, JOB + "sparkConf:\n  a:\n", ["3: sparkConf.a: got nothing, expected a text"]),
    "later": (JobFile, JOB + "streaming: {triggerMode: Once}\n", ["2: streaming: known, but this version refuses it: streaming outputs come with a later version"]),
    "period without a unit": (JobFile, JOB + "periodic: {triggerDuration: 5}\n", ["2: periodic.triggerDuration: got '5', expected a number above 0 and a unit, as '20 minutes'"]),
    "code step that nobody has": (MetricFile, "steps:\n- dataFrameName: t\n  classpath: com.yotpo.metorikku.code.steps.SelectivMerge\n", ["3: steps[0].classpath: unknown code step of Metorikku's 'SelectivMerge'; did you mean 'SelectiveMerge'?"]),
    "code step that comes later": (MetricFile, "steps:\n- dataFrameName: t\n  classpath: com.yotpo.metorikku.code.steps.ToAvro\n", ["3: steps[0].classpath: got 'com.yotpo.metorikku.code.steps.ToAvro': known, but this version refuses it: it comes with the streams"]),
    "later, in an input": (JobFile, JOB + "inputs:\n  a:\n    file:\n      path: x\n      isStream: true\n", ["6: inputs.a.file.isStream: known, but this version refuses it"]),
    "database nowhere": (JobFile, JOB + "inputs:\n  a:\n    jdbc: {table: x}\n", ["4: inputs.a.jdbc: needs connectionUrl, or connection"]),
    "database, odd URL": (JobFile, JOB + "output:\n  jdbc:\n    connectionUrl: postgres://h/d\n", ["4: output.jdbc.connectionUrl: expected a JDBC URL"]),
    "table nowhere": (MetricFile, "steps: [{dataFrameName: t, sql: SELECT 1}]\noutput:\n- dataFrameName: t\n  outputType: JDBC\n  outputOptions: {saveMode: append}\n", ["5: output[0].outputOptions: key 'dbTable' is missing"]),
    "no save mode": (MetricFile, "steps: [{dataFrameName: t, sql: SELECT 1}]\noutput:\n- dataFrameName: t\n  outputType: JDBC\n  outputOptions: {dbTable: t}\n", ["5: output[0].outputOptions: key 'saveMode' is missing"]),
    "odd save mode": (MetricFile, "steps: [{dataFrameName: t, sql: SELECT 1}]\noutput:\n- dataFrameName: t\n  outputType: JDBC\n  outputOptions:\n    dbTable: t\n    saveMode: upsert\n", ["7: output[0].outputOptions.saveMode: got 'upsert'"]),
    "query of two minds": (MetricFile, "steps: [{dataFrameName: t, sql: SELECT 1}]\noutput:\n- dataFrameName: t\n  outputType: JDBCQuery\n  outputOptions:\n    query: INSERT INTO t VALUES (?, $1)\n", ["6: output[0].outputOptions.query: has ? and $1, expected one kind"]),
    "later input": (JobFile, JOB + "inputs:\n  a:\n    kafka: {topic: x}\n", ["4: inputs.a.kafka: known, but this version refuses it: reading from this system"]),
    "later input, misspelt": (JobFile, JOB + "inputs:\n  a:\n    kafka:\n      topik: x\n", ["4: inputs.a.kafka: known", "5: inputs.a.kafka.topik: unknown key 'topik'; did you mean 'topic'?"]),
    "input as a path": (JobFile, JOB + "inputs:\n  a: movies.csv\n", ["3: inputs.a: got 'movies.csv', expected a mapping with the kind of input, one of file, file_date_range"]),
    "unknown input": (JobFile, JOB + "inputs:\n  a: {fiel: {path: x}}\n", ["3: inputs.a.fiel: unknown input 'fiel'; did you mean 'file'?"]),
    "empty input": (JobFile, JOB + "inputs:\n  a: {}\n", ["3: inputs.a: got an empty mapping, expected the kind of input"]),
    "input without path": (JobFile, JOB + "inputs:\n  a:\n    file:\n", ["4: inputs.a.file: key 'path' is missing: File, folder or glob"]),
    "input with a dot": (JobFile, JOB + "inputs:\n  a.b: {file: {path: x}}\n", ["3: inputs.a.b: got 'a.b', expected letters, digits and _"]),
    "input without a text for its path": (JobFile, JOB + 'inputs:\n  a:\n    file: {path: ""}\n', ["4: inputs.a.file.path: got '', expected a path"]),
    "input with two commas": (JobFile, JOB + "inputs:\n  a:\n    file: {path: 'x,,y'}\n", ["4: inputs.a.file.path: got 'x,,y', expected a path, or several with one comma between two"]),
    "inputs of one name to SQL": (JobFile, JOB + "inputs:\n  a: {file: {path: x}}\n  A: {file: {path: y}}\n", ["4: inputs.A: is the same name as 'a' to SQL"]),
    "count beyond Spark's": (JobFile, JOB + "showPreviewLines: 99999999999\n", ["2: showPreviewLines: expected at most 2147483647, got 99999999999"]),
    "range backwards": (JobFile, JOB + "inputs:\n  a:\n    file_date_range:\n      template: x%s\n      date_range:\n        format: yyyy\n        startDate: 2020\n        endDate: 2019\n", ["9: inputs.a.file_date_range.date_range.endDate: '2019' is before startDate '2020'"]),
    "template without a place": (JobFile, JOB + "inputs:\n  a:\n    file_date_range:\n      template: x\n      date_range: {format: yyyy, startDate: 2020, endDate: 2020}\n", ["5: inputs.a.file_date_range.template: got 'x', expected %s where the day goes"]),
    "alerter": (JobFile, JOB + "alerters:\n- slak: {token: x}\n", ["3: alerters[0].slak: unknown alerter 'slak'; did you mean 'slack'?"]),
    "alerter without what it needs": (JobFile, JOB + "alerters:\n- slack\n", ["3: alerters[0]: needs connection or token"]),
    "alert level": (JobFile, JOB + "alerters:\n- exception: {alertOn: [warn]}\n", ["3: alerters[0].exception.alertOn[0]: got 'warn', expected one of good, information, warning, critical"]),
    "view name": (MetricFile, "steps:\n- {dataFrameName: my df, sql: SELECT 1}\n", ["2: steps[0].dataFrameName: got 'my df', expected letters, digits and _"]),
    "step without a body": (MetricFile, "steps:\n- dataFrameName: t\n", ["2: steps[0]: needs one of sql, file, python, classpath"]),
    "step without a name": (MetricFile, "steps:\n- sql: SELECT 1\n", ["2: steps[0]: key 'dataFrameName' is missing"]),
    "two mistakes in two steps": (MetricFile, "steps:\n- {dataFrameName: t}\n- {sql: x, cache: 7}\n", ["2: steps[0]: needs one of", "3: steps[1]: key 'dataFrameName' is missing", "3: steps[1].cache: got 7, expected true or false"]),
    "check": (MetricFile, CHECK + "    - isComplet: {column: x}\n", ["6: steps[0].dq.checks[0].isComplet: unknown check 'isComplet'; did you mean 'isComplete'?"]),
    "two checks in an item": (MetricFile, CHECK + "    - isComplete: {column: x}\n      isUnique: {column: x}\n", ["7: steps[0].dq.checks[0]: got isComplete and isUnique, expected one check an item"]),
    "check as a text": (MetricFile, CHECK + "    - isComplete\n", ["6: steps[0].dq.checks[0]: got 'isComplete', expected a mapping with the kind of check"]),
    "assertion": (MetricFile, CHECK + '    - hasMin: {column: x, assertion: ">> 1"}\n', ["6: steps[0].dq.checks[0].hasMin.assertion: got '>> 1', expected one of =="]),
    "between": (MetricFile, CHECK + "    - hasMin: {column: x, between: [1, 2, 3]}\n", ["6: steps[0].dq.checks[0].hasMin.between: got 3 numbers, expected two"]),
    "between backwards": (MetricFile, CHECK + "    - hasMin: {column: x, between: [2, 1]}\n", ["6: steps[0].dq.checks[0].hasMin: nothing lies between 2 and 1"]),
    "between of texts": (MetricFile, CHECK + "    - hasMin: {column: x, between: [a, 1]}\n", ["6: steps[0].dq.checks[0].hasMin.between[0]: got 'a', expected a number"]),
    "size that is broken does not miss": (MetricFile, CHECK + '    - hasSize: {size: many, operator: ">="}\n', ["6: steps[0].dq.checks[0].hasSize.size: got 'many', expected a whole number"]),
    "operator": (MetricFile, CHECK + '    - hasSize: {size: 1, operator: "=>"}\n', ["6: steps[0].dq.checks[0].hasSize.operator: got '=>', expected one of ==, !=, >=, >, <=, <"]),
    "checks of a level": (MetricFile, CHECK + "    - isComplete: {column: x}\n    level: eror\n", ["7: steps[0].dq.level: got 'eror', expected one of warn, warning, error, critical; did you mean 'error'?"]),
    "no checks": (MetricFile, STEP + "  dq: {level: error}\n", ["4: steps[0].dq: needs checks, or dqdl, a text of rules"]),
    "output type": (MetricFile, OUTPUT + "  outputType: parquet\n  outputOptions: {path: x}\n", ["6: output[0].outputType: unknown output type 'parquet'; did you mean 'Parquet'?"]),
    "output type with wrong options is one mistake": (MetricFile, OUTPUT + "  outputType: Parquett\n  outputOptions: {pth: x}\n", ["6: output[0].outputType: unknown output type 'Parquett'; did you mean 'Parquet'?"]),
    "output type that comes later": (MetricFile, OUTPUT + "  outputType: Kafka\n  outputOptions: {topic: x}\n", ["6: output[0].outputType: Kafka: known, but this version refuses it"]),
    "output type missing": (MetricFile, OUTPUT + "  outputOptions: {path: x}\n", ["5: output[0]: key 'outputType' is missing"]),
    "output without path": (MetricFile, OUTPUT + "  outputType: JSON\n", ["5: output[0]: outputOptions: path is missing, the folder to write"]),
    "save mode": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions:\n    path: x\n    saveMode: Overwrit\n", ["9: output[0].outputOptions.saveMode: got 'Overwrit', expected one of append, overwrite, ignore, error, errorifexists, default; did you mean 'overwrite'?"]),
    "partitionBy as a text": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, partitionBy: k}\n", ["7: output[0].outputOptions.partitionBy: got 'k', expected a list, as [k]"]),
    "dynamic without partitions": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, partitionOverwrite: dynamic}\n", ["7: output[0].outputOptions.partitionOverwrite: dynamic needs partitionBy"]),
    "two formats": (MetricFile, OUTPUT + "  outputType: File\n  format: orc\n  outputOptions: {path: x, format: json}\n", ["7: output[0].format: got 'orc' here and 'json' in outputOptions"]),
    "format of another type": (MetricFile, OUTPUT + "  outputType: JSON\n  format: orc\n  outputOptions: {path: x}\n", ["7: output[0].format: 'orc' does not fit outputType JSON; use outputType: File"]),
    "repartition": (MetricFile, OUTPUT + "  outputType: JSON\n  repartition: 0\n  outputOptions: {path: x}\n", ["7: output[0].repartition: expected 1 or more, got 0"]),
    "repartition beyond Spark's": (MetricFile, OUTPUT + "  outputType: JSON\n  repartition: 2147483648\n  outputOptions: {path: x}\n", ["7: output[0].repartition: expected at most 2147483647"]),
    "table of three parts": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, tableName: a.b.c}\n", ["7: output[0].outputOptions.tableName: got 'a.b.c', expected table or database.table"]),
    "a property that is Spark's own": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, tableName: t, tableProperties: {owner: b}}\n", ["7: output[0].outputOptions.tableProperties.owner: 'owner' is kept for Spark itself; give it another name"]),
    "a property below Spark's own": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions:\n    path: x\n    tableName: t\n    tableProperties: {Owner: b, spark.sql.x: c}\n", ["10: output[0].outputOptions.tableProperties.spark.sql.x: 'spark.sql.x' is kept"]),
    "a way to start that there is not": (JobFile, "metrics: [m.yaml]\nsparkConf:\n  spark.metorikku.fastStart: fast\n", ["3: sparkConf.spark.metorikku.fastStart: got 'fast', expected one of archive, short, off"]),
    "a time that is none": (JobFile, "metrics: [m.yaml]\nsparkConf:\n  spark.metorikku.publish.waitSeconds: -1\n", ["3: sparkConf.spark.metorikku.publish.waitSeconds: got '-1', expected a number of seconds"]),
    "a setting of ours that there is not": (JobFile, "metrics: [m.yaml]\nsparkConf:\n  spark.metorikku.faststart: short\n", ["3: sparkConf.spark.metorikku.faststart: there is no such setting, expected one of spark.metorikku.fastStart"]),
    "properties of no table": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, tableProperties: {a: b}}\n", ["7: output[0].outputOptions.tableProperties: needs tableName"]),
    "schema of no table": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {path: x, alwaysUpdateSchemaInCatalog: false}\n", ["7: output[0].outputOptions.alwaysUpdateSchemaInCatalog: needs tableName"]),
    "neither path nor table": (MetricFile, OUTPUT + "  outputType: JSON\n", ["5: output[0]: outputOptions: path is missing"]),
    "table with a blank": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {tableName: a b}\n", ["7: output[0].outputOptions.tableName: got 'a b', expected letters, digits and _"]),
    "unique folder of no path": (MetricFile, OUTPUT + "  outputType: JSON\n  outputOptions: {tableName: t, createUniquePath: true}\n", ["7: output[0].outputOptions: createUniquePath needs a path"]),
    "control type": (JobFile, JOB + "controlMeasures:\n  source:\n    input: t\n    columns: [id, {price: aggregateTotal}]\n", ["5: controlMeasures.source.columns: price: unknown control type 'aggregateTotal'; did you mean 'aggregatedTotal'?"]),
    "control of two columns": (JobFile, JOB + "controlMeasures:\n  source: {input: t, columns: [{a: count, b: count}]}\n", ["3: controlMeasures.source.columns: got {'a': 'count', 'b': 'count'}, expected a name or one pair"]),
    "controls without a source": (JobFile, JOB + "controlMeasures: {level: warn}\n", ["2: controlMeasures: source: is missing: where"]),
    "rule against two files": (JobFile, CONTROLS + "  reconcile:\n  - checkpoint: a\n    against: {infoFile: x, totals: y}\n", ["6: controlMeasures.reconcile[0].against: expected infoFile or totals, one of the two"]),
    "rule against nothing known": (JobFile, CONTROLS + "  reconcile:\n  - checkpoint: a\n    against: {total: y}\n", ["6: controlMeasures.reconcile[0].against.total: unknown key 'total'; did you mean 'totals'?"]),
    "rule for no control": (JobFile, CONTROLS + "  reconcile:\n  - {checkpoint: a, control: []}\n", ["5: controlMeasures.reconcile[0].control: expected a name, or a list of names"]),
    "percent for a ratio": (JobFile, CONTROLS + "  reconcile:\n  - checkpoint: a\n    expect: {maxLoss: 80}\n", ["6: controlMeasures.reconcile[0].expect.maxLoss: got 80, expected 0 to 1; 80 % is 0.8"]),
    "limit below zero": (JobFile, CONTROLS + "  reconcile:\n  - checkpoint: a\n    expect: {maxAbsoluteLoss: -1}\n", ["6: controlMeasures.reconcile[0].expect.maxAbsoluteLoss: got -1, expected 0 or more"]),
    "two ways of sources": (JobFile, CONTROLS + "  sources: [{input: u}]\n", ["4: controlMeasures.sources: stands beside source"]),
    "sources of one name": (JobFile, JOB + "controlMeasures:\n  sources: [{input: u}, {input: u, columns: [a]}]\n", ["3: controlMeasures.sources: 'u' stands 2 times; give each a name"]),
    "info file among data": (JobFile, CONTROLS + "  fileName: info.json\n", ["4: controlMeasures.fileName: got 'info.json', expected a name that begins with _ or ."]),
    "info file in a folder": (JobFile, CONTROLS + "  fileName: a/_INFO\n", ["4: controlMeasures.fileName: got 'a/_INFO', expected the name of a file"]),
    "no info file name": (JobFile, CONTROLS + "  fileName: ''\n", ["4: controlMeasures.fileName: got '', expected the name of a file"]),
    "info file of a source": (JobFile, JOB + "controlMeasures:\n  source: {input: t, fileName: a}\n", ["3: controlMeasures.source.fileName: got 'a'"]),
    "permissions": (JobFile, CONTROLS + "  filePermissions: '1'\n", ["4: controlMeasures.filePermissions: got '1', expected three octal digits"]),
    "no permissions": (JobFile, CONTROLS + "  filePermissions: ''\n", ["4: controlMeasures.filePermissions: got '', expected three octal digits"]),
    "permissions of no octal": (JobFile, CONTROLS + "  filePermissions: 789\n", ["4: controlMeasures.filePermissions: got '789', expected three octal digits"]),
    "zone": (JobFile, CONTROLS + "  timeZone: Mars/Olympus\n", ["4: controlMeasures.timeZone: got 'Mars/Olympus', expected the name of a zone"]),
    "storage level": (JobFile, CONTROLS + "  cache: MEMORY_AND_DISC\n", ["4: controlMeasures.cache: unknown storage level 'MEMORY_AND_DISC'; did you mean 'MEMORY_AND_DISK'?"]),
    "listener": (JobFile, CONTROLS + "  listeners: [dashboard]\n", ["4: controlMeasures.listeners: got 'dashboard', expected module:function"]),
    "source of nothing": (JobFile, JOB + "controlMeasures:\n  source: {columns: [a]}\n", ["3: controlMeasures.source: needs input or infoFile"]),
    "expectation": (JobFile, CONTROLS + "  reconcile:\n  - {checkpoint: a, expect: same}\n", ["5: controlMeasures.reconcile[0].expect: got 'same', expected one of equal, ignore"]),
    "expectation of nothing": (JobFile, CONTROLS + "  reconcile:\n  - {checkpoint: a, expect: {}}\n", ["5: controlMeasures.reconcile[0].expect: needs tolerance, maxLoss or maxGain"]),
    "connection": (JobFile, JOB + "appName: ${conn.db.host}\n", ["2: appName: got ${conn.db.host}; expected it only in inputs, outputs, instrumentation or sparkConf"]),
    "connection in SQL": (MetricFile, "steps:\n- dataFrameName: t\n  sql: SELECT '${conn.db.host}'\n", ["3: steps[0].sql: got ${conn.db.host} in SQL, where it would be seen"]),
    "check in a composite": (MetricFile, "steps:\n- dataFrameName: t\n  sql: SELECT 1\n  dq:\n    checks:\n    - allOf:\n        checks:\n        - isComplete: {column: a}\n        - isCompleet: {column: b}\n", ["9: steps[0].dq.checks[0].allOf.checks[1].isCompleet: unknown check 'isCompleet'"]),
    "test": (Settings, "metric: m.yaml\ntests:\n  t:\n    a: 1\n", ["4: tests.t: got a mapping, expected a list"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, read):
    record, text, expected = MISTAKES[case]
    _, problems = read(record, text)
    problems = sorted(problems)
    assert len(problems) == len(expected), problems
    for problem, start in zip(problems, sorted(expected), strict=True):
        assert problem.startswith(start)


def test_broken_parts_are_left_out_and_the_rest_is_read(read):
    metric, problems = read(
        MetricFile, "steps:\n- {dataFrameName: a}\n- {dataFrameName: b, sql: SELECT 1, cache: 7}\n"
    )
    assert len(problems) == 2
    assert [step.data_frame_name for step in metric.steps] == ["b"]


def test_record_that_lacks_what_it_needs_is_broken(read):
    job, problems = read(JobFile, "appName: x\n")
    assert job is BROKEN
    assert len(problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        JOB
        + "periodic:\nstreaming: null\ncatalog: ~\n",  # null is absent, also for what comes later
        JOB + "inputs:\n  a: {file: {path: x, isStream: false}}\n",  # the default is not a use
        JOB + "cacheCountOnOutput: true\nvariables:\ninputs: {}\n",
    ],
)
def test_not_a_mistake(read, text):
    job, problems = read(JobFile, text)
    assert problems == []
    assert isinstance(job, JobFile)


def test_first_of_several_inputs_wins(read):
    job, problems = read(JobFile, JOB + "inputs:\n  a: {kafka: {topic: x}, file: {path: x}}\n")
    assert problems == []
    assert job.inputs == {"a": FileInput(path="x")}


def test_control_measures(read):
    job, problems = read(
        JobFile,
        CONTROLS.replace("t}", "t, columns: [id, {price: aggregatedTotal}]}")
        + "  renames: [{from: id, to: tradeId, at: Enriched}]\n"
        + "  reconcile: [{checkpoint: a, expect: {maxLoss: 1e-3}}, {checkpoint: b, expect: ignore}]\n",
    )
    assert problems == []
    controls = job.control_measures
    assert isinstance(controls, ControlMeasures)
    assert controls.source.typed_columns() == (("id", None), ("price", "aggregatedTotal"))
    assert controls.renames[0].at_checkpoint == "Enriched"
    assert [rule.expect for rule in controls.reconcile] == [Expectation(max_loss=0.001), "ignore"]


def test_expected_rows_are_plain_data(read):
    test, problems = read(
        Settings,
        "metric: m.yaml\ntests: {t: [{a: 010, b: 2017-09-01, c: 'x', d: ~, e: [1.5], f: {g: yes}}]}\nkeys: {t: [a]}\n",
    )
    assert problems == []
    assert test.tests["t"] == (
        {"a": 8, "b": "2017-09-01", "c": "x", "d": None, "e": [1.5], "f": {"g": True}},
    )
    assert test.keys == {"t": ("a",)}


GIVEN = Names(variables={"n": "4", "flag": "true", "v": "it's"})


def test_given_variables_are_raw_outside_sql_and_left_alone_inside(read):
    metric, problems = read(
        MetricFile,
        "steps:\n- dataFrameName: t\n  sql: SELECT ${v}\n  cache: ${flag}\n  params: {a: 'x ${v}'}\n"
        "output:\n- {dataFrameName: t, outputType: JSON, repartition: ${n}, outputOptions: {path: out/${v}}}\n",
        GIVEN,
    )
    assert problems == []
    step, output = metric.steps[0], metric.output[0]
    assert (step.sql, step.cache, step.params) == ("SELECT ${v}", True, {"a": "x it's"})
    assert (output.repartition, output.output_options.path) == (4, "out/it's")


def test_names_that_stand_for_nothing_yet_are_no_mistake(read):
    text = JOB + (
        "showPreviewLines: ${n}\nlogLevel: ${level}\nappName: a ${ds}\n"
        "inputs:\n  a:\n    file_date_range:\n      template: x/%s\n"
        "      date_range: {format: yyyy-MM-dd, startDate: '${ds}', endDate: '${ds}'}\n"
    )
    job, problems = read(JobFile, text)
    assert problems == []
    assert (job.show_preview_lines, job.app_name) == (0, "a ${ds}")


def test_literal_dollars_are_text_outside_sql_and_marked_inside(read):
    metric, problems = read(
        MetricFile, "steps:\n- {dataFrameName: t, sql: 'SELECT $${x}', params: {a: '$${x}'}}\n"
    )
    assert problems == []
    assert metric.steps[0].sql == f"SELECT {LITERAL_DOLLAR}{{x}}"
    assert metric.steps[0].params == {"a": "${x}"}
