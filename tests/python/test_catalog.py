# SPDX-License-Identifier: MPL-2.0
"""Catalogs: against what the traces say when they are read, and against the program."""

import json
import os
import shutil
import subprocess

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import ositrace
from ositrace import _catalog, _files


@pytest.fixture
def drive(tmp_path):
    file = tmp_path / "drive.osi"
    run = [os.environ["OSICONVERT"], "generate", file, "--frames", "11", "--objects", "5", "--reflections", "0"]
    subprocess.run(run, check=True, capture_output=True)
    return file


@pytest.fixture
def lake(tmp_path, drive):
    """Three traces in three containers, of 0 to 1, 10 to 11 and 20 to 21 s."""
    folder = tmp_path / "lake" / "munich" / "2024-06-18"
    folder.mkdir(parents=True)
    for number, name in enumerate(("a.osi", "b.mcap", "c.osifb")):
        with ositrace.open(drive) as trace, ositrace.create(folder / name, type="SensorView") as writer:
            for frame in trace[:11]:
                message = frame.message.to_protobuf()
                message.timestamp.seconds += 10 * number
                writer.write(message)
    return tmp_path / "lake"


def test_it_says_what_the_traces_say(lake):
    made = ositrace.catalog(lake)
    rows = made.rows.to_pylist()
    assert [os.path.basename(row["path"]) for row in rows] == ["a.osi", "b.mcap", "c.osifb"]
    for row in rows:
        with ositrace.open(row["path"]) as trace:
            stats = trace.stats(full=True)[0]
            times = [frame.time_ns for frame in trace]
        assert row["frames"] == stats["frames"] == 11
        assert (row["first_time_ns"], row["last_time_ns"]) == (times[0], times[-1])
        assert row["rate_hz"] == pytest.approx(stats["rate_hz"])
        assert row["osi_versions"] == stats["osi_versions"]
        assert row["type"] == stats["type"] and row["channel"] == stats["topic"]
        assert (row["campaign"], row["date"], row["error"]) == ("munich", "2024-06-18", None)
        facts = _files.facts_of(row["path"])
        assert (row["size"], row["mtime_ns"], row["file_id"]) == (facts.size, facts.mtime_ns, facts.file_id)
    places = made.places.to_pylist()
    assert [(place["frame"], place["time_ns"]) for place in places] == [(0, 0), (None, 10**10), (0, 2 * 10**10)]


def test_bounds_are_those_of_the_objects(lake):
    row = ositrace.catalog(lake / "munich/2024-06-18/a.osi").rows.to_pylist()[0]
    with ositrace.open(row["path"]) as trace:
        x = [o.base.position.x for i in (0, -1) for o in trace[i].message.global_ground_truth.moving_object]
        host = trace[0].message.global_ground_truth.host_vehicle_id.value
    assert (row["x_min"], row["x_max"], row["host_id"]) == (min(x), max(x), host)


def test_the_program_says_the_same(lake):
    assert lines_of(lake) == ositrace.catalog(lake).rows.drop_columns("file_id").to_pylist()


def lines_of(*paths):
    """What the program says, by the names of the files."""
    done = subprocess.run([os.environ["OSICONVERT"], "catalog", *paths, "-o", "-"], capture_output=True)
    assert done.returncode in (0, 1, 3)
    return sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda row: row["path"])


def test_the_program_says_the_same_of_text_and_broken_files(lake, drive, tmp_path):
    odd = tmp_path / "odd"
    odd.mkdir()
    for name in ("a.txth", "a.jsonl", "a.jsonl.zst", "a.osi.zst"):
        ositrace.convert(drive, odd / name)
    (odd / "cut.txth").write_bytes((odd / "a.txth").read_bytes()[:-1000])
    (odd / "cut.osi").write_bytes(drive.read_bytes()[:-1])
    (odd / "cut.mcap").write_bytes((lake / "munich/2024-06-18/b.mcap").read_bytes()[:2000])
    (odd / "empty.mcap").write_bytes(b"nothing at all")
    (odd / "empty.osi").write_bytes(b"")
    with pytest.warns(UserWarning):
        made = ositrace.catalog(odd)
    rows = made.rows.drop_columns("file_id").to_pylist()
    assert lines_of(odd) == rows
    containers = [row["container"] for row in rows if row["path"].endswith(("txth", "jsonl", "jsonl.zst"))]
    assert containers == ["json-lines", "json-lines", "text", None]
    assert all("a.osi" in place or "cut.osi" in place for place in made.places["path"].to_pylist())


