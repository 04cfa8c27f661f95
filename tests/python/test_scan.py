# SPDX-License-Identifier: MPL-2.0
"""Tables over many files; the oracle is each file alone."""

import os
import shutil
import threading

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_tables import damaged_trace

import ositrace
from ositrace import _files, _polars, _scan


@pytest.fixture
def lake(ground_truth, sensor_view, two_channels, tmp_path):
    """Files of both encodings and containers in folders; two_channels is in the folder above."""
    folder = tmp_path / "lake"
    (folder / "b" / "c").mkdir(parents=True)
    shutil.copy(sensor_view, folder / "a.mcap")
    shutil.copy(two_channels, folder / "b" / "two.mcap")
    ositrace.convert(ground_truth, folder / "b" / "flat.osifb")
    shutil.copy(ground_truth, folder / "b" / "c" / "merge.osi")
    return folder


def rows_of(*files, error=False, **options):
    """The objects of each channel of each file."""
    for file in files:
        with ositrace.open(file) as trace:
            for channel in trace.channels:
                for row in trace[channel.topic].objects(**options).to_arrow().to_pylist():
                    rest = {"ground_truth_id": None} | row | ({"_error": None} if error else {})
                    yield {"file": str(file), "channel": channel.topic} | rest


def by_name(row):
    return {name: row[name] for name in sorted(row)}


FILES = ["a.mcap", "b/flat.osifb", "b/two.mcap", "b/c/merge.osi"]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_rows_are_those_of_the_files_in_their_order(lake, threads):
    files = [lake / name for name in FILES]
    rows = ositrace.scan(files, threads=threads).objects().to_arrow().to_pylist()
    assert [by_name(row) for row in rows] == [by_name(row) for row in rows_of(*files)]
    assert list(rows[0])[:5] == ["file", "channel", "frame", "time", "time_ns"]
    part = ositrace.scan(files, threads=threads).objects(["x", "ground_truth_id"], time=(1, 2)).to_arrow().to_pylist()
    expected = rows_of(*files, time=(1, 2))
    assert part == [{name: row[name] for name in ("file", "channel", "x", "ground_truth_id")} for row in expected]


def test_patterns_paths_and_lists(lake, ground_truth):
    names = lambda paths: [os.path.relpath(file, lake) for file in ositrace.scan(paths).files]  # noqa: E731
    assert names(f"{lake}/**/*.mcap") == ["a.mcap", "b/two.mcap"]
    assert names(lake / "b" / "*.*") == ["b/flat.osifb", "b/two.mcap"]
    assert names([lake / "a.mcap", f"{lake}/b/*.osifb"]) == ["a.mcap", "b/flat.osifb"]
    odd = lake / "run[1].osi"
    shutil.copy(ground_truth, odd)
    assert names(odd) == ["run[1].osi"]
    (lake / "notes.txt").write_text("no trace")
    below = ["b/c/merge.osi", "b/flat.osifb", "b/two.mcap"]
    assert names(lake / "b") == below
    assert names(f"{lake}/**") == ["a.mcap", *below, "notes.txt", "run[1].osi"]
    (lake / "empty").mkdir()
    with pytest.raises(ositrace.Error, match="/empty: the folder contains no trace$"):
        ositrace.scan(lake / "empty")
    with pytest.raises(FileNotFoundError, match=r"no file matches '.*/\*\.bag'") as caught:
        ositrace.scan(f"{lake}/*.bag")
    assert isinstance(caught.value, ositrace.Error)


def test_names_that_are_hidden_are_read_where_they_are_written(lake):
    names = lambda paths: [os.path.relpath(file, lake) for file in ositrace.scan(paths).files]  # noqa: E731
    whole = names(lake)
    for folder in ("_staging", ".hidden", "b/_under"):
        (lake / folder).mkdir()
        shutil.copy(lake / "a.mcap", lake / folder / "x.mcap")
    shutil.copy(lake / "a.mcap", lake / "b" / ".x.mcap")
    shutil.copy(lake / "a.mcap", lake / "b" / "_x.mcap")
    assert names(lake) == names(f"{lake}/**") == whole
    assert names(f"{lake}/*") == whole
    assert names(f"{lake}/*/*.mcap") == ["b/two.mcap"]
    assert names(lake / "_staging") == names(f"{lake}/_staging/*.mcap") == ["_staging/x.mcap"]
    assert names(f"{lake}/**/_under/*") == ["b/_under/x.mcap"]
    assert names(f"{lake}/*/_*.mcap") == ["b/_x.mcap"]
    assert names(f"{lake}/.h*/*") == [".hidden/x.mcap"]
    assert names(lake / "b" / ".x.mcap") == ["b/.x.mcap"]


