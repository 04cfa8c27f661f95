# SPDX-License-Identifier: MPL-2.0
"""Errors: where they are, what they are for Python, and that a damaged file says what the command line says."""

import math
import os
import pickle

import conftest
import pytest

import ositrace


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    path = tmp_path / "none.osi"
    with pytest.raises(FileNotFoundError) as caught:
        ositrace.open(path)
    assert isinstance(caught.value, ositrace.Error)
    assert str(caught.value) == f"{path}: No such file or directory"
    assert (caught.value.code, caught.value.file, caught.value.filename) == ("missing", str(path), str(path))


def test_an_unknown_topic_is_a_key_error_with_the_names_that_are_near(two_channels, sensor_view):
    with ositrace.open(two_channels) as trace, pytest.raises(KeyError) as caught:
        trace["GroundTrut"]
    assert isinstance(caught.value, ositrace.Error)
    assert str(caught.value) == f"{two_channels}: there is no topic or type 'GroundTrut'; did you mean 'GroundTruth'?"
    with ositrace.open(two_channels) as trace, pytest.raises(KeyError, match=r"\(known: /a, /b, GroundTruth\)"):
        trace["objects"]
    with pytest.raises(KeyError, match="there is no topic or type 'x'"):
        ositrace.open(sensor_view, topic="x")


def test_an_unknown_type_names_the_known_ones(ground_truth):
    with pytest.raises(ositrace.Error, match="unknown message type 'foo'.*GroundTruth") as caught:
        ositrace.open(ground_truth, type="foo")
    assert caught.value.code == "usage"


def test_damage_says_file_frame_and_byte(ground_truth, tmp_path):
    path = tmp_path / "cut.osi"
    path.write_bytes(ground_truth.read_bytes()[:-1000])
    with ositrace.open(path) as trace:
        frames = iter(trace)
        for i in range(432):
            assert next(frames).index == i
        with pytest.raises(ositrace.Error) as caught:
            next(frames)
        with pytest.raises(StopIteration):
            next(frames)
        with pytest.raises(ositrace.Error):
            len(trace)
    error = caught.value
    assert (error.file, error.frame, error.code) == (str(path), 432, "truncated")
    assert str(error).startswith(f"{path}: frame 432 at byte {error.byte}: ")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.frame, again.byte, again.reason) == (str(error), error.frame, error.byte, error.reason)


def test_skipped_damage_is_told(ground_truth, tmp_path):
    data = bytearray(ground_truth.read_bytes())
    with ositrace.open(ground_truth) as trace:
        sizes = [len(frame.payload) for frame in trace]
    at = sum(size + 4 for size in sizes[:100])
    data[at : at + 4] = b"\xff\xff\xff\x7f"
    path = tmp_path / "damaged.osi"
    path.write_bytes(data)
    with ositrace.open(path) as trace, pytest.raises(ositrace.Error, match="frame 100"):
        list(trace)
    with ositrace.open(path, errors="skip") as trace:
        assert len(list(trace)) >= 432
        assert len(trace.skipped) == 1 and "frame 100" in trace.skipped[0]
    with pytest.raises(ValueError, match="expected 'raise' or 'skip'"):
        ositrace.open(path, errors="ignore")


