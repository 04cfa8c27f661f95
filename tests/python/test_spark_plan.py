# SPDX-License-Identifier: MPL-2.0
"""Partitions of files: every byte once, of about equal size."""

import os
import random
import subprocess
import sys

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import ositrace
from ositrace._catalog import _ROW_TYPES, _table
from ositrace._files import FileFacts
from ositrace.spark._plan import MOST_BYTES, plan
from ositrace.spark._request import Request

MIB = 1 << 20


def files_of(*sizes, suffix=".mcap"):
    return [FileFacts(f"/lake/{i}{suffix}", size, i) for i, size in enumerate(sizes)]


def bytes_of(partition):
    return sum(part.file.size if part.share is None else part.share.stop - part.share.start for part in partition)


def frames_read(partitions, frames):
    """Frames of each file, in the order of the partitions, if each has so many."""
    read = {}
    for partition in partitions:
        for file, share in partition:
            read.setdefault(file.path, []).extend(range(frames) if share is None else share.of(range(frames)))
    return read


@given(
    sizes=st.lists(st.integers(0, 300 * MIB), max_size=40),
    cores=st.integers(1, 50),
    most=st.integers(MIB, 200 * MIB),
    cuts=st.booleans(),
    suffix=st.sampled_from([".osi", ".mcap", ".osi.zst"]),
)
def test_every_frame_is_in_one_partition(sizes, cores, most, cuts, suffix):
    files = files_of(*sizes, suffix=suffix)
    partitions = plan(files, cores, most, cuts=cuts)
    assert all(partitions)
    assert frames_read(partitions, 97) == {file.path: list(range(97)) for file in files}
    if not cuts or suffix == ".osi.zst":
        assert all(share is None for partition in partitions for _, share in partition)


def test_small_files_share_a_partition_and_large_ones_have_several():
    partitions = plan(files_of(*[MIB] * 1000), cores=2)
    assert [len(partition) for partition in partitions] == [125] * 8
    partitions = plan(files_of(1000 * MIB), cores=2)
    assert [bytes_of(partition) / MIB for partition in partitions] == [125] * 8


def test_there_are_two_partitions_for_each_core_and_none_below_1_mib():
    assert len(plan(files_of(*[2 * MIB] * 100), cores=8)) == 16
    assert len(plan(files_of(*[20 << 10] * 100), cores=8)) == 1
    assert plan([], cores=8) == []


def test_a_filter_that_reads_little_needs_few_partitions():
    files = files_of(*[1000 * MIB] * 10)
    partitions = plan(files, cores=1, weights=[10 * MIB] * 10)
    assert [[file.path for file, _ in partition] for partition in partitions] == [
        [file.path for file in files[:5]],
        [file.path for file in files[5:]],
    ]


@pytest.mark.parametrize("cuts", [True, False])
def test_partitions_of_a_large_lake_are_balanced(cuts):
    chance = random.Random(7)
    largest = 4 << 30 if cuts else 32 * MIB
    files = files_of(*(int(min(largest, chance.lognormvariate(17, 2))) for _ in range(100_000)))
    sizes = [bytes_of(partition) for partition in plan(files, cores=100, cuts=cuts)]
    assert sum(sizes) == sum(file.size for file in files)
    assert max(sizes) < 2 * min(sizes)
    assert max(sizes) < 1.3 * MOST_BYTES


def test_a_catalog_of_a_large_lake_is_planned(tmp_path):
    """100 000 rows; the time that is asked for decides how much is read of a file, and whether it is."""
    chance = random.Random(3)
    rows = [
        {
            "path": f"/lake/{i}.mcap",
            "size": int(chance.lognormvariate(18, 1)),
            "mtime_ns": i,
            "channel": "/truth",
            "type": "osi3.GroundTruth",
            "first_time_ns": i * 10**9,
            "last_time_ns": (i + 100) * 10**9,
        }
        for i in range(100_000)
    ]
    catalog = _table(pa, _ROW_TYPES, rows)
    partitions = Request(columns=["id"]).partitions(None, 100, catalog=catalog)
    sizes = [bytes_of(partition) for partition in partitions]
    assert sum(sizes) == sum(row["size"] for row in rows) and max(sizes) < 2 * min(sizes)
    some = Request(columns=["id"], time=(50_000.0, 50_010.0)).partitions(None, 1, catalog=catalog)
    paths = [file.path for partition in some for file, _ in partition]
    assert sorted(set(paths)) == [f"/lake/{i}.mcap" for i in range(49_900, 50_011)]
    assert len(some) < len(partitions) / 100
    assert ositrace.scan(catalog=catalog).files[0] == "/lake/0.mcap"


