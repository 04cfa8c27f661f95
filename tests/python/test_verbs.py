# SPDX-License-Identifier: MPL-2.0
"""The verbs as functions: osi3 and osi3trace judge what they write, and the command line what they say."""

import json
import os
import signal
import subprocess
from pathlib import Path

import conftest
import pytest

import ositrace

pytestmark = pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")


def osiconvert(*arguments):
    done = subprocess.run([os.environ["OSICONVERT"], *map(str, arguments)], capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def payloads(path, **options):
    with ositrace.open(path, **options) as trace:
        return [bytes(frame.payload) for frame in trace]


def test_convert_writes_what_osi3trace_reads(ground_truth, tmp_path):
    from osi3trace.osi_trace import OSITrace

    done = ositrace.convert(ground_truth, tmp_path / "out.mcap", compression="zstd", meta={"authors": "us"})
    assert (done.frames, done.type, done.state, done.error) == (433, "osi3.GroundTruth", "done", None)
    assert done.output == str(tmp_path / "out.mcap")
    assert done.channels == [{"topic": "GroundTruth", "type": "osi3.GroundTruth"}]
    assert [message.SerializeToString() for message in OSITrace(done.output, type_name="GroundTruth")] == payloads(
        ground_truth
    )
    with ositrace.open(done.output) as trace:
        assert trace.info.chunk_compression == "zstd"
        assert trace.metadata["net.asam.osi.trace"]["authors"] == "us"


def test_several_inputs_are_channels_or_files_of_their_own(ground_truth, sensor_view, tmp_path):
    both = ositrace.convert([ground_truth, sensor_view], tmp_path / "both.mcap", rename={"highway_merge": "truth"})
    assert (both.input, len(both.inputs), both.frames) == (None, 2, 433 + 364)
    assert "truth" in [channel["topic"] for channel in both.channels]
    files = ositrace.convert([ground_truth, sensor_view], out_dir=tmp_path / "flat", to="osifb", threads=1)
    assert [file.frames for file in files] == [433, 364]
    with pytest.warns(UserWarning, match="none.osi: No such file"):
        rows = ositrace.convert([ground_truth, tmp_path / "none.osi"], out_dir=tmp_path / "mcap", to="mcap")
    assert [row.state for row in rows] == ["done", "failed"]
    assert rows[1].error == f"{tmp_path / 'none.osi'}: No such file or directory"
    again = ositrace.convert([ground_truth], out_dir=tmp_path / "mcap", to="mcap", resume=True)
    assert again[0].state == "already_complete"


def test_diff_compares_a_part_and_pairs_by_name(ground_truth, tmp_path):
    ositrace.edit(ground_truth, tmp_path / "b.osi", set={"moving_object[id=0].base.position.x": 0})
    whole = ositrace.diff(ground_truth, tmp_path / "b.osi", pair_by="name")
    part = ositrace.diff(ground_truth, tmp_path / "b.osi", time=(2, 5))
    with ositrace.open(ground_truth) as trace:
        assert (whole.different, part.different) == (433, len(trace.between(2, 5)))
    with pytest.raises(ValueError, match="pair_by"):
        ositrace.diff(ground_truth, tmp_path / "b.osi", pair_by="size")


def test_cut_takes_the_frames_of_the_range(ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace:
        start = trace[0].time
        bounds = (start + 1, start + 2)
        expected = [bytes(frame.payload) for frame in trace.between(*bounds)]
        tenth = [bytes(frame.payload) for frame in trace[5:50:10]]
    ositrace.cut(ground_truth, tmp_path / "time.osi", time=bounds, time_tolerance=1e-6)
    assert payloads(tmp_path / "time.osi", type="gt")[1:] == expected[1:]
    ositrace.cut(ground_truth, tmp_path / "frames.osi", frames=slice(5, 50), every=10, static="drop")
    assert payloads(tmp_path / "frames.osi", type="gt") == tenth
    ositrace.cut(ground_truth, tmp_path / "end.osi", time="-1:")
    assert 0 < len(payloads(tmp_path / "end.osi", type="gt")) < 100
    with pytest.raises(ositrace.Error, match="nothing to cut") as caught:
        ositrace.cut(ground_truth, tmp_path / "none.osi")
    assert caught.value.code == "usage"


def test_pieces_are_joined_again(ground_truth, tmp_path):
    pieces = ositrace.split(ground_truth, tmp_path / "parts", every_frames=100, static="drop")
    assert [piece.frames for piece in pieces] == [100, 100, 100, 100, 33]
    joined = ositrace.concat([piece.output for piece in pieces], tmp_path / "joined.osi", type="GroundTruth")
    assert joined.frames == 433
    assert (tmp_path / "joined.osi").read_bytes() == ground_truth.read_bytes()


def test_a_profile_is_written_and_checked(ground_truth, tmp_path):
    town = conftest.SOURCE.parent / "shared" / "maps" / "soderleden.xodr"
    written = ositrace.convert(ground_truth, tmp_path / "a.mcap", profile="omega-prime", map=town)
    assert [channel["topic"] for channel in written.channels] == ["/ground_truth", "/ground_truth_map"]
    missing = {finding["id"].rpartition(".")[2]: finding["count"] for finding in written.profile_findings}
    assert missing["country_code_is_set"] == 433
    assert {"field": "version", "frames": 432} in written.profile_added
    found = ositrace.check(tmp_path / "a.mcap", profile="omega-prime", findings=1)
    assert {row.id.rpartition(".")[2] for row in found if "omega_prime" in row.id} == set(missing)
    assert ositrace.convert(ground_truth, tmp_path / "b.mcap").profile_findings == []
    with pytest.raises(ValueError, match="profile='omega': expected 'omega-prime'"):
        ositrace.check(tmp_path / "a.mcap", profile="omega")


def test_attachments_and_the_map_become_files(ground_truth, tmp_path):
    town = conftest.SOURCE.parent / "shared" / "maps" / "soderleden.xodr"
    notes = tmp_path / "notes.txt"
    notes.write_text("a note")
    ositrace.convert(ground_truth, tmp_path / "a.mcap", attach_map=town, attach=[notes])
    written = ositrace.extract(tmp_path / "a.mcap", tmp_path / "all")
    assert [(one.kind, Path(one.output).name, one.bytes) for one in written] == [
        ("attachment", "notes.txt", 6),
        ("map", "a.xodr", town.stat().st_size),
    ]
    assert Path(written[1].output).read_bytes() == town.read_bytes()
    (only,) = ositrace.extract(tmp_path / "a.mcap", tmp_path / "all", ["map"], overwrite=True)
    assert only.name == "/ground_truth_map"
    with pytest.raises(ositrace.Error, match="exists. Use overwrite=True to replace it"):
        ositrace.extract(tmp_path / "a.mcap", tmp_path / "all", ["notes.txt"])
    with pytest.raises(TypeError, match="names='map': expected a list of names"):
        ositrace.extract(tmp_path / "a.mcap", tmp_path / "all", "map")


def test_static_data_is_expanded_and_compacted(ground_truth, tmp_path):
    whole, small = tmp_path / "whole.osi", tmp_path / "small.osi"
    with pytest.warns(UserWarning, match="static data"):
        ositrace.static("expand", ground_truth, whole)
        ositrace.static("compact", whole, small)
    assert small.stat().st_size < whole.stat().st_size
    assert ositrace.diff(ground_truth, small, carry_static=True)
    assert not ositrace.diff(ground_truth, whole, type="gt")


def test_ground_truths_are_wrapped(ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace:
        host = trace[0].message.moving_object[0].id.value
    pose = (3.8, 0, 0.5, 0, 0, 0.25)
    ositrace.wrap("gt2sv", ground_truth, tmp_path / "sv.osi", host=host, sensor_id=7, mounting=pose)
    with ositrace.open(tmp_path / "sv.osi") as trace:
        view = trace[0].message
        assert (view.sensor_id.value, view.host_vehicle_id.value) == (7, host)
        assert view.mounting_position.orientation.yaw == 0.25
    ositrace.wrap("sv2gt", tmp_path / "sv.osi", tmp_path / "gt.osi")
    assert (tmp_path / "gt.osi").read_bytes() == ground_truth.read_bytes()


def test_rename_says_and_applies_the_name_of_the_standard(ground_truth, tmp_path):
    path = tmp_path / "20210818T150542Z_gt_350_32112_1_mine.osi"
    path.write_bytes(ground_truth.read_bytes())
    (row,) = ositrace.rename(path)
    assert (row.path, row.renamed, row.timestamp_from) == (str(path), False, "old_name")
    assert row.name.endswith("_433_mine.osi") and path.exists()
    (row,) = ositrace.rename(tmp_path, apply=True)
    assert row.renamed and [file.name for file in tmp_path.iterdir()] == [row.name]


def test_check_has_the_findings_of_the_command_line(tmp_path):
    broken = conftest.SOURCE / "tests" / "broken" / "truncated_in_payload.osi"
    found = ositrace.check(broken, type="SensorView")
    expected = json.loads(osiconvert("check", broken, "--type", "sv", "--json")[1])
    assert len(found) == len(expected["findings"]) > 0
    for row, finding in zip(found, expected["findings"]):
        assert {name: getattr(row, name) for name in finding if name != "time"} == {
            name: value for name, value in finding.items() if name != "time"
        }
    assert (found.errors, found.warnings, found.conforming) == (expected["errors"], expected["warnings"], False)
    assert found.frames == {str(broken): expected["files"][0]["frames"]}
    assert sum(count.count for count in found.counts) == found.errors + found.warnings + found.infos
    without = ositrace.check(broken, type="SensorView", disable=[found[0].id])
    assert found[0].id not in [row.id for row in without]


def test_check_says_how_many_findings_there_are_and_lists_all_on_request(ground_truth, tmp_path):
    some, every = ositrace.check([ground_truth]), ositrace.check([ground_truth], findings=None)
    assert some.errors == every.errors == 903
    assert len(every) == every.errors + every.warnings + every.infos == sum(one.count for one in every.counts)
    assert repr(every) == "<Findings: 903 errors, 0 warnings, 1 info>"
    assert repr(some) == "<Findings: 903 errors, 0 warnings, 1 info; listed: 37 (findings=None: all)>"
    for id in {row.id for row in every}:
        of_id = [row for row in every if row.id == id]
        assert {row.count for row in of_id} == {len(of_id)}
        assert [row for row in some if row.id == id] == of_id[:10]


def test_diff_says_how_many_differences_there_are_and_lists_all_on_request(ground_truth, tmp_path):
    longer = ositrace.concat([ground_truth, ground_truth], tmp_path / "longer.osi", retime=True, type="gt").output
    with ositrace.open(longer, type="gt") as trace, ositrace.create(tmp_path / "moved.osi") as writer:
        for frame in trace[:500]:
            message = frame.message.to_protobuf()
            for one in message.moving_object:
                one.base.position.x += 1
                one.base.position.y += 1
            writer.write(message)
    some = ositrace.diff(ground_truth, tmp_path / "moved.osi", type="gt")
    every = ositrace.diff(ground_truth, tmp_path / "moved.osi", type="gt", differences=None)
    with ositrace.open(ground_truth) as trace:
        expected = sum(2 * len(frame.message.moving_object) for frame in trace) + 500 - 433
    assert every.only_in_b == 500 - 433
    assert some.difference_count == every.difference_count == len(every.differences) == expected
    assert list(some.differences) == list(every.differences[:1000])
    assert f"{expected} differences, listed: 1000 (differences=None: all)>" in repr(some)
    assert repr(every).endswith(f" {expected} differences>")
    assert f"<td>moving_object.base.position.x</td><td>{some.fields[1].differences}</td>" in some._repr_html_()


def test_diff_pairs_frames_within_a_tolerance_of_their_times(tmp_path):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    def write(name, later):
        with ositrace.create(tmp_path / name) as writer:
            for i in range(3):
                message = GroundTruth()
                message.timestamp.seconds = i
                message.timestamp.nanos = later
                message.moving_object.add().id.value = 3
                writer.write(message)
        return tmp_path / name

    a, b, c = write("a_gt_.osi", 0), write("b_gt_.osi", 900), write("c_gt_.osi", 5000)
    assert ositrace.diff(a, b, ignore=["timestamp"])
    assert ositrace.diff(a, c, ignore=["timestamp"]).only_in_a == 3
    assert ositrace.diff(a, c, ignore=["timestamp"], time_tolerance=1e-5)
    assert ositrace.diff(a, b, ignore=["timestamp"], time_tolerance=0).only_in_b == 3


def test_diff_compares_numbers_within_a_tolerance(tmp_path):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    def write(name, x):
        with ositrace.create(tmp_path / name) as writer:
            for i in range(3):
                message = GroundTruth()
                message.timestamp.seconds = i
                message.moving_object.add().id.value = 3
                message.moving_object[0].base.position.x = x
                writer.write(message)
        return tmp_path / name

    a, b = write("a.osi", 1), write("b.mcap", 1.25)
    result = ositrace.diff(a, b, list_frames=True)
    assert not result and (result.equal, result.different) == (0, 3)
    assert result.difference_count == len(result.differences) == 3
    assert repr(result) == "<Comparison: 0 frames equal, 3 different, 0 only in a, 0 only in b; 3 differences>"
    assert result.differences[1].field == "moving_object[id=3].base.position.x"
    assert (result.differences[1].time, result.differences[1].frame_b) == (1.0, 1)
    assert [(row.field, row.differences, row.largest) for row in result.fields] == [
        ("moving_object.base.position.x", 3, 0.25)
    ]
    assert [row.differences for row in result.frames] == [1, 1, 1]
    assert ositrace.diff(a, b, tolerance={"moving_object.base.position": 0.25})
    assert ositrace.diff(a, b, ignore=["moving_object.base"])


def test_stats_counts_what_osi3_has(ground_truth):
    rows = {row.field: row for row in ositrace.stats(ground_truth, frames=(10, 20))}
    with ositrace.open(ground_truth) as trace:
        counts = [len(frame.message.to_protobuf().moving_object) for frame in trace[10:20]]
    row = rows["moving_object"]
    assert (row.count, row.frames, row.min, row.max) == (sum(counts), 10, min(counts), max(counts))
    assert row.mean == pytest.approx(sum(counts) / 10)


def test_recover_saves_what_is_not_damaged(ground_truth, tmp_path):
    data = ground_truth.read_bytes()
    path = tmp_path / "cut.osi"
    path.write_bytes(data[: len(data) // 2])
    saved = ositrace.recover(path, tmp_path / "saved.osi", type="gt")
    assert (saved.losses, len(saved.lost), saved.state) == (1, 1, "done")
    assert saved.lost[0].byte + saved.lost[0].bytes == len(data) // 2
    assert payloads(tmp_path / "saved.osi", type="gt") == payloads(ground_truth)[: saved.frames]


def test_errors_have_the_places_and_the_text_of_the_command_line(ground_truth, tmp_path):
    path = tmp_path / "cut.osi"
    path.write_bytes(ground_truth.read_bytes()[:-1000])
    out = tmp_path / "out.mcap"
    with pytest.raises(ositrace.Error) as caught:
        ositrace.convert(path, out)
    text = osiconvert("convert", path, "-o", out)[2].splitlines()[0]
    assert text == f"osiconvert: {caught.value}"
    assert (caught.value.code, caught.value.file, caught.value.frame) == ("truncated", str(path), 432)
    assert f"at byte {caught.value.byte}: " in str(caught.value)
    assert not out.exists()
    with pytest.raises(FileNotFoundError) as missing:
        ositrace.convert(tmp_path / "none.osi", out)
    assert isinstance(missing.value, ositrace.Error)
    with pytest.raises(TypeError, match="there is no option 'level_of'"):
        ositrace.convert(ground_truth, out, level_of=3)
    with pytest.raises(TypeError, match="needs either an output or out_dir"):
        ositrace.convert(ground_truth)
    with pytest.raises(ositrace.Error, match="level= requires a compressed output") as usage:
        ositrace.convert(ground_truth, tmp_path / "out.osi", level=3)
    assert usage.value.code == "usage"


@pytest.fixture
def long_trace(ground_truth, tmp_path):
    """Minutes of work at the highest level of zstd."""
    return ositrace.concat([ground_truth] * 40, tmp_path / "long.osi", retime=True).output


def test_progress_is_reported_and_ctrl_c_leaves_nothing(long_trace, tmp_path, ctrl_c):
    seen = []

    def interrupt(progress):
        seen.append(progress)
        signal.raise_signal(signal.SIGINT)

    out = tmp_path / "out.mcap"
    with pytest.raises(KeyboardInterrupt):
        ositrace.convert(long_trace, out, compression="zstd", level=22, threads=1, progress=interrupt)
    assert [file.name for file in tmp_path.iterdir()] == ["long.osi"]
    assert 0 < seen[0].frames < 40 * 433 and 0 < seen[0].done < 1 and seen[0].bytes > 0


def test_the_last_progress_of_a_verb_is_its_end(ground_truth, sensor_view, long_trace, tmp_path):
    def last(call):
        seen = []
        call(seen.append)
        return seen[-1]

    done = last(lambda show: ositrace.convert(ground_truth, tmp_path / "small.mcap", progress=show))
    assert done == ositrace.Progress(str(ground_truth), 433, None, 1.0)
    done = last(lambda show: ositrace.check([ground_truth, long_trace], type="gt", progress=show))
    assert (done.file, done.frames, done.done) == (str(long_trace), 41 * 433, 1.0)
    done = last(lambda show: ositrace.diff(ground_truth, ground_truth, progress=show))
    assert done.done == 1.0
    done = last(lambda show: ositrace.play(sensor_view, "dummy", progress=show))
    assert (done.file, done.frames, done.done) == (str(sensor_view), 364, 1.0)
    with pytest.raises(TypeError, match="progress=5: expected a function, True, False or None"):
        ositrace.convert(ground_truth, tmp_path / "none.mcap", progress=5)
    assert not (tmp_path / "none.mcap").exists()


def test_an_exception_of_the_callback_ends_the_verb(long_trace, tmp_path):
    def fail(progress):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ositrace.convert(long_trace, tmp_path / "out.mcap", compression="zstd", level=22, progress=fail)
    assert [file.name for file in tmp_path.iterdir()] == ["long.osi"]


def test_rows_are_tables(ground_truth):
    pyarrow = pytest.importorskip("pyarrow")
    rows = ositrace.check(ground_truth)
    table = rows.to_arrow()
    assert table.column_names[:4] == ["id", "severity", "file", "frame"]
    assert table.schema.field("frame").type == pyarrow.int64()
    assert table.column("id").to_pylist() == [row.id for row in rows]


@pytest.mark.skipif("OSITRACE_TEST_SANITIZED" in os.environ, reason="another Python has no sanitizer")
def test_the_package_is_a_program(ground_truth):
    import sys

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run([sys.executable, "-m", "ositrace", *words], capture_output=True, env=environment)

    done = run("info", str(ground_truth), "--json")
    assert json.loads(done.stdout)["files"][0]["channels"][0]["frames"] == 433
    assert run("play", "--help").stdout.startswith(b"osiplay: ")
    assert run("no-verb").returncode == 2


def test_rows_are_shown_as_a_table(ground_truth):
    rows = ositrace.stats(ground_truth, frames=(0, 2))
    shown = rows._repr_html_()
    assert "20" in shown and shown.count("<tr>") == 21
    assert f"<td>{rows[0].field}</td>" in shown and "&lt;" in shown


def test_texts_of_the_programs_name_parameters_and_functions(ground_truth, tmp_path):
    empty = tmp_path / "lake" / "empty.osi"
    empty.parent.mkdir()
    empty.write_bytes(b"\2\0\0\0\x0a\0")  # a message of any type
    with pytest.warns(UserWarning):
        rows = ositrace.convert([empty, ground_truth], out_dir=tmp_path / "out", to="mcap")
    assert "--" not in rows[0].error and "type=" in rows[0].error
    with pytest.raises(ositrace.Error, match=r"no frame \(Trace.stats\(\) has what the trace contains\)"):
        ositrace.cut(ground_truth, tmp_path / "none.osi", time=(1e6, None))
    with pytest.raises(ositrace.Error, match="^a function writes no trace to standard output$"):
        ositrace.convert(ground_truth, "-", to="mcap")
    with pytest.raises(ositrace.Error) as caught:
        ositrace.play(ground_truth, "dummy")
    assert "osiconvert" not in str(caught.value) and "wrap('gt2sv', ...)" in str(caught.value)
    attached = ositrace.convert(ground_truth, tmp_path / "attached.mcap", attach=str(empty))
    assert attached.frames == 433


def test_urls_are_refused_as_not_supported(ground_truth, tmp_path):
    for ask in (
        lambda: ositrace.convert(ground_truth, "s3://lake/a.mcap"),
        lambda: ositrace.convert([ground_truth], out_dir="s3://lake/out"),
        lambda: ositrace.cut("s3://lake/a.osi", tmp_path / "cut.osi", frames=(0, 1)),
        lambda: ositrace.check("s3://lake/a.osi"),
        lambda: ositrace.create("s3://lake/a.mcap"),
        lambda: ositrace.catalog(ground_truth, "s3://lake/a.parquet"),
        lambda: ositrace.catalog(ground_truth).write("s3://lake/a.parquet"),
        lambda: ositrace.open(ground_truth).objects().to_parquet("s3://lake/a.parquet"),
        lambda: ositrace.scan(ground_truth).objects().to_parquet("s3://lake/a"),
        lambda: ositrace.play(ground_truth, "dummy", record="s3://lake/a.mcap"),
    ):
        with pytest.raises(ositrace.Error, match="object stores are not supported here") as caught:
            ask()
        assert caught.value.code == "unsupported" and not isinstance(caught.value, FileNotFoundError)
