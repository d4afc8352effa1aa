"""Staging, locks, journal and publication on local disks: everything but Spark's own writing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.local_files import LocalFiles
from airflow_metorikku.spark.outputs import journal as journals
from airflow_metorikku.spark.outputs import lock as locks
from airflow_metorikku.spark.outputs import owner as owners
from airflow_metorikku.spark.outputs.lock import hold
from airflow_metorikku.spark.outputs.moves import Staged
from airflow_metorikku.spark.outputs.owner import Owner, Pulse, is_dead, this_owner
from airflow_metorikku.spark.outputs.publish import Publisher, UnfinishedPublicationError
from airflow_metorikku.spark.outputs.staging import open_staging
from airflow_metorikku.spark.outputs.target import Target, target_at


class Site:
    """A run with its publisher in a folder of its own."""

    def __init__(self, root: Path, run: str = "r1", seconds: float = 5.0) -> None:
        self.root = root
        self.pulse = Pulse()
        self.owner = this_owner(run)
        self.publisher = Publisher(None, self.owner, self.pulse, seconds)

    def target(self, name: str = "out") -> Target:
        return target_at(None, str(self.root / name))

    def stage(
        self,
        files: dict[str, str],
        mode: str = "overwrite",
        *,
        name: str = "out",
        number: int = 0,
        dynamic: bool = False,
        mark: str = "aaaa",
    ) -> Staged:
        staging = open_staging(self.target(name), "a1", number, self.owner, self.pulse)
        write(Path(staging.data), files)
        return Staged(
            staging=staging, mode=mode, dynamic=dynamic, mark=mark, token=self.owner.token[:8]
        )


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def texts(folder: Path) -> list[str]:
    return sorted(content(folder).values())


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def only(folder: Path, *names: str) -> None:
    assert sorted(os.listdir(folder)) == sorted(names)


def test_a_new_target_is_published_and_nothing_else_is_left(site: Site) -> None:
    assert site.publisher.publish([site.stage({"part-0": "x", "_SUCCESS": ""})]) == (True,)
    assert content(site.root / "out") == {"part-0": "x", "_SUCCESS": ""}
    only(site.root, "out")


def test_overwrite_replaces_everything(site: Site) -> None:
    write(site.root / "out", {"old-0": "old", "k=1/old": "old"})
    site.publisher.publish([site.stage({"new-0": "new"})])
    assert content(site.root / "out") == {"new-0": "new"}
    only(site.root, "out")


@pytest.mark.parametrize("can_exchange", [True, False])
def test_overwrite_with_and_without_exchange(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(LocalFiles, "exchange", lambda *_: False)
    write(site.root / "out", {"old": "old"})
    site.publisher.publish([site.stage({"new": "new"})])
    assert content(site.root / "out") == {"new": "new"}
    only(site.root, "out")


@pytest.mark.parametrize("mode", ["error", "errorifexists", "default"])
def test_the_default_mode_keeps_what_is_there(site: Site, mode: str) -> None:
    write(site.root / "out", {"old": "old"})
    staged = site.stage({"new": "new"}, mode)
    with pytest.raises(RunError, match=r"out: exists already"):
        site.publisher.publish([staged])
    staged.staging.discard(site.pulse)
    assert content(site.root / "out") == {"old": "old"}
    only(site.root, "out")


def test_ignore_keeps_what_is_there_and_says_so(site: Site) -> None:
    write(site.root / "out", {"old": "old"})
    assert site.publisher.publish([site.stage({"new": "new"}, "ignore")]) == (False,)
    assert content(site.root / "out") == {"old": "old"}
    only(site.root, "out")


def test_append_adds(site: Site) -> None:
    write(site.root / "out", {"part-0": "old"})
    site.publisher.publish(
        [site.stage({"part-0": "new", ".part-0.crc": "sum", "_SUCCESS": ""}, "append")]
    )
    found = content(site.root / "out")
    assert found["part-0"] == "old"
    assert sorted(found.values()) == ["", "new", "old", "sum"]
    names = [name for name, text in found.items() if text == "new"]
    assert found[f".{names[0]}.crc"] == "sum"
    only(site.root, "out")


def test_an_append_of_the_same_run_replaces_its_earlier_one(tmp_path: Path) -> None:
    write(tmp_path / "out", {"part-0": "foreign"})
    Site(tmp_path).publisher.publish([_append(Site(tmp_path, "other"), {"a": "other run"}, "bbbb")])
    first = Site(tmp_path)
    first.publisher.publish([_append(first, {"x.parquet": "1", "y.parquet": "2"}, "aaaa")])
    again = Site(tmp_path)
    again.publisher.publish([_append(again, {"x.parquet": "3"}, "aaaa")])
    assert texts(tmp_path / "out") == ["3", "foreign", "other run"]


def _append(site: Site, files: dict[str, str], mark: str) -> Staged:
    return site.stage(files, "append", mark=mark)


def test_the_first_append_of_a_run_carries_its_mark_too(tmp_path: Path) -> None:
    """The target did not exist then: a retry must know its files all the same."""
    first = Site(tmp_path)
    first.publisher.publish([first.stage({"x": "1"}, "append")])
    again = Site(tmp_path)
    again.publisher.publish([again.stage({"x": "2"}, "append")])
    assert texts(tmp_path / "out") == ["2"]


def test_append_into_partitions(site: Site) -> None:
    write(site.root / "out", {"k=1/part-0": "old"})
    site.publisher.publish([site.stage({"k=1/part-0": "new", "k=2/part-0": "new"}, "append")])
    assert sorted(content(site.root / "out").values()) == ["new", "new", "old"]
    only(site.root / "out", "k=1", "k=2")


def test_dynamic_overwrite_replaces_only_what_was_written(site: Site) -> None:
    write(site.root / "out", {"k=1/a": "old", "k=2/a": "old", "k=2/b": "old"})
    site.publisher.publish(
        [site.stage({"k=2/c": "new", "k=3/c": "new", "_SUCCESS": ""}, dynamic=True)]
    )
    assert content(site.root / "out") == {
        "k=1/a": "old",
        "k=2/c": "new",
        "k=3/c": "new",
        "_SUCCESS": "",
    }
    only(site.root, "out")


def test_two_outputs_to_one_target(site: Site) -> None:
    one, two = site.stage({"a": "1"}, number=0), site.stage({"b": "2"}, number=1)
    site.publisher.publish([one, two])
    assert content(site.root / "out") == {"b": "2"}
    site.publisher.publish(
        [site.stage({"c": "3"}, number=0), site.stage({"d": "4"}, "append", number=1)]
    )
    assert texts(site.root / "out") == ["3", "4"]
    first, second = site.stage({"e": "5"}, number=0), site.stage({"f": "6"}, "error", number=1)
    with pytest.raises(RunError, match="exists already"):
        site.publisher.publish([first, second])
    assert texts(site.root / "out") == ["3", "4"]


def test_parents_are_made_and_taken_back(site: Site) -> None:
    staged = site.stage({"a": "1"}, name="x/y/out")
    staged.staging.discard(site.pulse)
    only(site.root)
    site.publisher.publish([site.stage({"a": "1"}, name="x/y/out")])
    only(site.root / "x/y", "out")


@pytest.mark.parametrize("name", ["a b", "a%20b", "a:b", "ü", "a'b", "{x}[y]*?"])
def test_odd_names(site: Site, name: str) -> None:
    write(site.root / name, {"old": "old"})
    site.publisher.publish([site.stage({"new": "new"}, name=name)])
    assert content(site.root / name) == {"new": "new"}
    only(site.root, name)


def test_a_link_goes_on_pointing_at_its_folder(site: Site) -> None:
    write(site.root / "real", {"old": "old"})
    (site.root / "out").symlink_to(site.root / "real")
    site.publisher.publish([site.stage({"new": "new"})])
    assert (site.root / "out").is_symlink()
    assert content(site.root / "real") == {"new": "new"}


def test_a_file_is_no_target(site: Site) -> None:
    (site.root / "out").write_text("precious")
    with pytest.raises(RunError, match=r"out: there is a file; expected a folder"):
        site.target().check()


# --- kills -------------------------------------------------------------------------------------


def _publish_and_die(root: Path, at: int, *, no_exchange: bool) -> None:
    """Publish three outputs, and be killed at the n-th call that changes the file system."""
    calls = 0

    def dying(method: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            nonlocal calls
            calls += 1
            if calls == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return method(*arguments)

        return call

    site = Site(root, "killed run")
    if no_exchange:
        LocalFiles.exchange = lambda *_: False  # type: ignore[method-assign]
    staged = [
        site.stage({"new": "new"}),
        site.stage({"k=2/new": "new"}, name="parts", number=1, dynamic=True),
        site.stage({"new": "new"}, "append", name="added", number=2),
    ]
    for name in ("rename", "exchange", "write_text", "create", "remove", "remove_if_empty"):
        setattr(LocalFiles, name, dying(getattr(LocalFiles, name)))
    site.publisher.publish(staged)


def _killed(root: Path, at: int, *, no_exchange: bool) -> bool:
    pid = os.fork()
    if pid == 0:
        try:
            _publish_and_die(root, at, no_exchange=no_exchange)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a forked test must not go on as pytest
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status != 0


@pytest.mark.parametrize("no_exchange", [False, True])
def test_a_kill_at_any_moment_leaves_old_or_new_and_the_next_run_cleans_up(
    tmp_path: Path, *, no_exchange: bool
) -> None:
    """Every call that changes a file system is a moment to die at."""
    kills = 0
    for at in range(1, 200):
        root = tmp_path / str(at)
        write(root / "out", {"old": "old"})
        write(root / "parts", {"k=1/old": "old", "k=2/old": "old"})
        write(root / "added", {"old": "old"})
        if not _killed(root, at, no_exchange=no_exchange):
            break
        kills += 1
        if not no_exchange:
            assert texts(root / "out") in (["old"], ["new"]), at
            assert texts(root / "parts") in (["old", "old"], ["new", "old"]), at
        site = Site(root, "next run")
        site.publisher.recover([site.target(name) for name in ("added", "out", "parts")])
        only(root, "added", "out", "parts")
        states = {name: "new" in texts(root / name) for name in ("added", "out", "parts")}
        assert len(set(states.values())) == 1, (at, states)
        assert content(root / "out") in ({"old": "old"}, {"new": "new"}), at
        assert content(root / "parts") in (
            {"k=1/old": "old", "k=2/old": "old"},
            {"k=1/old": "old", "k=2/new": "new"},
        ), at
        assert texts(root / "added") in (["old"], ["new", "old"]), at
    else:
        pytest.fail("the publication never ended")
    assert kills > 15


def test_whoever_publishes_next_finishes_before(tmp_path: Path) -> None:
    site = Site(tmp_path, "broken run")
    write(tmp_path / "out", {"old": "old"})
    staged = site.stage({"half": "half"}, "append")
    target = site.target()
    move = journals.Move(
        kind="add",
        source=target.files.uri(f"{staged.staging.data}/half"),
        target=target.files.uri(f"{target.path}/half"),
    )
    journals.begin(
        journals.Journal(
            run="broken run",
            targets=(target.uri,),
            folders=(target.files.uri(staged.staging.folder),),
            moves=(move,),
        ),
        [target],
    )
    later = Site(tmp_path, "later")
    later.publisher.publish([later.stage({"x": "later"}, "append", mark="cccc")])
    assert texts(tmp_path / "out") == ["half", "later", "old"]
    only(tmp_path, "out")


def test_a_failure_between_moves_keeps_the_journal_for_the_next_run(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(site.root / "out", {"old": "old"})
    staged = site.stage({"new": "new"})

    def full(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(LocalFiles, "exchange", full)
        with pytest.raises(
            UnfinishedPublicationError, match=r"No space left.*the next run finishes it"
        ):
            site.publisher.publish([staged])
    assert content(site.root / "out") == {"old": "old"}
    Site(site.root).publisher.recover([site.target()])
    assert content(site.root / "out") == {"new": "new"}
    only(site.root, "out")


def test_what_a_living_run_has_staged_is_left_alone(site: Site) -> None:
    staged = site.stage({"new": "new"})
    Site(site.root, "other").publisher.recover([site.target()])
    assert Path(staged.staging.data, "new").exists()
    site.publisher.publish([staged])
    assert content(site.root / "out") == {"new": "new"}


# --- locks -------------------------------------------------------------------------------------


def test_the_second_waits_for_the_first(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(locks, "POLL_SECONDS", 0.02)
    other = Site(site.root, "the other run")
    inside, leave, order = threading.Event(), threading.Event(), []

    def first() -> None:
        with hold([site.target()], site.owner, site.pulse, 5):
            inside.set()
            leave.wait(5)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(5)
    threading.Timer(0.2, leave.set).start()
    with caplog.at_level("INFO"), hold([site.target()], other.owner, other.pulse, 5):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]
    assert "it is the turn of r1" in caplog.text


def test_waiting_has_an_end_and_names_the_owner(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "POLL_SECONDS", 0.02)
    other = Site(site.root, "the other run")
    with (
        hold([site.target()], other.owner, other.pulse, 5),
        pytest.raises(RunError, match="the other run is publishing it"),
        hold([site.target()], site.owner, site.pulse, 0.1),
    ):
        pytest.fail("held twice")


def test_many_publishers_at_once_never_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "POLL_SECONDS", 0.005)
    sites = [Site(tmp_path, f"r{n}", seconds=60) for n in range(6)]
    errors: list[BaseException] = []

    def go(number: int) -> None:
        try:
            for _ in range(5):
                one = sites[number]
                one.publisher.publish(
                    [
                        one.stage({"a": str(number), "b": str(number)}, number=number),
                        one.stage({"a": str(number)}, name="other", number=number),
                    ]
                )
        except BaseException as error:  # noqa: BLE001 - of a thread: shown below
            errors.append(error)

    threads = [threading.Thread(target=go, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert len(set(_seen(tmp_path / "out"))) <= 1
        time.sleep(0.001)
    assert errors == []
    assert texts(tmp_path / "out") == [texts(tmp_path / "other")[0]] * 2
    only(tmp_path, "other", "out")


def _seen(folder: Path) -> list[str]:
    """Files of the one folder that is there at this moment, also while it is being replaced."""
    try:
        inside = os.open(folder, os.O_RDONLY)
        try:
            return [
                os.read(os.open(name, os.O_RDONLY, dir_fd=inside), 9).decode()
                for name in os.listdir(inside)
            ]
        finally:
            os.close(inside)
    except FileNotFoundError:
        return []


def test_owners(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "owner"
    file.write_text("x")
    files = LocalFiles()
    alive = site.owner
    assert not is_dead(alive, files, str(file))
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child_owner = replace(alive, processes=((child.pid, "1"),))
    assert is_dead(
        child_owner, files, str(file)
    )  # that number is of another process now, started later
    child.wait()
    assert is_dead(replace(alive, processes=((child.pid, ""),)), files, str(file))
    assert is_dead(replace(alive, machine=(alive.machine[0], "another boot", "")), files, str(file))
    foreign = replace(alive, machine=("another host", "b", ""))
    assert not is_dead(foreign, files, str(file))
    os.utime(file, (time.time() - owners.SILENT_SECONDS - 5,) * 2)
    assert is_dead(foreign, files, str(file))
    assert is_dead(None, files, str(file))
    assert Owner.from_json(alive.to_json()) == alive
    assert Owner.from_json('{"half') is None


def test_a_pulse_keeps_files_young(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "BEAT_SECONDS", 0.02)
    file = tmp_path / "lock"
    file.write_text("x")
    os.utime(file, (1, 1))
    pulse = Pulse()
    pulse.keep(LocalFiles(), str(file), "x")
    end = time.monotonic() + 5
    while file.stat().st_mtime < 2 and time.monotonic() < end:
        time.sleep(0.01)
    pulse.stop()
    assert file.stat().st_mtime > 2


def test_a_journal_reads_back(tmp_path: Path) -> None:
    move = journals.Move(
        kind="put", source="file:///a b", target="file:///c%20d", aside="file:///e", identity="1:2"
    )
    journal = journals.Journal(
        run="r", targets=("file:///t",), folders=("file:///f",), moves=(move,)
    )
    assert journals.Journal.from_json(journal.to_json()) == journal
    assert json.loads(journal.to_json())["run"] == "r"
