"""What the migration pages for users of Deequ, PyDeequ and Waimak say beside the lists of differences; `dev/docs` makes the pages."""

from __future__ import annotations

from collections.abc import Sequence

Mapping = Sequence[tuple[str, str]]

DEEQU = """
# Coming from Deequ

What Deequ's `VerificationSuite` checks is written as YAML in a step's `dq` block, with the names of Deequ's methods and the
same numbers; `DataQualityOperator` checks data that no job makes. The real Deequ answered some 3,900 questions about odd
data; its answers are in `tests/oracle/deequ` and are tests. Where this project answers otherwise, the reason stands below.

```scala
VerificationSuite().onData(orders)
  .addCheck(Check(CheckLevel.Error, "orders")
    .isComplete("id")
    .hasCompleteness("isin", _ >= 0.95, Some("the feed loses some")).where("country = 'ZA'"))
  .run()
```

```yaml
dq:
  level: error
  name: orders
  checks:
    - isComplete: {column: id}
    - hasCompleteness: {column: isin, assertion: ">= 0.95", hint: the feed loses some, where: "country = 'ZA'"}
```

Every check of the [reference](reference.md#checks) has the name of Deequ's method.
"""
DEEQU_MAPPING: Mapping = (
    ("`VerificationSuite().onData(df)`", "a step's `dq` block; or [`DataQualityOperator`](airflow.md#checks-of-data-that-no-job-makes)"),
    ("`Check(CheckLevel.Error, \"text\")`", "`level: error`, `name: text`; each check may have a `level` of its own"),
    ("`CheckLevel.Warning`", "`level: warn`"),
    ("`_ >= 0.9`, `_ == 3`", "`assertion: \">= 0.9\"`, `\"== 3\"`, `\"between 1 and 5\"`"),
    ("two checks of the same analyzer, at two levels", "`warning: \">= 1.0\"`, `critical: \">= 0.98\"`: one computation"),
    ("`.where(filter)`", "`where`, on each check"),
    ("`hint`", "`hint`"),
    ("`VerificationResult.status`", "the verdict: `good`, `warning`, `critical`; a gate turns red"),
    ("`checkResultsAsDataFrame`", "`result.json`, `metorikku show`, `metorikku report`"),
    ("`AnalysisRunner`, `addRequiredAnalyzer`", "`anomaly: {metric: {Mean: {column: price}}, ...}` for histories; analyzers keep Deequ's names"),
    ("`useRepository`, `FileSystemMetricsRepository`", "`quality: {history: ...}`: one file a run, in Deequ's own JSON; Deequ's files are read by `repositories`"),
    ("`ResultKey(date, tags)`", "the run's logical date; `quality: {tags: {...}}`"),
    ("`addAnomalyCheck(strategy, analyzer)`", "check `anomaly: {metric: ..., strategy: ...}`, or `DataQualitySensor(repository=..., anomaly=...)`"),
    ("`RelativeRateOfChangeStrategy(maxRateDecrease = Some(0.5))`", "`{RelativeRateOfChange: {maxRateDecrease: 0.5}}`; all strategies without the word Strategy"),
)  # fmt: skip

PYDEEQU = """
# Coming from PyDeequ

What PyDeequ's `VerificationSuite(spark)` checks is written as YAML, with the names of its methods. No JAR of Deequ and no
callback server are needed, checks run on Spark 3.5 and 4, and a session ends by itself.
All that is said in [Coming from Deequ](from-deequ.md) of values and verdicts holds here too.
"""
PYDEEQU_MAPPING: Mapping = (
    ("`Check(spark, CheckLevel.Warning, \"text\")`", "a `dq` block with `level: warn`, `name: text`"),
    ("`check.hasSize(lambda x: x >= 3)`", "`hasSize: {assertion: \">= 3\"}`"),
    ("`check.isContainedIn(\"b\", [\"a\", \"b\"])`", "`isContainedIn: {column: b, allowedValues: [a, b]}`"),
    ("`check.satisfies(\"a > b\", \"rule\", lambda x: x >= 0.9)`", "`satisfies: {predicate: a > b, name: rule, assertion: \">= 0.9\"}`"),
    ("`check.hasPattern(column, r\"\\d+\")`", "`hasPattern: {column: column, pattern: \"\\\\d+\"}`"),
    ("`VerificationResult.checkResultsAsDataFrame(spark, result)`", "`result.json`, `metorikku show`"),
    ("`FileSystemMetricsRepository(spark, path)`", "`quality: {history: {repositories: {orders: path}}}` reads the same file"),
    ("`ResultKey(spark, millis, tags)`", "the run's logical date; `quality: {tags: ...}`"),
    ("`AnalysisRunner(spark).onData(df).addAnalyzer(Size())`", "checks without an effect: `level: warn`"),
    ("`spark.sparkContext._gateway.shutdown_callback_server()`", "nothing: there is no callback server"),
)  # fmt: skip