def test_a_file_is_listed_once(lake, tmp_path, monkeypatch):
    """Links, loops of links, and inputs that overlap."""
    names = lambda paths: [os.path.relpath(file, lake) for file in ositrace.scan(paths).files]  # noqa: E731
    whole = names(lake)
    assert names([lake, lake / "a.mcap", lake / "b", f"{lake}/**", lake / "b/../a.mcap"]) == whole
    assert names([lake / "a.mcap", lake]) == ["a.mcap", *whole[1:]]
    (lake / "0.mcap").symlink_to("a.mcap")
    (lake / "b" / "loop").symlink_to("..")
    (lake / "0").symlink_to("b")
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    shutil.copy(lake / "a.mcap", outside / "deep" / "o.mcap")
    (lake / "c").symlink_to(outside)
    os.mkfifo(lake / "pipe.osi")
    with_link = [*whole, "c/deep/o.mcap"]
    assert names(lake) == names(f"{lake}/**") == names(f"{lake}/*") == with_link
    assert names(f"{lake}/**/*.mcap") == ["a.mcap", "b/two.mcap", "c/deep/o.mcap"]
    assert names(f"{lake}/*.mcap") == ["a.mcap"]
    assert names(f"{lake}/c/*/*.mcap") == ["c/deep/o.mcap"]
    assert names(lake / "0.mcap") == ["0.mcap"]
    monkeypatch.chdir(lake)
    assert ositrace.scan("**/*.osi").files == ["b/c/merge.osi"]
    below = ["b/c/merge.osi", "b/flat.osifb", "b/loop/a.mcap", "b/two.mcap", "c/deep/o.mcap"]
    assert ositrace.scan("*/").files == below
    assert ositrace.scan("b/*.osifb").files == ["b/flat.osifb"]


def test_what_cannot_be_listed_is_an_error(lake, monkeypatch):
    (lake / "gone.osi").symlink_to("nowhere")
    (lake / "week").symlink_to("not-mounted")
    (lake / "self").symlink_to("self")
    closed, real = lake / "b" / "c", os.scandir

    def scandir(folder):
        if str(folder) == str(closed):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    for paths in (lake, f"{lake}/**/*.osi", f"{lake}/**"):
        rows = ositrace.scan(paths, errors="skip").objects(["id"]).to_arrow().to_pylist()
        errors = {os.path.relpath(row["file"], lake): row["_error"] for row in rows if row["_error"]}
        assert list(errors) == ["b/c", "gone.osi", "self", "week"]
        assert "No such file or directory" in errors["week"] and "Too many levels" in errors["self"]
        with pytest.raises(ositrace.Error):
            ositrace.scan(paths).objects(["id"]).to_arrow()


def test_names_that_are_not_utf_8_stay_two(lake):
    raw = os.fsencode(lake / "b" / "c")
    for name in (b"a\xff.osi", b"a\xfe.osi"):
        shutil.copy(os.fsencode(lake / "b/c/merge.osi"), os.path.join(raw, name))
    files = ositrace.scan(lake / "b" / "c").objects(["id"]).to_polars()["file"].unique().sort()
    assert [os.path.basename(file) for file in files] == ["a\\xfe.osi", "a\\xff.osi", "merge.osi"]


def test_the_id_of_a_file_is_that_of_its_path_size_and_time(lake, monkeypatch):
    facts = _files.facts_of(str(lake / "a.mcap"))
    assert facts.file_id == _files.facts_of(str(lake / "a.mcap")).file_id
    monkeypatch.chdir(lake)
    assert _files.facts_of("a.mcap").file_id == facts.file_id
    os.utime("a.mcap", ns=(0, facts.mtime_ns + 1))
    assert _files.facts_of("a.mcap").file_id != facts.file_id
    assert _files.file_id("/a", 1, 12) != _files.file_id("/a", 11, 2)
    # Tables are kept for years.
    assert _files.file_id("s3://lake/run.mcap", 1 << 40, 1_700_000_000_000_000_000) == 4064844449047236599


