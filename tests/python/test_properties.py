# SPDX-License-Identifier: MPL-2.0
"""Slices, times and paths that nobody thought of, against lists and osi3."""

import bisect
import functools
import io

import pytest

pytest.importorskip("hypothesis")
import polars as pl
from conftest import TRACES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from osi3.osi_groundtruth_pb2 import GroundTruth

import ositrace

FRAMES = 40
MARGIN = 1000  # nanoseconds by which a frame may be late

# The same inputs each time: what fails in one run fails in the next one, too.
settings.register_profile("ositrace", deadline=None, derandomize=True, max_examples=200, database=None)
settings.load_profile("ositrace")


@functools.cache
def short():
    """The first frames of a ground truth, and what they hold."""
    path = TRACES / "highway_merge.osi"
    if not path.exists():
        pytest.skip(f"{path} is missing")
    with ositrace.open(path) as trace:
        payloads = [bytes(frame.payload) for frame in trace[:FRAMES]]
    data = b"".join(len(payload).to_bytes(4, "little") + payload for payload in payloads)
    return ositrace.open(data, type="GroundTruth"), [GroundTruth.FromString(payload) for payload in payloads]


def nanoseconds(message):
    return message.timestamp.seconds * 1_000_000_000 + message.timestamp.nanos


indices = st.one_of(st.none(), st.integers(-2 * FRAMES, 2 * FRAMES), st.integers(-(2**70), 2**70))


@given(indices, indices, indices.filter(lambda step: step != 0))
def test_a_slice_has_the_frames_of_a_list(start, stop, step):
    trace, messages = short()
    part = trace[start:stop:step]
    expected = range(len(messages))[start:stop:step]
    assert len(part) == len(expected)
    assert [frame.index for frame in part] == list(expected)
    if expected:
        assert part[-1].time_ns == nanoseconds(messages[expected[-1]])


@given(st.integers(-(2**70), 2**70) | st.integers(-2 * FRAMES, 2 * FRAMES))
def test_an_index_is_that_of_a_list(index):
    trace, messages = short()
    if -len(messages) <= index < len(messages):
        assert trace[index].time_ns == nanoseconds(messages[index])
    else:
        with pytest.raises(IndexError):
            trace[index]


times = st.one_of(
    st.floats(allow_nan=False),
    st.integers(0, FRAMES - 1).flatmap(  # near a frame
        lambda i: st.integers(-2 * MARGIN, 2 * MARGIN).map(lambda off: (nanoseconds(short()[1][i]) + off) / 1e9)
    ),
    st.floats(0, 10),
)


@given(times)
def test_the_frame_at_a_time_is_the_last_one_before_it(time):
    trace, messages = short()
    stamps = [nanoseconds(message) for message in messages]
    limit = min(max(time, -1e9), 1e9) * 1e9 + MARGIN
    at = bisect.bisect_right(stamps, limit) - 1
    if any(abs(stamp - limit) < 1 for stamp in stamps):
        return  # the sum in floating point decides
    if at < 0:
        with pytest.raises(LookupError):
            trace.at(time)
    else:
        assert trace.at(time).index == at


@given(times, times)
def test_a_range_has_the_frames_from_its_begin_until_before_its_end(begin, end):
    trace, messages = short()
    stamps = [nanoseconds(message) for message in messages]
    first, last = (min(max(time, -1e9), 1e9) * 1e9 - MARGIN for time in (begin, end))
    if any(abs(stamp - limit) < 1 for stamp in stamps for limit in (first, last)):
        return
    expected = [i for i, stamp in enumerate(stamps) if first <= stamp < last]
    assert [frame.index for frame in trace.between(begin, end)] == expected


def test_no_time_is_an_error():
    trace, _ = short()
    for read in (trace.at, lambda time: trace.between(time), lambda time: trace.between(0, time)):
        with pytest.raises(ValueError, match="time=nan: expected a number"):
            read(float("nan"))


FILTERS = (
    pl.col("time") > 0.5,
    pl.col("time") < 0.3,
    pl.col("time_ns").is_between(99_000_000, 700_000_000),
    pl.col("id") == 3,
    (pl.col("x") > 0) & (pl.col("time") >= 0.2),
)
polars_steps = st.one_of(
    st.sampled_from([0, 1, 4, 40, 150]).map(lambda count: ("head", count)),
    st.tuples(st.just("slice"), st.sampled_from([0, 3, 90]), st.sampled_from([2, 60])),
    st.sampled_from(FILTERS).map(lambda predicate: ("filter", predicate)),
    st.just(("select", "time", "time_ns", "id", "x")),
)


@functools.cache
def polars_tables():
    """One as a query, and whole."""
    short()  # is there a trace?
    path = TRACES / "highway_merge.osi"
    return ositrace.scan_polars(path), ositrace.scan(path).objects().to_polars()


def in_order(rows, steps):
    for name, *arguments in steps:
        rows = getattr(rows, name)(*arguments)
    return rows


@settings(max_examples=60)
@given(st.lists(polars_steps, min_size=2, max_size=5))
@example([("head", 40), ("filter", FILTERS[0])])
@example([("head", 4), ("filter", FILTERS[3])])
@example([("filter", FILTERS[0]), ("head", 6), ("filter", FILTERS[2])])
def test_limits_and_filters_of_polars_have_their_order(steps):
    query, table = polars_tables()
    assert in_order(query, steps).collect().equals(in_order(table, steps), null_equal=True)


def leaves(descriptor, before="", starred=False, depth=0):
    """The paths of all scalar fields with at most one repeated field on the way."""
    for field in descriptor.fields:
        path = before + field.name + ("[*]" if field.is_repeated else "")
        if field.is_repeated and (starred or not field.message_type):
            continue
        if not field.message_type:
            yield path
        elif depth < 5:
            yield from leaves(field.message_type, path + ".", starred or field.is_repeated, depth + 1)


def values(message, path):
    """A value for each row: None where nothing is set."""
    name, _, rest = path.partition(".")
    if name.endswith("[*]"):
        for one in getattr(message, name[:-3]):
            yield from values(one, rest)
    elif not message.HasField(name):
        yield from [] if "[*]" in rest else [None]
    elif rest:
        yield from values(getattr(message, name), rest)
    else:
        value, enum = getattr(message, name), message.DESCRIPTOR.fields_by_name[name].enum_type
        yield enum.values_by_number[value].name if enum else value


@given(st.sampled_from(sorted(leaves(GroundTruth.DESCRIPTOR))))
@settings(max_examples=400)
def test_a_column_has_the_values_of_osi3(path):
    trace, messages = short()
    found = trace.table({"value": path}).to_arrow()["value"].to_pylist()
    assert found == [value for message in messages for value in values(message, path)]


@given(
    st.lists(
        st.sampled_from(
            ["moving_object", "[*]", "[0]", "[-1]", "[id=3]", "[", "]", ".", "base", "position", "x", "id", "@"]
        )
        | st.text(max_size=3),
        max_size=8,
    ).map("".join)
)
def test_any_text_is_a_path_or_an_error(path):
    trace, _ = short()
    try:
        assert trace.table({"value": path}).to_arrow().column_names == ["value"]
    except (KeyError, ValueError, ositrace.Error) as error:
        assert str(error)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_trace_or_an_error(data):
    for source in (data, io.BytesIO(data)):
        try:
            with ositrace.open(source, type="GroundTruth") as trace:
                for frame in trace:
                    str(frame.message)
        except ositrace.Error as error:
            assert error.code and str(error)