WAIMAK = """
# Coming from Waimak

The properties of `spark.waimak.dataflow.extensions` (`deequ`, `cacheasparquet`, `sparkcache`) work as they are: in a job's
`sparkConf`, in a file for `metorikku run --properties-file FILE`, and in the `conf` of the Spark task
(`MetorikkuDag("job.yaml", spark={"conf": {...}})`). A label is a data frame: a step, or an input.

```yaml
metrics: [orders.yaml]
sparkConf:
  spark.waimak.dataflow.extensions: deequ
  spark.waimak.dataquality.alerters: slack, exception
  spark.waimak.dataquality.alerters.slack.alertOn: warning, critical
  spark.waimak.dataquality.alerters.slack.connection: slack_alerts      # instead of a token in a file
  spark.waimak.dataquality.alerters.exception.alertOn: critical
  spark.waimak.dataquality.deequ.labelsToMonitor: orders
  spark.waimak.dataquality.deequ.labels.orders.checks: completenessCheck, recentTimestampCheck
  spark.waimak.dataquality.deequ.labels.orders.completenessCheck.columns: id, customer
  spark.waimak.dataquality.deequ.labels.orders.completenessCheck.criticalThreshold: "0.98"
  spark.waimak.dataquality.deequ.labels.orders.recentTimestampCheck.column: ordered_at
```

`metorikku check` names a wrong property by its line; `metorikku plan` lists the constraints that they become. The same
checks and alerters in YAML:
"""
WAIMAK_MAPPING: Mapping = (
    ("`deequ.labels.L.completenessCheck.*`", "[`completenessCheck`](reference.md#completenesscheck) in the `dq` block of step `L`, with the same parameters"),
    ("`deequ.labels.L.uniquenessCheck.*`", "[`uniquenessCheck`](reference.md#uniquenesscheck)"),
    ("`deequ.labels.L.recentTimestampCheck.*`", "[`recentTimestampCheck`](reference.md#recenttimestampcheck)"),
    ("`deequ.labels.L.genericSQLCheck.*`", "[`genericSQLCheck`](reference.md#genericsqlcheck), with lists instead of `;`"),
    ("`deequ.metricsStoragePath`", "`quality: {history: {path: ...}}`"),
    ("`alerters`, `alerters.K.alertOn`", "`alerters: [{K: {alertOn: [...]}}]` of the job"),
    ("`alerters.slack.token`", "`slack: {token: ...}`, or better `slack: {connection: NAME}`"),
    ("`alerters.email.*`", "`email: {...}`, with the same keys"),
    ("an alerter of one's own, by ServiceLoader", "`custom: {class: my_team.alerts.Pager}`; as properties `alerters.K.class` and further parameters"),
    ("`extensions.sparkcache.cacheLabels`", "`cache: {kind: spark, dataFrames: [...]}`, or `cache: true` of a step"),
    ("`extensions.cacheasparquet.cacheAll`", "`cache: {kind: parquet, dataFrames: all}`"),
    ("`cacheOnlyReusedLabels`", "`cache: {onlyReused: true}`"),
    ("`addDeequCheck(label, checks, handlers)`", "the step's `dq` block"),
    ("`addDataQualityCheck(label, check, handlers)`", "`satisfies`, `customSql`, or a Python step"),
)  # fmt: skip
