"""The `inputs` of a job file: one record a kind, one line a kind in INPUTS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from airflow_metorikku.config.dates import check_template, days
from airflow_metorikku.config.fields import Kinds, Where, check_count, key, where
from airflow_metorikku.config.records.jdbc import JdbcBlock

CONNECTORS = "reading from this system comes with the connectors"


@dataclass(frozen=True, kw_only=True)
class FileInput:
    """Files that Spark can read, registered as a temporary view of the input's name.

    CSV (format spelt exactly `csv`) has a header, quote and escape `"`, no schema inference, and
    its null texts become empty texts, as in Metorikku; `options` override all but the last.
    """

    path: str = key(
        "File, folder or glob; several separated by commas (blanks belong to the name). "
        "Relative paths start from the job's base folder."
    )
    format: str | None = key(
        "Any Spark format. Default: from the extension of the first path, `json` and `jsonl` are "
        "json, `csv` is csv, all else is parquet.",
        default=None,
    )
    options: Mapping[str, str] = key("Options of Spark's reader, raw text.", default={})
    schema_path: str | None = key(
        "JSON file with the schema, in Metorikku's dialect.", default=None
    )
    is_stream: bool = key(
        "Read as a stream.",
        default=False,
        later="streaming inputs come with a later version; leave it out to read the files once",
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not all(self.path.split(",")):
            raise ValueError(
                f"path: got {self.path!r}, expected a path, or several with one comma between two"
            )


@dataclass(frozen=True, kw_only=True)
class DateRange:
    """Days from `startDate` to `endDate`, both included."""

    format: str = key(
        "Pattern of the dates, in Joda-Time's letters, for reading and for rendering."
    )
    start_date: str = key("First day.")
    end_date: str = key("Last day; may be the first.")

    def __post_init__(self) -> None:
        if not any("${" in text for text in (self.format, self.start_date, self.end_date)):
            days(self)


@dataclass(frozen=True, kw_only=True)
class FileDateRangeInput:
    """One path a day, made from a template; all are read as one data frame."""

    template: str = key("Path with `%s` where the day goes (`%1$s` to repeat it).")
    date_range: DateRange = key("The days.", name="date_range")
    format: str | None = key("As for `file`.", default=None)
    options: Mapping[str, str] = key("As for `file`.", default={})
    schema_path: str | None = key("As for `file`.", default=None)
    at: Where | None = where()

    def __post_init__(self) -> None:
        check_template(self.template)


@dataclass(frozen=True, kw_only=True)
class JdbcInput(JdbcBlock):
    """A table or query over JDBC: in one partition, unless `partitionColumn` or `partitionsNumber` is given."""

    table: str = key("Table, or a query in parentheses with an alias.")
    partitions_number: int | None = key(
        "Number of partitions; 0 or none: one for each million of the column's greatest value, from 10 to 640.",
        default=None,
    )
    partition_column: str | None = key(
        "Column of whole numbers to partition by; `id` where only `partitionsNumber` is given.",
        default=None,
    )
    options: Mapping[str, str] = key(
        "Options of Spark's reader, as `driver` or `sessionInitStatement`; they win.", default={}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("partitionsNumber", self.partitions_number, least=0)
        if not self.table.strip():
            raise ValueError("table: got an empty text, expected a table")

    @property
    def driver_class(self) -> str | None:
        """Class of the JDBC driver, where the options name one."""
        return next((v for k, v in self.options.items() if k.lower() == "driver"), None)


@dataclass(frozen=True, kw_only=True)
class KafkaInput:
    """A Kafka topic."""

    servers: tuple[str, ...] = key("Bootstrap servers.", default=())
    connection: str | None = key("Airflow connection for what the block leaves out.", default=None)
    topic: str | None = key("Topic; this or `topicPattern`.", default=None)
    topic_pattern: str | None = key("Pattern of topics.", default=None)
    consumer_group: str | None = key("Group to commit offsets to.", default=None)
    options: Mapping[str, str] = key("Options of Spark's reader.", default={})
    schema_registry_url: str | None = key("URL of the schema registry.", default=None)
    schema_subject: str | None = key("Subject; default the topic's name.", default=None)
    schema_id: str | None = key("Schema id, or `latest`.", default=None)
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class CassandraInput:
    """A Cassandra table."""

    host: str | None = key("Host.", default=None)
    connection: str | None = key("Airflow connection for what the block leaves out.", default=None)
    key_space: str = key("Key space.")
    table: str = key("Table.")
    user: str | None = key("User.", default=None)
    password: str | None = key("Password.", default=None, secret=True)
    options: Mapping[str, str] = key("Connector settings.", default={})
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class ElasticsearchInput:
    """An Elasticsearch index."""

    nodes: str | None = key("Nodes.", default=None)
    connection: str | None = key("Airflow connection for what the block leaves out.", default=None)
    index: str = key("Index.")
    user: str | None = key("User.", default=None)
    password: str | None = key("Password.", default=None, secret=True)
    options: Mapping[str, str] = key("Connector settings.", default={})
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class MongoInput:
    """A MongoDB collection."""

    uri: str | None = key("Connection URI.", default=None, secret=True)
    connection: str | None = key("Airflow connection for what the block leaves out.", default=None)
    database: str = key("Database.")
    collection: str = key("Collection.")
    sample_size: str = key("Documents sampled for the schema.", default="10000")
    partition_key: str = key("Field to partition by.", default="_id")
    samples_per_partition: str = key("Samples for each partition.", default="200")
    schema_path: str | None = key("JSON file with the schema.", default=None)
    options: Mapping[str, str] = key("Connector settings.", default={})
    at: Where | None = where()


# In the order that Metorikku looks for them: with several in one input the first wins.
INPUTS: dict[str, type[Any]] = {
    "file": FileInput,
    "file_date_range": FileDateRangeInput,
    "jdbc": JdbcInput,
    "kafka": KafkaInput,
    "cassandra": CassandraInput,
    "elasticsearch": ElasticsearchInput,
    "mongo": MongoInput,
}
LATER_INPUTS: dict[str, str] = {
    "kafka": CONNECTORS,
    "cassandra": CONNECTORS,
    "elasticsearch": CONNECTORS,
    "mongo": CONNECTORS,
}
INPUT_KINDS = Kinds(noun="input", table=INPUTS, later=LATER_INPUTS, first_wins=True)
Input = (
    FileInput
    | FileDateRangeInput
    | JdbcInput
    | KafkaInput
    | CassandraInput
    | ElasticsearchInput
    | MongoInput
)