def test_a_short_time_of_a_large_file_is_a_task_that_reads_it_once(tmp_path):
    """1 % of the frames, found by the timestamps of all; counted by the system, with what the plan reads."""
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    file = tmp_path / "large.mcap"
    ositrace.convert(generated(tmp_path), file, compression="none", chunk_size="128K")
    whole = Request(columns=["id"], most_bytes=2 * MIB)
    assert len(whole.partitions(file, 1)) > 8
    some = Request(columns=["id"], most_bytes=2 * MIB, time=(50, 51))
    list(some.batches(some.partitions(file, 1)[0]))  # what is loaded once
    before = bytes_read()
    partitions = some.partitions(file, 1)
    rows = [row for partition in partitions for batch in some.batches(partition) for row in batch.to_pylist()]
    used = bytes_read() - before
    assert len(partitions) == 1 and sorted({row["frame"] for row in rows}) == list(range(500, 510))
    assert used <= 1.03 * file.stat().st_size + (64 << 10), used / file.stat().st_size


def rows_of(request, paths, **more):
    partitions = request.partitions(paths, 1, **more)
    return [row for partition in partitions for batch in request.batches(partition) for row in batch.to_pylist()]


def test_a_query_by_a_catalog_says_what_one_by_a_path_says(tmp_path):
    """Also of files that break before their first channel, whose types nobody knows."""
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    lake = tmp_path / "lake"
    lake.mkdir()
    run = [os.environ["OSICONVERT"], "generate", lake / "whole.osi", "--frames", "5", "--reflections", "0", "--quiet"]
    subprocess.run(run, check=True)
    ositrace.convert(lake / "whole.osi", lake / "whole.mcap")
    contents = (lake / "whole.mcap").read_bytes()
    cuts = [lake / f"cut{left}.mcap" for left in (40, 100, 300, 3000)]
    for cut, left in zip(cuts, (40, 100, 300, 3000)):
        cut.write_bytes(contents[:left])
    with pytest.warns(UserWarning):
        made = ositrace.catalog(lake)
    for wanted in ({}, {"type": "SensorView"}, {"type": "GroundTruth"}, {"topics": ["SensorView"]}):
        request = Request(columns=["id"], errors="skip", **wanted)
        key = lambda row: (row["path"], str(row["frame"]), str(row["id"]))  # noqa: E731
        by_path = sorted(rows_of(request, lake), key=key)
        assert by_path == sorted(rows_of(request, None, catalog=made), key=key)
        assert {row["path"] for row in by_path if row["_error"]} == {str(cut) for cut in cuts}


def test_a_file_counts_once_and_names_stay_different(tmp_path):
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    run = [os.environ["OSICONVERT"], "generate", tmp_path / "a.osi", "--frames", "2", "--reflections", "0", "--quiet"]
    subprocess.run(run, check=True)
    request = Request(columns=["id"])
    once = rows_of(request, tmp_path)
    (tmp_path / "loop").symlink_to(".")
    for paths in ([tmp_path, tmp_path / "a.osi"], f"{tmp_path}/**/*.osi", [f"{tmp_path}/a.osi", f"{tmp_path}/./a.osi"]):
        assert rows_of(request, paths) == once
    for name in (b"a\xff.osi", b"a\xfe.osi"):
        os.link(tmp_path / "a.osi", os.path.join(os.fsencode(tmp_path), name))
    names = {os.path.basename(row["path"]) for row in rows_of(request, tmp_path)}
    assert names == {"a.osi", "a\\xfe.osi", "a\\xff.osi"}


def generated(folder):
    run = [os.environ["OSICONVERT"], "generate", folder / "large.osi", "--frames", "1000", "--reflections", "1500"]
    subprocess.run([*run, "--quiet"], check=True)
    return folder / "large.osi"


def bytes_read():
    with open("/proc/self/io") as counters:
        return int(counters.readline().split()[1])


def test_a_job_without_pyspark_names_it(tmp_path):
    program = "import sys; sys.modules['pyspark'] = None; from ositrace.spark.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "check", tmp_path, tmp_path / "findings"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    expected = "ositrace.spark: a job needs pyspark: pip install pyspark\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", expected)