def test_parquet_is_read_back_and_updated(lake, tmp_path, monkeypatch):
    file = tmp_path / "lake.parquet"
    made = ositrace.catalog(lake, file)
    assert pq.read_table(file).equals(made.rows)
    assert pq.read_table(tmp_path / "lake.index.parquet").equals(made.places)
    with pytest.raises(ositrace.Error, match="lake.parquet exists. Use update=True or overwrite=True."):
        ositrace.catalog(lake, file)
    shutil.copy(lake / "munich/2024-06-18/a.osi", lake / "new.osi")
    os.utime(lake / "munich/2024-06-18/b.mcap", ns=(1, 1))
    opened = []
    real = _catalog.open_unless_text
    monkeypatch.setattr(_catalog, "open_unless_text", lambda path, *more: opened.append(path) or real(path, *more))
    again = ositrace.catalog(lake, file, update=True)
    assert sorted(map(os.path.basename, opened)) == ["b.mcap", "new.osi"]
    monkeypatch.undo()
    assert again.rows.equals(ositrace.catalog(lake).rows)
    assert again.places.equals(ositrace.catalog(lake).places)
    os.unlink(lake / "new.osi")
    assert ositrace.catalog(lake, file, update=True).rows.num_rows == 3
    with pytest.raises(ValueError, match="not both"):
        ositrace.catalog(lake, file, update=True, overwrite=True)
    written = os.stat(file).st_mtime_ns
    assert ositrace.catalog(lake, file, overwrite=True).rows.equals(ositrace.catalog(lake).rows)
    assert os.stat(file).st_mtime_ns > written and pq.read_table(file).num_rows == 3


def test_a_broken_file_has_a_row(lake):
    cut = lake / "cut.osi"
    cut.write_bytes((lake / "munich/2024-06-18/a.osi").read_bytes()[:-1])
    (lake / "empty.mcap").write_bytes(b"nothing at all")
    with pytest.warns(UserWarning, match=r"cut.osi: frame 10 at byte .* \(and 1 more files\)"):
        rows = {os.path.basename(row["path"]): row for row in ositrace.catalog(lake).rows.to_pylist()}
    assert rows["cut.osi"]["frames"] == 10 and "the file is truncated" in rows["cut.osi"]["error"]
    assert rows["empty.mcap"]["frames"] is None and rows["empty.mcap"]["error"]
    assert rows["a.osi"]["error"] is None


@pytest.mark.parametrize("left", [60, 300, 2000])
def test_a_file_that_breaks_before_its_first_channel_is_not_lost(lake, left):
    """A filter does not know what the file had."""
    cut = lake / "cut.mcap"
    cut.write_bytes((lake / "munich/2024-06-18/b.mcap").read_bytes()[:left])
    with pytest.raises(ositrace.Error) as raised:
        ositrace.scan(cut).objects().to_arrow()
    with pytest.warns(UserWarning, match="cut.mcap"):
        made = ositrace.catalog(lake)
    row = made.rows.filter(pc.field("path") == str(cut)).to_pylist()[0]
    assert row["error"] == str(raised.value) and row["channel"] is None
    for wanted in ({"type": "sv"}, {"topic": "SensorView"}, {"type": "gt"}, {}):
        with pytest.raises(ositrace.Error) as caught:
            ositrace.scan(catalog=made, **wanted).objects(["id"]).to_arrow()
        assert str(caught.value) == str(raised.value)
        rows = [ositrace.scan(**files, **wanted, errors="skip").objects(["id"]).to_arrow().to_pylist()
                for files in ({"paths": lake}, {"catalog": made})]
        key = lambda row: (row["file"], str(row["_error"]))  # noqa: E731
        assert sorted(rows[0], key=key) == sorted(rows[1], key=key)
        assert [one["file"] for one in rows[1] if one["_error"]] == [str(cut)]


def test_a_scan_opens_only_files_that_have_something(lake, monkeypatch):
    made = ositrace.catalog(lake)
    whole = ositrace.scan(lake)
    opened = []
    real = ositrace._scan.Scan._open
    monkeypatch.setattr(ositrace._scan.Scan, "_open", lambda self, file: opened.append(file) or real(self, file))
    for time in ((10.0, 10.5), (None, 0.5), (20.999, None), (12, 19), None):
        expected = whole.objects(time=time).to_arrow()
        opened.clear()
        assert ositrace.scan(catalog=made).objects(time=time).to_arrow().equals(expected)
        assert len(opened) == {(12, 19): 0, None: 3}.get(time, 1)
    assert ositrace.scan_polars(catalog=made).collect().equals(ositrace.scan(lake).objects().to_polars())
    rows = made.rows.filter(pc.ends_with(pc.field("path"), "c.osifb"))
    assert [os.path.basename(file) for file in ositrace.scan(catalog=rows).files] == ["c.osifb"]
    assert ositrace.scan(catalog=made, type="GroundTruth").files == []
    with pytest.raises(ValueError, match="paths, or a catalog"):
        ositrace.scan(lake, catalog=made)


def test_a_file_that_changed_since_is_an_error(lake):
    made = ositrace.catalog(lake)
    os.utime(lake / "munich/2024-06-18/a.osi", ns=(1, 1))
    with pytest.raises(ositrace.Error, match="it changed after the catalog was made"):
        ositrace.scan(catalog=made).objects().to_arrow()
    skipped = ositrace.scan(catalog=made, errors="skip").objects().to_arrow()
    assert pc.sum(pc.is_valid(skipped["_error"])).as_py() == 1


