"""A quicker start of local Spark: the JVM's classes from an archive that an earlier run left, and no second compiler for short jobs.

Half of the CPU of a short job is the loading of Spark's classes. The JVM can keep them in an archive (class-data
sharing), tied to its build and the class path; the first run with both writes it when it ends, the next ones map it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from airflow_metorikku.config.records.own_settings import FAST_START, check_profile
from airflow_metorikku.errors import RunError
from airflow_metorikku.submission import is_local

if TYPE_CHECKING:
    from collections.abc import Mapping

JAVA_OPTIONS = "spark.driver.extraJavaOptions"
# Options of the JVM that spark-submit starts; it puts those of settings and of spark-defaults.conf after them.
SUBMIT_OPTIONS = "SPARK_SUBMIT_OPTS"
_CLASS_PATH = "spark.driver.extraClassPath"
# One compiler and one collector thread: what a job of a minute gains by better code, it pays for making it.
_COMPILER, _COLLECTOR = "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"
# A JVM that is told of two collectors does not start.
_CHOSEN = re.compile(r"-XX:\+Use\w*GC")
_ELSEWHERE = (SUBMIT_OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
# What the JVM says of an archive that does not fit is for nobody: it goes on without.
_SILENT = "-Xlog:disable -Xlog:all=error:stderr"
# Archives have a hundred and fifty megabytes.
_ROOM = 512 * 1024 * 1024
# SIGABRT and its kin, as Python and as a shell tells them.
_CRASHES = tuple(
    code
    for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
    for code in (-number, 128 + number)
)
# By its checksum: a JVM that maps an archive with a damaged middle works on without end. It then goes on without.
_VERIFIED = "-XX:+VerifySharedSpaces"
_UNUSED_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True, kw_only=True)
class FastStart:
    """How one run starts; on a master that is not local, as Spark has it."""

    environment: dict[str, str] = field(repr=False)
    """Of spark-submit, with options of the driver's JVM; the user's own come after them, and win."""
    archive: Path | None = None
    making: Path | None = None
    """Where this run leaves the archive, when there is none yet."""

    @classmethod
    def of(cls, master: str, conf: Mapping[str, str], environment: Mapping[str, str]) -> Self:
        """The start that a job's settings ask for; raises RunError for a profile that is none.

        :param environment: of spark-submit, with SPARK_HOME.
        """
        profile = conf.get(FAST_START, "archive")
        try:
            check_profile(profile)
        except ValueError as error:
            raise RunError(f"sparkConf.{FAST_START}: {error}") from None
        if profile == "off" or not is_local(master):
            return cls(environment=dict(environment))
        compiler = _short(conf, environment) if profile == "short" else ""
        archive = _archive(conf, environment, compiler)
        if archive is None:
            return cls(environment=_with_options(environment, compiler))
        if _is_whole(archive):
            with suppress(OSError):
                os.utime(archive)
                os.utime(_size_file(archive))
            options = f"{_SILENT} {_VERIFIED} -XX:SharedArchiveFile={archive} {compiler}"
            return cls(environment=_with_options(environment, options), archive=archive)
        if not _has_room(archive.parent):
            return cls(environment=_with_options(environment, compiler))
        making = archive.with_name(f"{archive.name}.{os.getpid()}.{time.time_ns()}")
        options = f"{_SILENT} -XX:ArchiveClassesAtExit={making} {compiler}"
        return cls(environment=_with_options(environment, options), archive=archive, making=making)

    def keep(self, *, code: int | None) -> None:
        """After the run: keep the archive that it made; a run that did not end well has left none that is whole.

        :param code: what spark-submit ended with. An archive that a JVM crashed with is removed: the next run makes another.
        """
        if self.archive is None:
            return
        with suppress(OSError):
            if self.making is None:
                if code in _CRASHES:
                    _size_file(self.archive).unlink(missing_ok=True)
                    self.archive.unlink(missing_ok=True)
            elif code == 0 and self.making.exists():
                size = str(self.making.stat().st_size)
                self.making.replace(self.archive)
                _size_file(self.archive).write_text(size, encoding="ascii")
            else:
                self.making.unlink(missing_ok=True)


def _with_options(environment: Mapping[str, str], options: str) -> dict[str, str]:
    every = " ".join(filter(None, (options.strip(), environment.get(SUBMIT_OPTIONS))))
    return {**environment, SUBMIT_OPTIONS: every} if every else dict(environment)


def _size_file(archive: Path) -> Path:
    return archive.with_name(f"{archive.name}.size")


def _is_whole(archive: Path) -> bool:
    """Whether it is as its run left it: of one that was cut off a JVM crashes, and says nothing of use."""
    try:
        size = _size_file(archive).read_text(encoding="ascii")
        return archive.stat().st_size == int(size)
    except (OSError, ValueError):
        return False


def _has_room(folder: Path) -> bool:
    """Where the disk is full, the JVM fails at its end, after a run that was well."""
    try:
        return shutil.disk_usage(folder).free >= _ROOM
    except OSError:
        return False


def _short(conf: Mapping[str, str], environment: Mapping[str, str]) -> str:
    folder = environment.get("SPARK_CONF_DIR") or f"{environment['SPARK_HOME']}/conf"
    given = [conf.get(JAVA_OPTIONS, ""), *(environment.get(name, "") for name in _ELSEWHERE)]
    with suppress(OSError):
        given.append(Path(folder, "spark-defaults.conf").read_text(encoding="utf-8"))
    chosen = any(_CHOSEN.search(options) for options in given)
    return _COMPILER if chosen else f"{_COMPILER} {_COLLECTOR}"


def _archive(conf: Mapping[str, str], environment: Mapping[str, str], compiler: str) -> Path | None:
    """The archive for this JVM and class path; nothing where there can be none."""
    java = _java(environment)
    if java is None:
        return None
    folder = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache", "airflow-metorikku")
    if any(mark in str(folder) for mark in " ,\"'"):
        return None  # options are separated by blanks
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.getuid() or not os.access(folder, os.W_OK):
            return None
        _remove_unused(folder)
        key = hashlib.sha256("\0".join(_identity(java, conf, environment, compiler)).encode())
    except OSError:
        return None
    return folder / f"classes-{key.hexdigest()[:16]}.jsa"


def _java(environment: Mapping[str, str]) -> Path | None:
    home = environment.get("JAVA_HOME")
    found = f"{home}/bin/java" if home else shutil.which("java", path=environment.get("PATH"))
    return Path(found).resolve() if found and Path(found).exists() else None


def _identity(
    java: Path, conf: Mapping[str, str], environment: Mapping[str, str], compiler: str
) -> list[str]:
    """All that an archive is tied to."""
    release = java.parent.parent / "release"
    jars = Path(environment["SPARK_HOME"], "jars")
    return [
        str(java),
        release.read_text(encoding="utf-8") if release.exists() else str(java.stat().st_mtime_ns),
        compiler,
        conf.get(_CLASS_PATH, ""),
        environment.get("SPARK_DIST_CLASSPATH", ""),
        *(
            f"{jar}:{jar.stat().st_mtime_ns}:{jar.stat().st_size}"
            for jar in sorted(jars.glob("*.jar"))
        ),
    ]


def _remove_unused(folder: Path) -> None:
    """Archives take a hundred megabytes each; a Spark or JDK that was replaced leaves one behind."""
    oldest = time.time() - _UNUSED_SECONDS
    for path in folder.glob("classes-*"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
