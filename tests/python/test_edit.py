# SPDX-License-Identifier: MPL-2.0
"""`edit()` against the same edit of Google's library, in both encodings."""

import bisect
import json
import math

import conftest
import numpy as np
import pytest
from osi3.osi_groundtruth_pb2 import GroundTruth

import ositrace
from test_verbs import osiconvert, payloads, pytestmark  # noqa: F401: the programs are needed


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


def test_poses_between_frames_are_those_of_a_formula(ground_truth, tmp_path):
    done = ositrace.resample(ground_truth, tmp_path / "fine.osi", period=0.02)
    times, poses = [], {}
    for payload in payloads(ground_truth):
        message = GroundTruth.FromString(payload)
        times.append(message.timestamp.seconds + message.timestamp.nanos / 1e9)
        for one in message.moving_object:
            poses.setdefault(one.id.value, []).append(one.base)
    found = [GroundTruth.FromString(payload) for payload in payloads(tmp_path / "fine.osi")]
    assert done.frames == len(found) == int((times[-1] - times[0]) / 0.02 + 1e-9) + 1
    for i, message in enumerate(found):
        time = message.timestamp.seconds + message.timestamp.nanos / 1e9
        assert time == pytest.approx(times[0] + i * 0.02, abs=1e-9)
        place = max(bisect.bisect_right(times, time + 1e-9) - 1, 0)
        share = (time - times[place]) / (times[place + 1] - times[place]) if place + 1 < len(times) else 0
        for one in message.moving_object:
            a = poses[one.id.value][place]
            b = poses[one.id.value][min(place + 1, len(times) - 1)]
            for vector in ("position", "velocity", "acceleration"):
                for axis in "xyz":
                    before, after = (getattr(getattr(base, vector), axis) for base in (a, b))
                    assert getattr(getattr(one.base, vector), axis) == pytest.approx(
                        before + (after - before) * share, abs=1e-5
                    )
            turned = math.remainder(b.orientation.yaw - a.orientation.yaw, 2 * math.pi)
            difference = one.base.orientation.yaw - (a.orientation.yaw + turned * share)
            assert math.remainder(difference, 2 * math.pi) == pytest.approx(0, abs=1e-5)
    assert done.resampled["frames_in"] == 433 and "moving_object.base.orientation" in done.resampled["fields"]
    with ositrace.open(tmp_path / "fine.osi") as trace:
        assert trace.stats(full=True)[0]["rate_hz"] == pytest.approx(50)


def ways(*arguments):
    code, printed, error = osiconvert("diff", "--trajectory", "--json", *arguments)
    assert code in (0, 3), error
    return code, {one["object"]: one for one in json.loads(printed)["objects"]}


def test_trajectories_differ_by_a_lag_and_an_offset(ground_truth, tmp_path):
    """Against numpy, and shifts that are known."""
    code, same = ways(ground_truth, ground_truth)
    assert code == 0 and all(one["distance_rms"] == 0 == one["final_distance"] for one in same.values())
    late = ositrace.edit(ground_truth, tmp_path / "late.osi", shift_time=0.25)
    code, by_object = ways(ground_truth, late.output)
    for row in ositrace.diff(ground_truth, late.output, trajectory=True):
        found = by_object[row.object]
        assert (row.frames_a, row.compared, row.lag) == (found["frames_a"], found["compared"], found["lag"])
        assert (row.longitudinal_rms, row.lateral_mean) == (found["longitudinal"]["rms"], found["lateral"]["mean"])
        assert row.final_distance == found["final_distance"]
    part = ositrace.diff(ground_truth, late.output, trajectory=True, time=(2, 3), pair_by="name")
    assert len(part) == 6 and all(0 < row.compared < 40 for row in part) and len(part.to_pandas()) == 6
    with pytest.raises(ValueError, match="trajectory=True compares no fields"):
        ositrace.diff(ground_truth, late.output, trajectory=True, differences=None)
    with ositrace.open(ground_truth) as trace:
        rows = trace.objects(["time", "id", "x", "y", "yaw"]).to_pandas()
    assert code == 3 and len(by_object) == 6
    for id, one in rows.groupby("id"):
        found = by_object[f"moving_object[id={id}]"]
        assert found["lag"] == pytest.approx(0.25, abs=2e-3) and found["distance_rms_at_lag"] < 0.02
        inside = one[one.time >= 0.25 - 1e-6]
        x = np.interp(inside.time, one.time + 0.25, one.x) - inside.x
        y = np.interp(inside.time, one.time + 0.25, one.y) - inside.y
        along = x * np.cos(inside.yaw) + y * np.sin(inside.yaw)
        across = y * np.cos(inside.yaw) - x * np.sin(inside.yaw)
        assert found["compared"] == len(inside) and found["frames_a"] == 433
        for name, errors in (("longitudinal", along), ("lateral", across)):
            assert found[name]["mean"] == pytest.approx(errors.mean(), abs=1e-6)
            assert found[name]["rms"] == pytest.approx(np.sqrt((errors**2).mean()), abs=1e-6)
            assert abs(found[name]["largest"]) == pytest.approx(errors.abs().max(), abs=1e-6)
        assert found["final_distance"] == pytest.approx(np.hypot(x.iloc[-1], y.iloc[-1]), abs=1e-6)
    without = ositrace.edit(ground_truth, tmp_path / "without.osi", drop=["moving_object[id=3]"])
    assert ways(ground_truth, without.output)[1]["moving_object[id=3]"]["frames_b"] == 0