def test_damaged_chunks_of_an_mcap_file_are_skipped(ground_truth, tmp_path):
    from mcap.reader import make_reader

    path = tmp_path / "damaged.mcap"
    with ositrace.open(ground_truth) as trace, ositrace.create(path, chunk_size=100_000) as writer:
        for frame in trace:
            writer.write(frame)
        payloads = [bytes(frame.payload) for frame in trace]
    with path.open("r+b") as file:
        chunk = make_reader(file).get_summary().chunk_indexes[3]
        file.seek(chunk.chunk_start_offset + chunk.chunk_length // 2)
        file.write(b"\xff" * 8)
    with ositrace.open(path) as trace, pytest.raises(ositrace.Error, match="chunk") as caught:
        list(trace)
    assert caught.value.byte == chunk.chunk_start_offset
    with ositrace.open(path, errors="skip") as trace:
        for _ in range(2):
            found = [bytes(frame.payload) for frame in trace]
            lost = len(payloads) - len(found)
            before = caught.value.frame
            assert 0 < lost < 100 and found[:before] == payloads[:before] and found[-300:] == payloads[-300:]
            assert len(set(found) - set(payloads)) <= 1  # no checksum confirms those of the chunk
            assert len(trace.skipped) == 1 and f"byte {chunk.chunk_start_offset}: " in trace.skipped[0]
        assert (len(trace), trace[-1].index) == (len(found), len(found) - 1)


@pytest.mark.parametrize("path", conftest.broken_files(".osi", ".osifb", ".mcap"))
def test_broken_inputs_raise_the_error_of_the_command_line(path):
    with pytest.raises(ositrace.Error) as caught:
        with ositrace.open(path, type=None if path.suffix == ".mcap" else "SensorView") as trace:
            for frame in trace:
                bytes(frame.payload)
                if frame.channel.type.startswith("osi3."):
                    frame.message.to_dict()
    error = caught.value
    assert str(error) == conftest.expected_error(path)
    assert error.file == str(path) and error.code not in ("usage", "io")


@pytest.mark.parametrize("path", conftest.broken_files(".desc"))
def test_broken_schemas_raise_the_error_of_the_command_line(path, ground_truth):
    with pytest.raises(ositrace.Error) as caught:
        ositrace.open(ground_truth, schema=path)
    assert str(caught.value) == conftest.expected_error(path)


def write(path, **given):
    """Write one frame with arguments that are wrong."""
    writer = ositrace.create(path / "out.mcap", type="gt")
    try:
        writer.write(b"", **given)
    finally:
        writer.discard()


SOURCE = "expected a path, bytes or a binary file object"
RANGE = "expected (start, stop) in seconds, where None is open"
PATHS = "expected a list of paths, or a dict: {name: path}"
BOUNDS = "expected (start, stop), where None is open, a slice or a text"
A_PATH = "expected a path, or a list of paths"
WRONG = [
    (lambda trace, path: ositrace.open(None), TypeError, f"source=None: {SOURCE}"),
    (lambda trace, path: ositrace.open(5), TypeError, f"source=5: {SOURCE}"),
    (lambda trace, path: ositrace.open(""), FileNotFoundError, "source='': No such file or directory"),
    (lambda trace, path: ositrace.open(trace.info.file, type=5), TypeError, "type=5: expected a str"),
    (lambda trace, path: ositrace.create(None), TypeError, "path=None: expected a path"),
    (lambda trace, path: ositrace.create(path / "a.mcap", level="x"), TypeError, "level='x': expected an int"),
    (
        lambda trace, path: ositrace.create(path / "a.mcap", threads=-1),
        ValueError,
        "threads=-1: expected an int of 0 to 2147483647",
    ),
    (
        lambda trace, path: ositrace.create(path / "a.mcap", metadata={"a": 3}),
        TypeError,
        'metadata["a"]=3: expected a dict of texts',
    ),
    (
        lambda trace, path: ositrace.create(path / "a.mcap", metadata={"a": {"b": 3}}),
        TypeError,
        'metadata["a"]["b"]=3: expected a str',
    ),
    (
        lambda trace, path: ositrace.create(path / "a.mcap", channels="gt"),
        TypeError,
        "channels='gt': expected a list of channels, or a dict: {\"topic\": \"type\"}",
    ),
    (lambda trace, path: write(path, time=math.nan), ValueError, "time=nan: expected a number"),
    (lambda trace, path: write(path, time="x"), TypeError, "time='x': expected a number"),
    (
        lambda trace, path: write(path, time=math.inf),
        ValueError,
        "time=inf: expected seconds, which have 64 bits in nanoseconds",
    ),
    (lambda trace, path: write(path, time_ns=2**64), ValueError, f"time_ns={2**64}: expected an int of 64 bits"),
    (lambda trace, path: write(path, time_ns=1.5), TypeError, "time_ns=1.5: expected an int"),
    (lambda trace, path: trace.at(None), TypeError, "time=None: expected a number"),
    (lambda trace, path: trace.at(math.nan), ValueError, "time=nan: expected a number"),
    (lambda trace, path: trace.between("x"), TypeError, "time='x': expected a number"),
    (lambda trace, path: trace.objects(time=5), TypeError, f"time=5: {RANGE}"),
    (lambda trace, path: trace.lanes(time=(1,)), TypeError, f"time=(1,): {RANGE}"),
    (lambda trace, path: trace.objects("id"), TypeError, "columns='id': expected a list of names"),
    (lambda trace, path: trace.columns("lane"), TypeError, "columns='lane': expected a list of names"),
    (
        lambda trace, path: trace.table("moving_object[*].id"),
        TypeError,
        f"columns='moving_object[*].id': {PATHS}",
    ),
    (lambda trace, path: trace[None], TypeError, "trace[None]: expected a number, a slice, a topic or a type"),
    (lambda trace, path: ositrace.scan(5), TypeError, "paths=5: expected a path, or a list of paths"),
    (
        lambda trace, path: ositrace.scan([trace.info.file]).table({"file": "@time"}),
        ValueError,
        "the name 'file' is that of a column that scan() adds; give yours another one",
    ),
    (lambda trace, path: ositrace.decode([], "gt", "timestamp"), TypeError, "fields='timestamp': " + PATHS),
    (lambda trace, path: ositrace.play(trace, print, rate="x"), TypeError, "rate='x': expected a number"),
    (lambda trace, path: ositrace.play(trace, print, time=5), TypeError, f"time=5: {RANGE}"),
    (
        lambda trace, path: ositrace.play(trace, None),
        TypeError,
        'model=None: expected a function, the path of an FMU, or "dummy"',
    ),
    (
        lambda trace, path: ositrace.diff("a.osi", "b.osi", tolerance=1e-9),
        TypeError,
        'tolerance=1e-09: expected a dict of paths and numbers: {"moving_object.base": 1e-9}',
    ),
    (lambda trace, path: ositrace.check("a.osi", disable="id"), TypeError, "disable='id': expected a list of ids"),
    (lambda trace, path: ositrace.check([]), ValueError, "the list of paths is empty"),
    (lambda trace, path: ositrace.check(None), TypeError, "paths=None: expected a path, or a list of paths"),
    (
        lambda trace, path: ositrace.check("a.osi", disble=["id"]),
        TypeError,
        "check(): there is no option 'disble'; did you mean 'disable'?",
    ),
    (
        lambda trace, path: ositrace.convert("a.osi", "b.osi", compresion="zstd"),
        TypeError,
        "convert(): there is no option 'compresion'; did you mean 'compression' or 'map_deviation'?",
    ),
    (
        lambda trace, path: ositrace.cut("a.osi", "b.osi", time=5),
        TypeError,
        f"time=5: {BOUNDS}",
    ),
    (lambda trace, path: ositrace.cut("a.osi", "b.osi", time=(5,)), TypeError, f"time=(5,): {BOUNDS}"),
    (lambda trace, path: ositrace.cut("a.osi", "b.osi", topic=5), TypeError, "topic=5: expected a str"),
    (lambda trace, path: ositrace.cut("a.osi", "b.osi", every="2"), TypeError, "every='2': expected an int"),
    (
        lambda trace, path: ositrace.cut("a.osi", "b.osi", frames=("a", None)),
        TypeError,
        "frames: bound='a': expected an int",
    ),
    (
        lambda trace, path: ositrace.wrap("gt2sv", "a.osi", "b.osi", mounting="1,2,3,0,0,0"),
        TypeError,
        "mounting='1,2,3,0,0,0': expected six numbers: x, y, z in metres, roll, pitch, yaw in radians",
    ),
    (lambda trace, path: ositrace.check("a.osi", findings=True), TypeError, "findings=True: expected an int"),
    (lambda trace, path: ositrace.scan("a.osi", threads="2"), TypeError, "threads='2': expected an int"),
    (
        lambda trace, path: ositrace.scan("a.osi", threads=0),
        ValueError,
        "threads=0: expected an int of 1 or more",
    ),
    (lambda trace, path: ositrace.convert("", "b.osi"), FileNotFoundError, "inputs='': No such file or directory"),
    (lambda trace, path: ositrace.convert(trace, "b.osi"), TypeError, f"inputs=Trace: {A_PATH}"),
    (
        lambda trace, path: ositrace.convert(["a.osi", 5], "b.osi"),
        TypeError,
        "inputs: path=5: expected a str or a path",
    ),
    (lambda trace, path: ositrace.play(trace[:2], print), TypeError, "trace=<2 frames>: expected a Trace or a path"),
    (
        lambda trace, path: ositrace.play(trace, print, static="keep"),
        ValueError,
        "static='keep': expected 'carry' or 'drop'",
    ),
    (
        lambda trace, path: ositrace.play(trace, "dummy", static=True),
        ValueError,
        "static=True: expected 'carry' or 'drop'",
    ),
]
FLAGS = {
    "overwrite": [
        lambda trace, path, no: ositrace.create(path / "a.osi", overwrite=no),
        lambda trace, path, no: ositrace.convert("a.osi", path / "a.osi", overwrite=no),
        lambda trace, path, no: ositrace.play(trace, print, overwrite=no),
        lambda trace, path, no: ositrace.play(trace, "dummy", overwrite=no),
        lambda trace, path, no: trace.objects().to_parquet(path / "a.parquet", overwrite=no),
        lambda trace, path, no: ositrace.scan([]).objects().to_parquet(path / "a", overwrite=no),
        lambda trace, path, no: trace[0].save(path / "a.osi", overwrite=no),
    ],
    "sync": [lambda trace, path, no: ositrace.create(path / "a.osi", sync=no)],
    "recording": [lambda trace, path, no: ositrace.create(path / "a.osi", recording=no)],
    "drop_late": [lambda trace, path, no: ositrace.play(trace, print, drop_late=no)],
    "skip_bad_frames": [
        lambda trace, path, no: ositrace.play(trace, print, skip_bad_frames=no),
        lambda trace, path, no: ositrace.convert("a.osi", path / "a.osi", skip_bad_frames=no),
    ],
    "in_process": [lambda trace, path, no: ositrace.play(trace, "dummy", in_process=no)],
    "resume": [lambda trace, path, no: ositrace.convert("a.osi", out_dir=path / "out", resume=no)],
    "retime": [lambda trace, path, no: ositrace.concat(["a.osi"], path / "a.osi", retime=no)],
    "apply": [lambda trace, path, no: ositrace.rename("a.osi", apply=no)],
    "keep_empty": [lambda trace, path, no: ositrace.recover("a.osi", path / "a.osi", keep_empty=no)],
    "channels": [lambda trace, path, no: ositrace.split("a.osi", path / "out", channels=no)],
    "carry_static": [lambda trace, path, no: ositrace.diff("a.osi", "b.osi", carry_static=no)],
    "list_frames": [lambda trace, path, no: ositrace.diff("a.osi", "b.osi", list_frames=no)],
    "fill_defaults": [
        lambda trace, path, no: trace.objects(fill_defaults=no),
        lambda trace, path, no: ositrace.decode([], "gt", ["timestamp.seconds"], fill_defaults=no),
    ],
    "full": [lambda trace, path, no: trace.stats(full=no)],
    "update": [lambda trace, path, no: ositrace.catalog([], update=no)],
    "check": [lambda trace, path, no: ositrace.catalog([], check=no)],
}


@pytest.mark.parametrize("wrong", ["no", 0, 1.0])
@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_a_bool(name, wrong, ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace:
        for call in FLAGS[name]:
            with pytest.raises(TypeError) as caught:
                call(trace, tmp_path, wrong)
            assert str(caught.value) == f"{name}={wrong!r}: expected True or False"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call, kind, text", WRONG, ids=[text for _, _, text in WRONG])
def test_an_argument_that_cannot_be_meant_is_named(call, kind, text, ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace, pytest.raises(kind) as caught:
        call(trace, tmp_path)
    assert str(caught.value) == text
    assert list(tmp_path.iterdir()) == []


def test_bytes_that_are_a_path_are_told_from_contents(ground_truth):
    with pytest.raises(TypeError, match="bytes are the contents of a trace, a path is a str"):
        ositrace.open(os.fsencode(ground_truth))
    with open(ground_truth, encoding="latin-1") as text, pytest.raises(TypeError, match="open it with mode 'rb'"):
        ositrace.open(text)


def test_a_small_trace_says_what_to_pass_to_open(tmp_path):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    message = GroundTruth()
    message.version.version_major, message.timestamp.seconds = 3, 1
    message.moving_object.add().id.value = 1
    with ositrace.create(tmp_path / "small.osi") as writer:
        writer.write(message)
    with pytest.raises(ositrace.Error, match=r"fits GroundTruth \(gt\) and .*; select one with type=$") as caught:
        ositrace.open(tmp_path / "small.osi")
    assert caught.value.reason.endswith("with type=") and caught.value.code == "ambiguous"
    with ositrace.open(tmp_path / "small.osi", type="gt") as trace:
        assert trace["gt"][0].message == trace["GroundTruth"][0].message


def test_what_exists_is_said_with_the_parameter_that_replaces_it(ground_truth, tmp_path):
    path = tmp_path / "a --type b.osi"  # a name is no option
    path.write_bytes(b"old")
    text = f"{path} exists. Use overwrite=True to replace it."
    with ositrace.open(ground_truth) as trace:
        for write in (ositrace.create, trace[0].save):
            with pytest.raises(ositrace.Error) as caught:
                write(path)
            assert (str(caught.value), caught.value.reason, caught.value.code) == (text, text, "exists")
    assert path.read_bytes() == b"old"


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_errors_and_warnings_of_verbs_name_parameters(ground_truth, tmp_path):
    (tmp_path / "old.osi").write_bytes(b"old")
    with pytest.raises(ositrace.Error, match=r"old.osi exists\. Use overwrite=True to replace it\.$"):
        ositrace.convert(ground_truth, tmp_path / "old.osi")
    with pytest.raises(ositrace.Error) as caught:
        ositrace.split(ground_truth, tmp_path)
    assert str(caught.value) == "expected one of every_frames=, every_seconds=, every_bytes=, channels=True"
    with pytest.raises(ositrace.Error, match="every: '0' is not at least 1"):
        ositrace.cut(ground_truth, tmp_path / "out.osi", every=0)
    with pytest.warns(UserWarning, match=r"retime=True shifts it to follow"):
        ositrace.concat([ground_truth, ground_truth], tmp_path / "both.osi")
    with pytest.raises(ositrace.Error, match=r"leave them out, or write \.mcap$"):
        with ositrace.create(tmp_path / "empty.osi", type="gt") as writer:
            writer.write(b"")