def test_channels_are_selected_by_topic_and_type(lake):
    files = [lake / name for name in FILES]
    whole = ositrace.scan(files).objects().to_polars()
    topic = ositrace.scan(files, topic="/b").objects().to_polars()
    assert topic.equals(whole.filter(pl.col("channel") == "/b"), null_equal=True)
    views = ositrace.scan(files, type="SensorView").objects().to_polars()
    assert views.equals(whole.filter(pl.col("file") == str(files[0])).select(views.columns), null_equal=True)
    with pytest.raises(ositrace.Error, match="unknown message type 'View'"):
        ositrace.scan(files, type="View")


def test_a_file_without_the_columns_is_an_error(lake):
    files = [lake / "a.mcap", lake / "b" / "c" / "merge.osi"]
    with pytest.raises(ositrace.Error, match=r"merge\.osi: osi3\.GroundTruth has no reflections"):
        ositrace.scan(files).reflections().to_arrow()
    rows = ositrace.scan(files, errors="skip").reflections().to_arrow().to_pylist()
    errors = [row for row in rows if row["_error"]]
    assert [row["file"] for row in errors] == [str(files[1])]
    view_paths = {"id": "global_ground_truth.moving_object[*].id"}
    with pytest.raises(
        ositrace.Error, match=r"merge\.osi: there is no field 'global_ground_truth' in osi3\.GroundTruth"
    ):
        ositrace.scan(files).table(view_paths).to_arrow()
    assert ositrace.scan(files, type="SensorView").table(view_paths).to_arrow().num_rows > 0
    with pytest.raises(KeyError, match="did you mean 'speed'"):
        ositrace.scan(files).objects(["speeed"])
    with pytest.raises(ositrace.Error, match="'moving_object' is repeated: select elements"):
        ositrace.scan(files).table(["moving_object.type"])


def test_a_file_that_breaks_before_its_first_channel_is_an_error(sensor_view, tmp_path):
    """Its channels are in the chunk that is cut off, and so is its summary."""
    file = tmp_path / "cut.mcap"
    file.write_bytes(sensor_view.read_bytes()[:20_000])
    reason = f"{file}: frame 0 at byte 435: the file is truncated: it ends in a record Chunk: "
    reason += "it announces 31990 bytes, and 19556 are left"
    with pytest.raises(ositrace.Error) as caught:
        ositrace.scan(file).objects().to_arrow()
    assert str(caught.value) == reason
    rows = ositrace.scan(file, errors="skip").objects(["id"]).to_arrow().to_pylist()
    assert [row["_error"] for row in rows] == [f"{reason} (19565 bytes skipped)"]


def test_broken_files_are_rows_or_an_exception(lake, ground_truth, tmp_path):
    cut, damaged, text, missing = (lake / name for name in ("cut.osi", "damaged.osi", "text.osi", "missing.osi"))
    cut.write_bytes(ground_truth.read_bytes()[:-1000])
    damaged_trace(damaged, ground_truth)
    text.write_text("this is no trace, but a text of some length " * 10)
    files = [lake / "a.mcap", cut, damaged, text, missing, lake / "b" / "c" / "merge.osi"]
    for first in (cut, damaged, text, missing):
        with pytest.raises(ositrace.Error) as caught:
            ositrace.scan([files[0], first, *files]).objects().to_arrow()
        assert caught.value.file == str(first)
    rows = ositrace.scan(files, errors="skip").objects().to_arrow().to_pylist()
    errors = [row for row in rows if row["_error"]]
    assert [row["file"] for row in errors] == [str(file) for file in (cut, damaged, text, missing)]
    assert "frame 432 at byte" in errors[0]["_error"] and "frame 2 at byte" in errors[1]["_error"]
    assert all(value is None for row in errors for name, value in row.items() if name not in ("file", "_error"))
    whole = [row for row in rows if row["file"] in (str(files[0]), str(files[-1]))]
    assert [by_name(row) for row in whole] == [by_name(row) for row in rows_of(files[0], files[-1], error=True)]
    assert {row["frame"] for row in rows if row["file"] == str(damaged)} == {0, 1, 3, 4, None}


def test_few_files_are_open_and_threads_end(lake, monkeypatch):
    opened, threads = [], threading.enumerate()
    monkeypatch.setattr(_scan, "open", lambda file, **options: opened.append(file) or ositrace.open(file, **options))
    files = [lake / f"{i}.osi" for i in range(50)]
    for file in files:
        os.link(lake / "b" / "c" / "merge.osi", file)
    batches = ositrace.scan(files, threads=3).objects().batches()
    next(batches)
    assert len(opened) <= 3
    next(batches)
    assert len(opened) <= 4
    batches.close()
    assert [thread for thread in threading.enumerate() if thread not in threads] == []
    assert len(opened) <= 5