def test_the_program_lists_the_same_files(lake, tmp_path):
    """Hidden names, links, pipes, and inputs that overlap."""
    for folder in ("_staging", ".hidden", "_staging/deep"):
        (lake / folder).mkdir()
        shutil.copy(lake / "munich/2024-06-18/a.osi", lake / folder / "x.osi")
    shutil.copy(lake / "munich/2024-06-18/a.osi", lake / ".a.osi")
    (lake / "loop").symlink_to(lake)
    (lake / "munich/up").symlink_to("../..")
    (lake / "b.mcap").symlink_to("munich/2024-06-18/b.mcap")
    (lake / "gone.osi").symlink_to("nowhere")
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.copy(lake / "munich/2024-06-18/a.osi", outside / "o.osi")
    (lake / "more").symlink_to(outside)
    (lake / "also").symlink_to(outside)
    os.mkfifo(lake / "pipe.osi")
    ositrace.catalog(lake / "munich/2024-06-18", lake / "ours.jsonl")
    program = [os.environ["OSICONVERT"], "catalog", lake / "munich/2024-06-18", "-o"]
    subprocess.run([*program, lake / "munich/theirs.jsonl"], check=True)
    inputs = [lake, lake / "munich", lake / "munich/2024-06-18/a.osi", tmp_path / "lake/../lake/b.mcap"]
    with pytest.warns(UserWarning, match="gone.osi: No such file or directory"):
        rows = ositrace.catalog(inputs).rows.drop_columns("file_id").to_pylist()
    assert lines_of(*inputs) == rows
    names = [os.path.relpath(row["path"], lake) for row in rows]
    days = [f"munich/2024-06-18/{name}" for name in ("a.osi", "b.mcap", "c.osifb")]
    assert names == ["also/o.osi", "gone.osi", *days, "munich/up/drive.osi"]


def test_json_lines_are_those_of_the_program(lake, tmp_path):
    made = ositrace.catalog(lake)
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.jsonl"
    program = [os.environ["OSICONVERT"], "catalog", lake, "-o"]
    subprocess.run([*program, theirs], check=True, capture_output=True)
    ositrace.catalog(lake, ours)
    for file in (theirs, ours):
        read = _catalog.Catalog.read(file)
        assert read.rows.equals(made.rows) and read.places.equals(made.places)
        assert ositrace.scan(catalog=file).objects().to_arrow().equals(ositrace.scan(lake).objects().to_arrow())
    for ending in ("jsonl", "index.jsonl"):
        lines = [[json.loads(line) for line in open(tmp_path / f"{who}.{ending}")] for who in ("ours", "theirs")]
        assert lines[0] == lines[1] and list(lines[0][0]) == list(lines[1][0])

    os.utime(lake / "munich/2024-06-18/a.osi", ns=(1, 1))  # each updates what the other wrote
    done = subprocess.run([*program, ours, "--update"], check=True, capture_output=True, text=True)
    assert done.stdout == f"{ours}: 3 files, 2 of them unchanged\n"
    assert ositrace.catalog(lake, theirs, update=True).rows.equals(ositrace.catalog(lake).rows)
    with open(ours, "a") as stream:
        stream.write('{"path": "/lake/a.osi", "size": 7}\n')
    with pytest.raises(ositrace.Error, match=r"ours.jsonl: line 4: not a table of a catalog"):
        ositrace.scan(catalog=ours)


@pytest.mark.parametrize("name", ["lake.parquet", "lake.jsonl"])
def test_a_catalog_without_its_places_is_made_again(lake, tmp_path, name):
    file = tmp_path / name
    index = tmp_path / name.replace("lake", "lake.index")
    made = ositrace.catalog(lake, file)
    index.unlink()
    assert ositrace.scan(catalog=file).files == ositrace.scan(lake).files  # which needs no places
    with pytest.raises(FileNotFoundError, match=f"^{index}: No such file or directory$"):
        _catalog.Catalog.read(file)
    other = tmp_path / f"other-{name}"
    other.write_text("no table")
    with pytest.raises(ositrace.Error, match=f"{other}: (line 1: )?not a table of a catalog"):
        ositrace.catalog(lake, other, update=True)
    again = ositrace.catalog(lake, file, update=True)
    assert again.places.equals(made.places) and _catalog.Catalog.read(file).places.equals(made.places)


def test_a_catalog_that_is_missing_is_named(tmp_path):
    for name in ("gone.parquet", "gone.jsonl"):
        with pytest.raises(FileNotFoundError, match=f"^{tmp_path}/{name}: No such file or directory$"):
            ositrace.scan(catalog=tmp_path / name)


def test_what_is_no_catalog_is_refused(tmp_path):
    (tmp_path / "text.parquet").write_text("no table")
    with pytest.raises(ositrace.Error, match="text.parquet: not a table of a catalog"):
        ositrace.scan(catalog=tmp_path / "text.parquet")
    for name in ("a.parquet", "a.index.parquet"):
        pq.write_table(pa.table({"x": [1]}), tmp_path / name)
    with pytest.raises(ositrace.Error, match="not a table of a catalog"):
        ositrace.scan(catalog=tmp_path / "a.parquet")
