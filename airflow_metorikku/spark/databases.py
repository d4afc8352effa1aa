"""Databases over JDBC from the driver's JVM: their drivers, connections, and what they say when something fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import java_class, scala_map
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@dataclass(frozen=True, kw_only=True)
class _Driver:
    """A JDBC driver: its class, and where it is to be had."""

    name: str
    package: str
    debian: str | None = None

    @property
    def advice(self) -> str:
        jar = f", or the JAR of Debian's {self.debian} to jars" if self.debian else ""
        return f"add {self.package} to the job's packages{jar}"


# By the beginning of their URLs. Of the packages the user chooses the version.
_DRIVERS = {
    "jdbc:postgresql:": _Driver(
        name="org.postgresql.Driver",
        package="org.postgresql:postgresql:VERSION",
        debian="libpostgresql-jdbc-java (/usr/share/java/postgresql.jar)",
    ),
    "jdbc:mariadb:": _Driver(
        name="org.mariadb.jdbc.Driver",
        package="org.mariadb.jdbc:mariadb-java-client:VERSION",
        debian="libmariadb-java (/usr/share/java/mariadb-java-client.jar)",
    ),
    "jdbc:mysql:": _Driver(
        name="com.mysql.cj.jdbc.Driver", package="com.mysql:mysql-connector-j:VERSION"
    ),
    "jdbc:sqlserver:": _Driver(
        name="com.microsoft.sqlserver.jdbc.SQLServerDriver",
        package="com.microsoft.sqlserver:mssql-jdbc:VERSION",
    ),
    "jdbc:oracle:": _Driver(
        name="oracle.jdbc.OracleDriver", package="com.oracle.database.jdbc:ojdbc11:VERSION"
    ),
    "jdbc:derby:": _Driver(
        name="org.apache.derby.jdbc.EmbeddedDriver", package="org.apache.derby:derby:VERSION"
    ),
}
_MARIADB = "jdbc:mariadb:"
_MYSQL = "jdbc:mysql:"
_ALLOWED = "permitMysqlScheme"
_USERINFO = re.compile(r"(?<=//)\S*@|(?<=:)[^:/\s]+/\S*@")
# Of hosts as they should be; a password with a mark that URLs do not take looks otherwise.
_HOST = r"(?:[^:/,\[]*|\[[^\]]*\])(?::[0-9]+)?"
_HOSTS = re.compile(rf"{_HOST}(?:,{_HOST})*(?:/.*)?")
_CUT_PASSWORD = re.compile(r"[?;][^=]*@")
_WITH_PASSWORD = re.compile(
    r"(?i)pass(?:word|wd)?=([^&;]+)|://[^\s:@]*:([^\s]+)@|:[^:@/\s]+/([^@\s]+)@"
)
_MOST_CAUSES = 20  # they may go in a circle


@dataclass(frozen=True, kw_only=True)
class Database:
    """A database, as Spark's JDBC source is told of it."""

    url: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    driver: str | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further options of Spark's; they win over all else."""

    @property
    def shown(self) -> str:
        """The URL without user, password and properties."""
        head = _USERINFO.sub("", re.split(r"[?;]", self.url, maxsplit=1)[0])
        start, slashes, rest = head.partition("//")
        whole = _HOSTS.fullmatch(rest) and not _CUT_PASSWORD.search(self.url)
        return head if not slashes or whole else f"{start}//…"

    def _secrets(self) -> set[str]:
        """What no message may say."""
        given = {value for name, value in self.options.items() if name.lower() == "password"}
        found = {text for match in _WITH_PASSWORD.finditer(self.url) for text in match.groups()}
        return {text for text in {self.password, *given, *found} if text}

    @property
    def is_postgresql(self) -> bool:
        """Whether it has arrays, as PostgreSQL does."""
        return self.url.startswith("jdbc:postgresql:")

    def spark_options(self) -> dict[str, str]:
        """Options for Spark's reader and writer."""
        known = next((one for start, one in _DRIVERS.items() if self.url.startswith(start)), None)
        given = {
            "url": self._spark_url(),
            "user": self.user,
            "password": self.password,
            "driver": self.driver or (known.name if known else None),
        }
        chosen = {name.lower() for name in self.options}
        kept = {k: v for k, v in given.items() if v is not None and k.lower() not in chosen}
        return {**kept, **self.options}

    def _spark_url(self) -> str:
        """Spark knows MariaDB by MySQL's URL only: by its own, names would be quoted as texts are."""
        if not self.url.startswith(_MARIADB):
            return self.url
        url = _MYSQL + self.url.removeprefix(_MARIADB)
        return url if _ALLOWED in url else f"{url}{'&' if '?' in url else '?'}{_ALLOWED}=true"

    def driver_class(self) -> str | None:
        """Class of the driver, None where only the driver itself knows its URLs."""
        options = {name.lower(): value for name, value in self.spark_options().items()}
        return options.get("driver")

    def require_driver(self, session: SparkSession) -> None:
        """Raise RunError, saying what to add, unless the driver's class is there."""
        name = self.driver_class()
        if name is None:
            raise RunError(f"{self.shown}: no driver is known for it; name its class as driver")
        loader = java_class(session, "java.lang.Thread").currentThread().getContextClassLoader()
        try:
            loader.loadClass(name)
        except Exception as error:
            known = next((one for one in _DRIVERS.values() if one.name == name), None)
            advice = known.advice if known else "add its JAR to the job's jars"
            raise RunError(
                f"{self.shown}: the JDBC driver {name} is not there; {advice}"
            ) from error

    def failure(self, error: BaseException) -> str:
        """What a failure means, in one line, without the password."""
        if isinstance(error, RunError):
            return str(error)
        told = _of_database(error) or sentence(error)
        for url in (self.url, self._spark_url()):
            told = told.replace(url, self.shown)
        for secret in sorted(self._secrets(), key=len, reverse=True):
            told = told.replace(secret, "***")
        return f"{self.shown}: {told}"

    def java_options(self, session: SparkSession, **more: str) -> Any:
        """Spark's own record of the options."""
        options = {**self.spark_options(), **more}
        options.setdefault("dbtable", "none")
        written = "org.apache.spark.sql.execution.datasources.jdbc.JdbcOptionsInWrite"
        return java_class(session, written)(scala_map(session, options))

    def dialect(self, session: SparkSession) -> Any:
        """Spark's dialect for the database."""
        return java_class(session, "org.apache.spark.sql.jdbc.JdbcDialects").get(self._spark_url())

    @contextmanager
    def connected(self, session: SparkSession) -> Iterator[Any]:
        """A `java.sql.Connection`, made by Spark's own rules and closed in any case; raises RunError when there is none."""
        self.require_driver(session)
        try:
            connection = (
                self.dialect(session).createConnectionFactory(self.java_options(session)).apply(-1)
            )
        except Exception as error:
            raise RunError(f"cannot connect: {self.failure(error)}") from error
        try:
            yield connection
        finally:
            connection.close()

    def run(self, session: SparkSession, *statements: str) -> None:
        """Run statements one after the other, in one session; raises RunError."""
        with self.connected(session) as connection:
            statement = connection.createStatement()
            try:
                for sql in statements:
                    statement.execute(sql)
            except Exception as error:
                raise RunError(self.failure(error)) from error
            finally:
                statement.close()


def _of_database(error: BaseException) -> str | None:
    """What the database itself said: the innermost `SQLException`, a batch's own next one before it."""
    java: Any = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    found: str | None = None
    seen = 0
    while java is not None and seen < _MOST_CAUSES:
        if hasattr(java, "getClass") and _is_sql(java.getClass()):
            following = java.getNextException()
            text = str((following or java).getMessage() or java.getClass().getSimpleName())
            found = " ".join(text.split())
        java = java.getCause()
        seen += 1
    return found


def _is_sql(found: Any) -> bool:
    while found is not None:
        if found.getName() == "java.sql.SQLException":
            return True
        found = found.getSuperclass()
    return False