def test_a_folder_of_parquet_files_is_complete_or_not_there(lake, monkeypatch):
    files = [lake / name for name in FILES]
    table = ositrace.scan(files).objects()
    table.to_parquet(lake / "one")
    assert [file.name for file in (lake / "one").iterdir()] == ["part-00000.parquet"]
    monkeypatch.setattr(_scan, "_ROWS_OF_A_PART", 1)
    monkeypatch.setattr("ositrace._table._BATCHES_OF_A_GROUP", 1)
    table.to_parquet(f"{lake}/out/", compression="zstd")
    parts = sorted(file.name for file in (lake / "out").iterdir())
    assert parts == [f"part-{i:05}.parquet" for i in range(5)]  # the last file but one has two channels
    found = pa.concat_tables(pq.read_table(lake / "out" / part) for part in parts)
    assert found.to_pylist() == pq.read_table(lake / "one").to_pylist() == table.to_arrow().to_pylist()
    with pytest.raises(ositrace.Error, match=r"out exists\. Use overwrite=True to replace it\.") as caught:
        table.to_parquet(lake / "out")
    assert caught.value.code == "exists"
    before = sorted(lake.rglob("*"))
    with pytest.raises(FileNotFoundError):
        ositrace.scan([*files, lake / "missing.osi"]).objects().to_parquet(lake / "other")
    assert sorted(lake.rglob("*")) == before


def test_a_folder_of_parquet_files_is_replaced_where_it_has_nothing_else(lake, monkeypatch):
    table = ositrace.scan(lake / FILES[0]).objects(["id"])
    folder = lake / "out"
    with monkeypatch.context() as patched:
        patched.setattr(_scan, "_ROWS_OF_A_PART", 1)
        patched.setattr("ositrace._table._BATCHES_OF_A_GROUP", 1)
        ositrace.scan([lake / name for name in FILES]).objects().to_parquet(folder)
    assert len(list(folder.iterdir())) > 1
    table.to_parquet(folder, overwrite=True)
    assert [file.name for file in folder.iterdir()] == ["part-00000.parquet"]
    assert pq.read_table(folder / "part-00000.parquet").to_pylist() == table.to_arrow().to_pylist()

    before = sorted(lake.rglob("*"))
    with pytest.raises(FileNotFoundError):
        ositrace.scan(lake / "missing.osi").objects().to_parquet(folder, overwrite=True)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(ositrace.Error, match=r"has 'notes\.txt', which to_parquet\(\) did not write") as caught:
        table.to_parquet(folder, overwrite=True)
    assert caught.value.code == "exists"
    with pytest.raises(ositrace.Error, match=r"is not a folder\. Name another one\."):
        table.to_parquet(lake / FILES[0], overwrite=True)
    assert sorted(lake.rglob("*")) == sorted([*before, folder / "notes.txt"])


def test_other_packages_take_a_scan(lake):
    table = ositrace.scan([lake / name for name in FILES]).objects()
    assert pa.table(table).to_pylist() == table.to_arrow().to_pylist()
    assert list(table.to_pandas()["file"]) == table.to_polars()["file"].to_list() == list(table.to_numpy()["file"])


