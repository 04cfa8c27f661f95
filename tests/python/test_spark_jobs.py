# SPDX-License-Identifier: MPL-2.0
"""Jobs on a cluster of one master and two workers; the oracle is one process. Executors are killed."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading

import polars as pl
import pyarrow.parquet as pq
import pytest
from spark_sessions import Cluster, descendants, environment_of, session

import ositrace


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("workers")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def spark(cluster):
    with session(cluster.url, spark_executor_memory="512m", spark_executor_cores="1") as spark:
        from ositrace.spark import register

        register(spark)
        yield spark


@pytest.fixture
def lake(ground_truth, sensor_view, tmp_path):
    """30 files of two kinds in folders."""
    folder = tmp_path / "lake"
    for i in range(20):
        file = folder / f"drive{i % 4}" / f"{i}.osi"
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ground_truth, file)
    for i in range(10):
        shutil.copy(sensor_view, folder / f"drive{i % 4}" / f"view{i}.mcap")
    return folder


def contents(folder):
    """Bytes of each file, by its path in the folder."""
    files = (os.path.join(path, name) for path, _, names in os.walk(folder) for name in names)
    return {os.path.relpath(file, folder): open(file, "rb").read() for file in files}


class Killed:
    """Kills a process of a job as soon as that reads a file of a folder, and knows whether tasks were lost."""

    def __init__(self, spark, cluster, folder, victim, has_begun=lambda: True):
        self._tracker = spark.sparkContext.statusTracker()
        self._arguments = (cluster, str(folder), victim, has_begun)
        self.lost = 0

    def __enter__(self):
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=self._arguments)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _run(self, cluster, folder, victim, has_begun):
        killed = False
        while not self._ended.wait(0.002):
            if not killed and has_begun():
                for executor in cluster.executors():
                    reads = [pid for pid in descendants(executor) if reads_in(pid, folder)]
                    if reads and not killed:
                        os.kill(executor if victim == "executor" else reads[0], signal.SIGKILL)
                        killed = True
            for stage in self._tracker.getActiveStageIds() if killed else ():
                info = self._tracker.getStageInfo(stage)
                self.lost = max(self.lost, info.numFailedTasks if info else 0)


def reads_in(pid, folder):
    """Has the process a file of the folder open?"""
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{number}").startswith(folder):
                    return True
    return False


def test_convert_gives_what_one_process_gives(spark, cluster, lake, tmp_path):
    """An executor is killed after the first output."""
    from ositrace.spark import convert

    out, expected = tmp_path / "out", tmp_path / "expected"
    written = lambda: any(file.endswith(".mcap") for file in contents(out) if "_staging" not in file)  # noqa: E731
    with Killed(spark, cluster, lake, "executor", written) as killed:
        report = convert(spark, lake, out, compression="zstd")
    assert killed.lost > 0
    with pytest.warns(UserWarning) as noted:
        for folder in sorted(os.listdir(lake)):
            ositrace.convert(lake / folder, out_dir=expected / folder, to="mcap", compression="zstd")
    assert contents(out) == contents(expected) and len(contents(out)) == 30
    assert sorted(report.notes) == sorted(str(note.message).replace(str(expected), str(out)) for note in noted)
    assert (report.files, report.complete, list(report.failures)) == (30, 0, [])
    assert report.bytes == sum(map(len, contents(out).values())) and report.rows == 20 * 433 + 10 * 364

    broken = lake / "drive0" / "broken.osi"
    broken.write_text("this is no trace, but a text of some length " * 10)
    (out / "_staging" / "of a driver that was killed").mkdir(parents=True)
    os.utime(lake / "drive1" / "1.osi")
    again = convert(spark, lake, out, compression="zstd")
    assert (again.files, again.complete, again.notes) == (1, 29, [])
    assert [(one.path, one.error[: len(str(broken))]) for one in again.failures] == [(str(broken), str(broken))]
    assert contents(out) == contents(expected)

    with pytest.raises(ositrace.Error, match=r"drive0/0.osi and .*/drive0/0.osifb have the same output .*/0.mcap"):
        shutil.copy(lake / "drive0" / "0.osi", lake / "drive0" / "0.osifb")
        convert(spark, lake, out)


def test_outputs_are_no_inputs(spark, ground_truth, tmp_path):
    """Where the outputs are in the lake."""
    from ositrace.spark import convert

    for name in ("a.osi", "b.osi"):
        shutil.copy(ground_truth, tmp_path / name)
    assert convert(spark, tmp_path, tmp_path / "out").files == 2
    again = convert(spark, tmp_path, tmp_path / "out")
    assert (again.files, again.complete) == (0, 2)
    assert sorted(contents(tmp_path / "out")) == ["a.mcap", "b.mcap"]
    with pytest.raises(ositrace.Error, match="outputs in it would be inputs of the next run: write elsewhere"):
        convert(spark, tmp_path, tmp_path)
    assert convert(spark, tmp_path / "a.osi", tmp_path).files == 1  # a file named alone has no such run
    assert convert(spark, tmp_path / "out", tmp_path / "out" / "more", to="osi").files == 2


def test_a_scan_gives_what_one_process_gives(spark, cluster, lake):
    """A Python process, and then an executor, is killed while the query runs."""
    expected = ositrace.scan(lake).objects(["frame", "id", "x"]).to_polars().drop("channel")
    for victim in ("Python process", "executor"):
        frame = spark.read.format("ositrace").option("columns", "id,x").load(str(lake))
        with Killed(spark, cluster, lake, victim) as killed:
            rows = frame.select("path", "frame", "id", "x").toArrow()
        assert killed.lost > 0, victim
        found = pl.from_arrow(rows).rename({"path": "file"}).cast({"id": pl.UInt64})
        order = ["file", "frame", "id", "x"]
        assert found.sort(order).equals(expected.cast({"file": pl.String}).sort(order), null_equal=True)


def test_columns_are_a_table_that_grows(spark, cluster, lake, tmp_path, monkeypatch):
    """A Python process is killed in the first run, whose commits are small."""
    from ositrace.spark import _tables, columns

    monkeypatch.setattr(_tables, "COMMIT_BYTES", 5 << 20)
    out = tmp_path / "objects"
    late = [lake / "drive3" / "late0.osi", lake / "drive3" / "late1.osi"]
    with Killed(spark, cluster, lake, "Python process") as killed:
        report = columns(spark, lake, out, columns=["id", "x"])
    assert killed.lost > 0
    assert (report.files, report.complete) == (30, 0) and len(os.listdir(out / "_commits")) == 3
    expected = ositrace.scan(lake, errors="skip").objects(["frame", "id", "x", "time"]).to_polars()

    def table():
        """As polars reads it, which knows nothing of commits."""
        return pl.read_parquet(f"{out}/*.parquet").rename({"path": "file"}).cast({"id": pl.UInt64})

    def same(one, other):
        names = ["file", "channel", "frame", "time", "id", "x", "_error"]
        other = other.with_columns(pl.col("file", "channel").cast(pl.String))
        return one.select(names).sort(names).equals(other.select(names).sort(names), null_equal=True)

    assert same(table(), expected) and report.rows == len(expected)
    assert spark.read.parquet(str(out)).count() == report.rows  # and so does Spark

    before = contents(out)
    for file in late:
        file.write_bytes((lake / "drive0" / "0.osi").read_bytes()[:-100])
    invalid = out / "part-0123-00000.parquet"  # of a driver that was killed while it committed
    shutil.copy(next(out.glob("part-*")), invalid)
    report = columns(spark, lake, out, columns=["id", "x"])
    assert (report.files, report.complete, report.rows) == (2, 30, 2 * (432 * 6 + 1))
    assert before.items() <= contents(out).items() and not invalid.exists()
    assert same(table(), ositrace.scan(lake, errors="skip").objects(["frame", "id", "x", "time"]).to_polars())
    assert table()["_error"].drop_nulls().len() == 2
    assert columns(spark, lake, out, columns=["id", "x"]).files == 0
    with pytest.raises(ositrace.Error, match=r"objects has other columns: .*; write these into another folder"):
        columns(spark, lake, out, columns=["id", "y"])


def test_a_table_has_rows_of_one_kind(spark, ground_truth, tmp_path):
    from ositrace.spark import check, columns

    out = tmp_path / "out"
    columns(spark, ground_truth, out, columns=["id"], time=(None, 1))
    with pytest.raises(ositrace.Error, match=r"with time \[null, 1\], and not \[1, null\]; write these into another"):
        columns(spark, ground_truth, out, columns=["id"], time=(1, None))
    with pytest.raises(ositrace.Error, match=r"out was written with table \"objects\", and not \"lanes\"; write these"):
        columns(spark, ground_truth, out, table="lanes", columns=["id"], time=(None, 1))
    with pytest.raises(ositrace.Error, match=r"type of the default, and not \"gt\""):
        columns(spark, ground_truth, out, columns=["id"], time=(None, 1), type="gt")
    assert columns(spark, ground_truth, out, columns=["id"], time=(None, 1)).complete == 1
    check(spark, ground_truth, tmp_path / "found", findings=3)
    with pytest.raises(ositrace.Error, match="findings 3, and not 4"):
        check(spark, ground_truth, tmp_path / "found", findings=4)


def test_a_file_that_cannot_be_read_is_tried_again(spark, ground_truth, tmp_path):
    """A link to a file that is away for a while, as on a mount that is."""
    from ositrace.spark import check, columns

    lake = [tmp_path / "a.osi", tmp_path / "b.osi"]
    store, mount = tmp_path / "store", tmp_path / "mount"
    store.mkdir()
    shutil.copy(ground_truth, store / "b.osi")
    shutil.copy(ground_truth, lake[0])
    lake[1].symlink_to(mount / "b.osi")
    mount.symlink_to(store)

    def job(run, out, **options):
        mount.unlink()
        away = run(spark, lake, out, **options)
        mount.symlink_to(store)
        assert (away.files, [one.path for one in away.failures]) == (1, [str(lake[1])])
        assert "No such file or directory" in away.failures[0].error
        back = run(spark, lake, out, **options)
        assert (back.files, back.complete, list(back.failures)) == (1, 1, [])
        assert {row["path"] for row in pq.read_table(out, columns=["path"]).to_pylist()} == {str(one) for one in lake}

    job(columns, tmp_path / "rows", columns=["id"])
    job(check, tmp_path / "found")


def test_names_that_are_no_text_are_two(spark, ground_truth, tmp_path):
    from ositrace.spark import check, columns, convert

    lake = tmp_path / "lake"
    lake.mkdir()
    for name in (b"bad\xff.osi", b"bad\xfe.osi"):
        shutil.copy(ground_truth, os.fsdecode(os.fsencode(lake) + b"/" + name))
    names = [f"{lake}/bad\\xfe.osi", f"{lake}/bad\\xff.osi"]
    for run, options in ((columns, {"columns": ["id"]}), (check, {})):
        out = tmp_path / run.__name__
        assert run(spark, lake, out, **options).files == 2
        assert sorted({row["path"] for row in pq.read_table(out, columns=["path"]).to_pylist()}) == names
        assert run(spark, lake, out, **options).complete == 2
    assert convert(spark, lake, tmp_path / "converted").files == 2
    assert sorted(os.listdir(os.fsencode(tmp_path / "converted"))) == [b"bad\xfe.mcap", b"bad\xff.mcap"]


def test_the_exit_status_says_that_rows_report_damage(spark, ground_truth, tmp_path, monkeypatch, capsys):
    (tmp_path / "lake").mkdir()
    shutil.copy(ground_truth, tmp_path / "lake" / "a.osi")
    (tmp_path / "lake" / "b.osi").write_bytes(ground_truth.read_bytes()[:-100])

    from pyspark.sql import SparkSession

    from ositrace.spark.__main__ import main

    def job(name, out, *options):
        status = main([str(word) for word in (name, tmp_path / "lake", out, *options)])
        return status, *capsys.readouterr()

    monkeypatch.setattr(SparkSession, "stop", lambda _: None)  # the session is that of the tests
    status, printed, _ = job("columns", tmp_path / "rows", "--columns", "id")
    report = "2 files done, 0 complete before: 5191 rows, 1 of them with damage"
    assert (status, printed.split(" bytes")[0].rpartition(",")[0]) == (3, report)
    (tmp_path / "file").touch()
    expected = f"ositrace.spark: {tmp_path}/file/rows: Not a directory\n"
    assert job("columns", tmp_path / "file" / "rows", "--columns", "id") == (1, "", expected)


def test_a_java_that_is_missing_is_named(ground_truth, tmp_path):
    environment = environment_of("spark") | {"JAVA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "ositrace.spark", "check", ground_truth, tmp_path / "findings", "--master", "local"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ositrace.spark: Spark cannot start Java, of which it needs version 17 or newer: install ")
    assert "default-jre-headless (Debian, Ubuntu)" in last


def test_check_is_a_table_of_findings(spark, lake, tmp_path):
    from ositrace.spark import check

    shutil.rmtree(lake / "drive3")
    broken = lake / "drive0" / "broken.osi"
    broken.write_text("this is no trace, but a text of some length " * 10)
    report = check(spark, lake, tmp_path / "findings", findings=3)
    rows = pq.read_table(tmp_path / "findings").to_pylist()
    expected = ositrace.check(lake, findings=3)
    names = ["id", "severity", "frame", "time_ns", "byte", "channel", "field", "message"]
    found = [[row["path"], *(row[name] for name in names)] for row in rows if row["id"]]
    listed = [[row.file, *(getattr(row, name) for name in names)] for row in expected]
    assert sorted(found, key=str) == sorted(listed, key=str) != []
    assert {(row["path"], row["id"], row["count"]) for row in rows if row["id"]} == {
        (row.file, row.id, row.count) for row in expected.counts if row.id in {one.id for one in expected}
    }
    files = [row for row in rows if not row["id"]]
    assert len(files) == report.files == 24
    messages = {row["message"] for row in files}
    assert {row["severity"] for row in files} == {"checked"} and messages == {"433 frames", "364 frames", "0 frames"}
    assert check(spark, lake, tmp_path / "findings", findings=3).files == 0


def test_a_file_that_cannot_be_checked_has_a_row_that_says_why_or_is_a_failure(ground_truth, tmp_path):
    from ositrace._files import FileFacts
    from ositrace.spark import _jobs

    missing = FileFacts(str(tmp_path / "missing.osi"), 1, 2)
    unread = []
    assert list(_jobs._findings(missing, {}, unread)) == []
    assert unread == [_jobs.Failure(missing.path, f"{missing.path}: No such file or directory")]
    (row,) = _jobs._findings(FileFacts(str(ground_truth), 1, 2), {"schema": ground_truth}, unread)  # it is none
    assert (row["path"], row["severity"]) == (str(ground_truth), "failed") and len(unread) == 1


def test_an_output_that_cannot_have_its_name_is_a_failure(ground_truth, tmp_path):
    """And others are converted; each names the output, and not where it is staged."""
    from ositrace.spark import _jobs, _tables

    out = tmp_path / "out"
    (out / "highway_merge.mcap").mkdir(parents=True)
    names = _jobs._Names(str(ground_truth.parent), str(out), "mcap")
    with _tables.staging(str(out)) as staged:
        row = _jobs._converted(str(ground_truth), names, staged, {})
        assert (row["frames"], row["error"]) == (0, f"{out}/highway_merge.mcap: Is a directory")
        row = _jobs._converted(str(ground_truth), names, staged, {"level": 99})
    assert row["error"] and "_staging" not in row["error"]


SHIM = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <dlfcn.h>
int link(const char *from, const char *to) { errno = EPERM; return -1; }
int linkat(int a, const char *from, int b, const char *to, int flags) { errno = EPERM; return -1; }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { errno = EINVAL; return -1; }
int openat(int folder, const char *path, int flags, ...)
{
    int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) { errno = EOPNOTSUPP; return -1; }
    return next(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));
"""

PLAIN = """
import os, sys
import ositrace
from ositrace.spark import _jobs, _tables
trace, out = sys.argv[1:]
try:
    os.link(trace, out + ".link")
    sys.exit("the shim does nothing")
except PermissionError:
    pass
names = _jobs._Names(os.path.dirname(trace), out, "mcap")
with _tables.staging(out) as staged:
    for _ in range(2):  # the second replaces the first
        row = _jobs._converted(trace, names, staged, {})
        assert row["error"] is None, row
    ositrace.create(os.path.join(staged, "own.osi"), type="gt", overwrite=True).close()
"""


def test_jobs_need_no_hard_links(ground_truth, tmp_path):
    """A file system as mounted object stores are: without links, unnamed files, and a rename that keeps what exists."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler for the shim")
    (tmp_path / "shim.c").write_text(SHIM)
    shim = tmp_path / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, tmp_path / "shim.c", "-ldl"], check=True)
    (tmp_path / "out").mkdir()
    environment = os.environ | {"LD_PRELOAD": str(shim), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PLAIN, ground_truth, tmp_path / "out"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert os.listdir(tmp_path / "out") == ["highway_merge.mcap"]
    assert ositrace.diff(ground_truth, tmp_path / "out" / "highway_merge.mcap").same
