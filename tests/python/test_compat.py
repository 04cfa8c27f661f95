# SPDX-License-Identifier: MPL-2.0
"""ositrace.compat.OSITrace against osi3trace's, call by call."""

import itertools
import lzma
import random
import warnings

import pytest

import ositrace
from ositrace.compat import OSITrace

FRAMES = 12

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def short(ground_truth, tmp_path):
    """The first frames of a ground truth."""
    path = tmp_path / "short.osi"
    with ositrace.open(ground_truth) as trace, ositrace.create(path) as writer:
        for frame in trace[:FRAMES]:
            writer.write(frame)
    return path


@pytest.fixture
def oracle():
    from osi3trace import osi_trace

    return osi_trace.OSITrace


def outcome(call):
    """What a call returns, or the type of what it raises."""
    try:
        return call()
    except Exception as error:
        return type(error)


def state(trace):
    names = ("type", "current_index", "message_offsets", "read_complete", "message_cache")
    return {name: getattr(trace, name) for name in names}


def random_call(choose, skips):
    """A call of the interface, as a function of a trace; `skips`: also one that does not read what it passes."""
    index = choose.randrange(0, FRAMES + 3)
    end = choose.choice([None, index, index + 1, index + 4])
    limit = choose.choice([None, 0, 1, index])
    reading = [
        lambda trace: next(iter(trace), "end"),
        lambda trace: list(itertools.islice(trace, 3)),
        lambda trace: trace.retrieve_message(),
        lambda trace: trace.restart(),
        lambda trace: trace.restart(index),
        lambda trace: trace.retrieve_message(index),
        lambda trace: list(trace.get_messages_in_index_range(0, end)),
        lambda trace: trace.file.tell(),
    ]
    return choose.choice(
        reading
        + skips
        * [
            lambda trace: trace.retrieve_message(skip=True),
            lambda trace: trace.retrieve_message(-1),
            lambda trace: trace.get_message_by_index(index),
            lambda trace: list(trace.get_messages_in_index_range(index, end)),
            lambda trace: next(trace.get_messages_in_index_range(index, end), "none"),
            lambda trace: list(trace.retrieve_offsets(limit)),
            lambda trace: trace.get_available_topics(),
            lambda trace: trace.get_file_metadata(),
            lambda trace: trace.get_channel_metadata(),
        ]
    )


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("cut", [0, 1000, 3])
def test_every_sequence_of_calls_has_the_results_of_osi3trace(short, oracle, cache, cut):
    data = short.read_bytes()
    short.write_bytes(data[: len(data) - cut])
    for seed in range(60):
        choose = random.Random(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, theirs = (kind(str(short), "GroundTruth", cache) for kind in (OSITrace, oracle))
            for step in range(12):
                call = random_call(choose, skips=cut == 0)
                found, expected = outcome(lambda: call(ours)), outcome(lambda: call(theirs))
                assert found == expected, (seed, step)
                assert state(ours) == state(theirs), (seed, step)
        ours.close()
        theirs.close()
        assert state(ours) == state(theirs)


def test_a_cut_off_end_is_a_warning(short):
    data = short.read_bytes()
    short.write_bytes(data[:-3])
    with pytest.warns(UserWarning, match=f"frame {FRAMES - 1} at byte"):
        assert len(list(OSITrace(short, "GroundTruth"))) == FRAMES - 1


def test_attributes_are_set_on_the_reader(short, oracle):
    for kind in (OSITrace, oracle):
        trace = kind(str(short), "GroundTruth")
        list(trace)
        trace.message_cache = {}
        assert trace.reader.message_cache == {}
        assert {"type", "message_offsets"} <= set(dir(trace))
        trace.mine = 3
        assert trace.mine == 3 and not hasattr(trace.reader, "mine")
        with pytest.raises(AttributeError, match="'OSITrace' object has no attribute 'none'"):
            trace.none


def test_compressed_files_are_read(short, oracle, tmp_path):
    path = tmp_path / "short.osi.xz"
    path.write_bytes(lzma.compress(short.read_bytes()))
    assert list(OSITrace(path, "GroundTruth")) == list(oracle(path, "GroundTruth"))
    for name in ("short.osifb", "short.osi.zst"):
        with ositrace.open(short) as trace, ositrace.create(tmp_path / name) as writer:
            for frame in trace:
                writer.write(frame)
        assert list(OSITrace(tmp_path / name, "GroundTruth")) == list(OSITrace(short, "GroundTruth"))


def test_opening_fails_as_osi3trace_does(short, oracle, tmp_path):
    (tmp_path / "empty.osi").write_bytes(b"")
    (tmp_path / "other.txt").write_bytes(b"")
    for kind in (OSITrace, oracle):
        assert list(kind(tmp_path / "empty.osi")) == []
        with pytest.raises(FileNotFoundError, match="File not found"):
            kind(tmp_path / "none.osi")
        with pytest.raises(ValueError, match="Unsupported file format: '.txt'"):
            kind(tmp_path / "other.txt")
        with pytest.raises(KeyError, match="Foo"):
            kind(short, "Foo")
        trace = kind()
        assert trace.reader is None
        trace.from_file(short, "GroundTruth")
        assert len(list(trace)) == FRAMES
    assert OSITrace.message_types() == oracle.message_types()
    for name in oracle.message_types():
        assert OSITrace.map_message_type(name) is oracle.map_message_type(name)


def test_an_mcap_file_reads_as_with_osi3trace(two_channels, oracle):
    ours, theirs = (kind(str(two_channels), type_name="GroundTruth") for kind in (OSITrace, oracle))
    assert ours.get_available_topics() == theirs.get_available_topics()
    assert ours.get_channel_metadata() == theirs.get_channel_metadata()
    assert [(one.name, one.metadata) for one in ours.get_file_metadata()] == [
        (one.name, one.metadata) for one in theirs.get_file_metadata()
    ]
    assert next(iter(ours)) == next(iter(theirs))
    assert list(itertools.islice(ours, 4)) == list(itertools.islice(theirs, 4))
    assert list(ours) == list(theirs) != []
    assert list(ours) == list(theirs) == []
    for trace in (ours, theirs):
        trace.restart()
    assert list(ours) == list(theirs)
    for kind in (OSITrace, oracle):
        assert len(list(kind(two_channels, "GroundTruth", topic="/b"))) == 20
        with pytest.raises(ValueError, match="The requested topic '/c' is not present"):
            kind(two_channels, "GroundTruth", topic="/c")
        with pytest.raises(ValueError, match="or is not of type 'SensorView'"):
            kind(two_channels)
        with pytest.raises(NotImplementedError, match="Offsets are only supported for single-channel"):
            kind(two_channels, "GroundTruth").retrieve_offsets()


def test_a_real_mcap_file_reads_as_with_osi3trace(sensor_view, oracle):
    ours, theirs = OSITrace(sensor_view), oracle(sensor_view)
    assert all(a == b for a, b in itertools.zip_longest(ours, theirs))
    assert [(one.name, one.metadata) for one in ours.get_file_metadata()] == [
        (one.name, one.metadata) for one in theirs.get_file_metadata()
    ]
    assert ours.get_channel_metadata() == theirs.get_channel_metadata()


def test_index_access_works_for_mcap(two_channels, oracle):
    messages = list(oracle(two_channels, "GroundTruth"))
    trace = OSITrace(two_channels, "GroundTruth")
    assert trace.get_message_by_index(7) == messages[7]
    assert next(iter(trace)) == messages[8]
    assert list(trace.get_messages_in_index_range(3, 6)) == messages[3:6]
    assert list(trace.get_messages_in_index_range(15, None)) == messages[15:]
    trace.restart(18)
    assert list(trace) == messages[18:]
    assert trace.retrieve_message() is None
    with pytest.raises(IndexError, match="there is no message 20"):
        trace.restart(20)


@pytest.mark.parametrize("cache", [False, True])
def test_reading_goes_on_after_a_broken_message(short, oracle, cache):
    with ositrace.open(short, type="gt") as trace:
        sizes = [frame.payload.nbytes for frame in trace]
    data = bytearray(short.read_bytes())
    start = 4 * 3 + sum(sizes[:2])  # of the third message
    data[start : start + 40] = b"\xff" * 40
    short.write_bytes(data)
    ours, theirs = (kind(str(short), "GroundTruth", cache) for kind in (OSITrace, oracle))
    for _ in range(len(sizes) + 2):
        assert outcome(ours.retrieve_message) == outcome(theirs.retrieve_message)
        assert state(ours) == state(theirs)
    assert outcome(lambda: ours.retrieve_message(1)) == outcome(lambda: theirs.retrieve_message(1))
    ours.close()
    theirs.close()