QUERIES = {
    "everything": lambda f: f,
    "columns": lambda f: f.select("x", "file"),
    "one file": lambda f: f.filter(pl.col("file").cast(str).str.ends_with("merge.osi")).select("speed"),
    "a range": lambda f: f.filter((pl.col("time") >= 2) & (pl.col("time") < 5.016), pl.col("id") == 3),
    "the literal first": lambda f: f.filter((2.5 <= pl.col("time")) & (3 > pl.col("time"))).select("id", "kind"),
    "between": lambda f: f.filter(pl.col("time_ns").is_between(1_000_000_000, 2_013_000_000)),
    "equal": lambda f: f.filter(pl.col("time_ns") == 33_000_000).select("time"),
    "or": lambda f: f.filter((pl.col("time") < 1) | (pl.col("time") > 14)).select("x"),
    "not": lambda f: f.filter(~(pl.col("time") < 14)).select("x"),
    "of another column": lambda f: f.filter(pl.col("time") < pl.col("x")).select("y"),
    "a limit": lambda f: f.limit(7),
    "a limit after a filter": lambda f: f.filter(pl.col("time") > 1).limit(5).select("time", "file"),
    "groups": lambda f: f.group_by("file").agg(pl.max("speed"), pl.len()).sort(pl.col("file").cast(str)),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_polars_has_the_rows_that_it_would_filter_itself(lake, query):
    files = [lake / name for name in FILES]
    lazy = ositrace.scan_polars(files)
    eager = ositrace.scan(files).objects().to_polars()
    assert lazy.collect_schema() == eager.schema
    assert query(lazy).collect().equals(query(eager.lazy()).collect(), null_equal=True)


def test_a_predicate_on_times_is_a_range():
    time = pl.col("time")
    bounds = [
        ((time >= 2) & (time < 5), (2, 5)),
        ((2 < time) & (time <= pl.lit(5.5)) & (pl.col("x") > 0), (2, 5.5)),
        (time == 3, (3, 3)),
        (time.is_between(1, 2) & (time > 1.5), (1.5, 2)),
        ((pl.col("time_ns") > 3_000_000_000) & pl.col("is_host"), (3, None)),
        ((time < 1) | (time > 2), None),
        (~(time < 1), None),
        (time < pl.col("x"), None),
        (time < float("nan"), None),
        (pl.col("x") < 3, None),
        ((time < 4) & pl.col("x").is_null(), (None, 4)),
    ]
    units = {"time": 1.0, "time_ns": 1e-9}
    for predicate, expected in bounds:
        found = _polars.time_range(predicate, units)
        if expected is None:
            assert found is None, str(predicate)
            continue
        for side, (one, other) in enumerate(zip(found, expected)):
            margin = 2e-6 if side else -2e-6
            assert one == (None if other is None else pytest.approx(other + margin, abs=1e-9)), str(predicate)
    assert _polars.time_range(None, units) is None


def test_what_a_query_does_not_need_is_not_read(ground_truth, tmp_path):
    damaged_trace(tmp_path / "damaged.osi", ground_truth)  # a velocity in frame 2, at 0.099 s
    lazy = ositrace.scan_polars(tmp_path / "damaged.osi", type="GroundTruth")
    assert lazy.select("x").collect().height > 5
    with pytest.raises(Exception, match="frame 2 at byte"):
        lazy.select("vx").collect()
    later = lazy.filter(pl.col("time") > 0.11).select("vx", "frame").collect()
    assert set(later["frame"]) == {3, 4}
    files = [ground_truth, tmp_path / "missing.osi"]
    assert ositrace.scan_polars(files, threads=1).limit(3).collect().height == 3


def test_polars_reads_any_paths(ground_truth, tmp_path):
    paths = {
        "t": "@time",
        "host": "host_vehicle_id.value",
        "id": "moving_object[*].id",
        "type": "moving_object[*].type",
    }
    lazy = ositrace.scan_polars(ground_truth, paths)
    with ositrace.open(ground_truth) as trace:
        eager = trace.table(paths).to_polars()
    for names in (["t"], ["id", "t"], ["host"], ["type"], list(paths)):  # rows are objects, whatever is selected
        assert lazy.select(names).collect().equals(eager.select(names), null_equal=True)
    part = lazy.filter(pl.col("t") < 1).collect()
    assert part.drop("file", "channel").equals(eager.filter(pl.col("t") < 1), null_equal=True)
    with pytest.raises(KeyError, match="there is no table 'object'; did you mean 'objects'?"):
        ositrace.scan_polars(ground_truth, "object")


@pytest.mark.parametrize("threads", [0, -1])
def test_files_need_a_thread(ground_truth, threads):
    with pytest.raises(ValueError, match="expected an int of 1 or more"):
        ositrace.scan(ground_truth, threads=threads)


def test_a_topic_that_no_file_has_is_an_error(two_channels, ground_truth):
    with pytest.raises(ositrace.Error, match="there is no topic '/nope'") as caught:
        ositrace.scan([two_channels, ground_truth], topic="/nope").objects(["id"]).to_arrow()
    assert "/a" in str(caught.value) or "/b" in str(caught.value)
    assert isinstance(caught.value, KeyError)
    assert ositrace.scan([two_channels, ground_truth], topic="/b").objects(["id"]).to_arrow().num_rows > 0
