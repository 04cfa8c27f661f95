# SPDX-License-Identifier: MPL-2.0
"""`edit()` against the same edit of Google's library, in both encodings."""

import math

import conftest
import pytest

import ositrace
from test_verbs import payloads, pytestmark  # noqa: F401: the programs are needed


def edited_by_osi3(path, change, type="GroundTruth"):
    from osi3trace.osi_trace import OSITrace

    messages = []
    for message in OSITrace(str(path), type_name=type):
        change(message)
        messages.append(message)
    return messages


def same(path, messages, **options):
    """Has a trace these messages, field by field?"""
    found = payloads(path, **options)
    assert len(found) == len(messages)
    for payload, message in zip(found, messages):
        assert type(message).FromString(payload) == message


@pytest.mark.parametrize("encoding", ["protobuf", "flatbuffers"])
def test_edits_are_those_of_googles_library(ground_truth, tmp_path, encoding):
    source, grid = ground_truth, 2**-10
    errors = []

    def change(message):
        message.ClearField("environmental_conditions")
        message.host_vehicle_id.value = 1
        message.version.version_patch = 9
        message.timestamp.seconds += 100
        for one in message.moving_object:
            one.base.ClearField("acceleration")
            if one.id.value == 2:
                one.model_reference = "truck"
            for axis in "xyz":
                before = getattr(one.base.position, axis)
                setattr(one.base.position, axis, round(before / grid) * grid)
                errors.append(abs(getattr(one.base.position, axis) - before))
        kept = [one for one in message.stationary_object if one.id.value != 3]
        del message.stationary_object[:]
        message.stationary_object.extend(kept)

    expected = edited_by_osi3(ground_truth, change)
    if encoding == "flatbuffers":
        source = tmp_path / "in.osifb"
        ositrace.convert(ground_truth, source)
    done = ositrace.edit(
        source,
        tmp_path / ("out.osifb" if encoding == "flatbuffers" else "out.osi"),
        drop=["environmental_conditions", "moving_object.base.acceleration", "stationary_object[id=3]"],
        set={"host_vehicle_id": 1, "version.version_patch": 9, "moving_object[id=2].model_reference": "truck"},
        round={"moving_object.base.position": 0.001},
        shift_time=100,
    )
    assert (done.frames, done.changed_frames, done.not_kept) == (433, 433, 0)
    if encoding == "flatbuffers":
        ositrace.convert(done.output, tmp_path / "out.osi")
    same(tmp_path / "out.osi", expected)
    by_path = {(one["edit"], one["path"]): one for one in done.edits}
    rounded = by_path["round", "moving_object.base.position"]
    assert rounded["grid"] == grid and rounded["count"] == len([error for error in errors])
    assert math.isclose(rounded["largest_error"], max(errors), abs_tol=1e-15) and max(errors) <= 0.0005


def test_what_is_kept_is_what_googles_library_keeps(sensor_view, tmp_path):
    from osi3.osi_sensorview_pb2 import SensorView

    expected = []
    for payload in payloads(sensor_view):
        before, after = SensorView.FromString(payload), SensorView()
        after.timestamp.CopyFrom(before.timestamp)
        for one in before.global_ground_truth.moving_object:
            kept = after.global_ground_truth.moving_object.add()
            kept.id.CopyFrom(one.id)
            kept.base.position.CopyFrom(one.base.position)
        expected.append(after)
    paths = ["timestamp", "global_ground_truth.moving_object.id", "global_ground_truth.moving_object.base.position"]
    done = ositrace.edit(sensor_view, tmp_path / "kept.osi", keep=paths)
    same(tmp_path / "kept.osi", expected)
    assert done.not_kept > 364 and [one["edit"] for one in done.edits] == ["keep"] * 3


def test_what_is_not_touched_keeps_its_bytes(ground_truth, tmp_path):
    """Protobuf of another writer, unknown fields, and edits that find nothing."""
    done = ositrace.edit(ground_truth, tmp_path / "same.osi", drop=["moving_object[id=99]", "lane.source_reference"])
    assert done.changed_frames == 0 and payloads(tmp_path / "same.osi") == payloads(ground_truth)
    case = conftest.SOURCE.parent / "shared" / "cases" / "01-unknown-field-in-every-frame" / "newer.osi"
    if case.exists():
        before = payloads(case)
        ositrace.edit(case, tmp_path / "unknown.osi", set={"country_code": 276})
        after = payloads(tmp_path / "unknown.osi")
        tag = bytes([0xD0, 0x05])  # field 90
        assert len(before) == len(after) == 3
        assert all(a != b and a[a.rindex(tag) :] == b[b.rindex(tag) :] for a, b in zip(before, after))


def test_a_wrong_edit_says_what_is_wrong(ground_truth, tmp_path):
    output = tmp_path / "out.osi"
    for options, text in {
        ("drop", ("moving_objekt",)): "has no field 'moving_objekt'",
        ("keep", ("lane[x]",)): r"'\[x\]' is none of",
    }.items():
        with pytest.raises(ositrace.Error, match=text):
            ositrace.edit(ground_truth, output, **{options[0]: list(options[1])})
    with pytest.raises(ositrace.Error, match="expected one of TYPE_UNKNOWN"):
        ositrace.edit(ground_truth, output, set={"moving_object.type": "CAR"})
    with pytest.raises(ositrace.Error, match="is no real number"):
        ositrace.edit(ground_truth, output, round={"moving_object.type": 1})
    assert not output.exists()
