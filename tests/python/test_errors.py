# SPDX-License-Identifier: MPL-2.0
"""Errors: where they are, what they are for Python, and that a damaged file says what the command line says."""

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
    assert (caught.value.code, caught.value.file, caught.value.filename) == ("io", str(path), str(path))


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
            assert 0 < lost < 100 and found == payloads[:before] + payloads[before + lost :]
            assert len(trace.skipped) == 1 and f"byte {chunk.chunk_start_offset}: " in trace.skipped[0]
        assert (len(trace), trace[-1].index) == (433, 432)  # frames keep their numbers
        with pytest.raises(ositrace.Error, match="chunk"):
            trace[before]


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
