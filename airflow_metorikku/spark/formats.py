"""What Spark's formats need to be read and written as Metorikku's users know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

# What the CSV reader and writer of Metorikku set; options of the user's win.
CSV_READ = {"quote": '"', "escape": '"', "quoteAll": "true", "header": "true"}
CSV_WRITE = {"escape": '"', "quoteAll": "true", "header": "true"}
_XML_PACKAGE = "com.databricks.spark.xml"
_XML = frozenset({"xml", _XML_PACKAGE})
_XML_ROW = "ROW"
_SPARK_4 = 4
_NOT_FOUND = (
    "Failed to find data source",
    "Failed to find the data source",
    "DATA_SOURCE_NOT_FOUND",
)


def spark_format(session: SparkSession, name: str) -> str:
    """The name by which this Spark knows a format: its own XML has taken the place of the package's."""
    return (
        "xml"
        if name == _XML_PACKAGE and int(session.version.split(".", 1)[0]) >= _SPARK_4
        else name
    )


def with_defaults(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """Options with the row tag that the XML package took, and that Spark's own XML refuses to go without."""
    if name in _XML and not any(key.lower() == "rowtag" for key in options):
        return {"rowTag": _XML_ROW, **options}
    return dict(options)


def format_sentence(session: SparkSession, name: str, error: BaseException) -> str:
    """Why a format could not be used; for one that needs a package, which."""
    text = sentence(error)
    if not any(sign in text for sign in _NOT_FOUND):
        return text
    scala = "2.13" if int(session.version.split(".", 1)[0]) >= _SPARK_4 else "2.12"
    packages = {
        "avro": f"org.apache.spark:spark-avro_{scala}:{session.version}",
        "com.databricks.spark.avro": f"org.apache.spark:spark-avro_{scala}:{session.version}",
        "xml": f"com.databricks:spark-xml_{scala}:0.18.0",
        _XML_PACKAGE: f"com.databricks:spark-xml_{scala}:0.18.0",
    }
    if name in packages:
        return f"format {name} is not in this Spark; add to the job: packages: [{packages[name]}]"
    return f"Spark knows no format {name!r}; expected one as parquet, csv, json, orc, text, or one that the job's packages bring"
