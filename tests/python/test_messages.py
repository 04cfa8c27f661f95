# SPDX-License-Identifier: MPL-2.0
"""Messages against those of osi3, field by field, in both encodings."""

import copy
import gc
import json
import os
import pickle
import random
import subprocess

import conftest
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory, text_format
from osi3.osi_groundtruth_pb2 import GroundTruth
from osi3.osi_object_pb2 import MovingObject
from osi3.osi_sensorview_pb2 import SensorView

import ositrace


def parsed(frame, kind):
    return kind.FromString(bytes(frame.payload))


def assert_same(ours, theirs):
    """Every field, set or not, down to the leaves."""
    assert [(field.name, field.number) for field, _ in ours.ListFields()] == [
        (field.name, field.number) for field, _ in theirs.ListFields()
    ]
    present = {field.name for field, _ in theirs.ListFields()}
    known = ours.DESCRIPTOR.fields_by_name  # a file may bring the schema of an older release
    for field in theirs.DESCRIPTOR.fields:
        if field.name not in known:
            continue
        left, right = getattr(ours, field.name), getattr(theirs, field.name)
        if isinstance(right, (bool, int, float, str, bytes)):
            assert type(left) is type(right)
            assert left == right or left != left
            assert ours.HasField(field.name) == theirs.HasField(field.name)
        elif hasattr(right, "ListFields"):
            assert ours.HasField(field.name) == theirs.HasField(field.name)
            if field.name in present:
                assert_same(left, right)
            else:
                assert left.ListFields() == []
        else:
            assert len(left) == len(right)
            for one, other in zip(left, right, strict=True):
                if hasattr(other, "ListFields"):
                    assert_same(one, other)
                else:
                    assert one == other


@pytest.fixture(params=["protobuf", "flatbuffers"])
def encoded(request, tmp_path):
    """Gives a file in one of the two encodings."""

    def convert(path):
        if request.param == "protobuf":
            return path
        program = os.environ.get("OSICONVERT", "")
        if not os.path.exists(program):
            pytest.skip("osiconvert is not built")
        flat = tmp_path / "flat.osifb"
        subprocess.run([program, "convert", path, "-o", flat], check=False, capture_output=True)
        return flat

    return convert


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("highway_merge.osi", GroundTruth),
        ("MovingHostWithStopLine.mcap", SensorView),
        ("disappearingVehicle.mcap", SensorView),
        ("20240618T122540Z_sv_370_244_20_minimal_valid_example.osi", SensorView),
    ],
)
def test_every_field_is_that_of_osi3(encoded, name, kind):
    original = conftest.trace(name)
    with ositrace.open(encoded(original)) as trace, ositrace.open(original) as originals:
        for ours, theirs in list(zip(trace, originals, strict=True))[:: max(len(trace) // 12, 1)]:
            assert_same(ours.message, parsed(theirs, kind))


def test_forms_are_those_of_osi3(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace, ositrace.open(ground_truth) as original:
        for i in (0, 7, 432):
            ours, theirs = trace[i].message, parsed(original[i], GroundTruth)
            assert text_format.Parse(str(ours), GroundTruth()) == theirs
            assert json_format.Parse(ours.to_json(), GroundTruth()) == theirs
            assert GroundTruth.FromString(ours.SerializeToString()) == theirs
            assert ours.ByteSize() == len(ours.SerializeToString())
            assert ours.to_protobuf() == theirs
            plain = json_format.MessageToDict(theirs, preserving_proto_field_name=True)
            assert json.loads(ours.to_json()) == plain
            for one, other in zip(ours.moving_object, theirs.moving_object, strict=True):
                assert MovingObject.FromString(one.SerializeToString()) == other
                assert one.to_protobuf() == other


def test_to_dict_has_python_values(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace:
        message = trace[3].message
    plain = message.to_dict()
    assert plain["moving_object"][1]["id"]["value"] == message.moving_object[1].id.value
    assert plain["moving_object"][0]["type"] == "TYPE_VEHICLE"
    assert plain["timestamp"] == {"nanos": 99_000_000}
    assert "lane" not in plain


def test_elements_are_a_sequence(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace:
        objects = trace[0].message.moving_object
    count = len(objects)
    assert count > 2
    ids = [one.id.value for one in objects]
    assert [objects[i].id.value for i in range(-count, count)] == ids + ids
    assert [one.id.value for one in objects[1:]] == ids[1:]
    assert [one.id.value for one in objects[::-1]] == ids[::-1]
    assert objects == list(objects) and objects != list(objects)[1:] and not objects == 3
    assert [one.id.value for one in reversed(objects)] == ids[::-1]
    assert objects[0] in objects
    for i in (count, -count - 1):
        with pytest.raises(IndexError, match=f"moving_object has {count} elements"):
            objects[i]
    with pytest.raises(TypeError):
        objects["first"]
    assert repr(objects) == f"<{count} elements of osi3.MovingObject>"


def test_equality_is_that_of_content(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace, ositrace.open(ground_truth) as original:
        message = trace[0].message
        assert message == trace[0].message and message == original[0].message
        assert message != trace[1].message and not message == trace[1].message
        assert message != 3 and message.timestamp != message.version
        assert message.moving_object[0] == original[0].message.moving_object[0]
        with pytest.raises(TypeError):
            hash(message)
        with pytest.raises(TypeError):
            message < message


def test_equality_with_an_object_of_osi3_is_that_of_content(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace:
        ours, other = trace[3].message, trace[4].message
        theirs = ours.to_protobuf()
        assert ours == theirs and theirs == ours and not ours != theirs and not theirs != ours
        assert ours != other.to_protobuf() and other.to_protobuf() != ours
        assert ours.moving_object[0] == theirs.moving_object[0] and ours.moving_object[0] != theirs.moving_object[1]
        assert ours != theirs.moving_object[0] and ours != 3 and not ours == None  # noqa: E711
        theirs.moving_object[0].base.position.x += 1
        assert ours != theirs and theirs != ours


def test_a_broken_message_is_shown_and_says_where_it_is_broken(ground_truth, tmp_path):
    path = tmp_path / "broken.osi"
    data = bytearray(ground_truth.read_bytes())
    data[4:44] = b"\xff" * 40
    path.write_bytes(data)
    with ositrace.open(path, type="gt") as trace:
        message = trace[0].message
        with pytest.raises(ositrace.Error) as caught:
            message.to_protobuf()
        error = caught.value
        assert (error.file, error.frame, error.code) == (str(path), 0, "malformed") and error.byte is not None
        assert repr(message) == f"<osi3.GroundTruth, broken: {error}>"
        assert repr([message]) == f"[{message!r}]"


def test_enums_are_numbers_with_names(ground_truth):
    with ositrace.open(ground_truth) as trace:
        one = trace[0].message.moving_object[0]
    assert one.type == MovingObject.TYPE_VEHICLE == one.TYPE_VEHICLE
    assert one.Type.Name(one.type) == "TYPE_VEHICLE" == MovingObject.Type.Name(one.type)
    assert one.Type.Value("TYPE_ANIMAL") == MovingObject.Type.Value("TYPE_ANIMAL")
    assert one.Type.items() == list(MovingObject.Type.items())
    assert one.Type.keys() == list(MovingObject.Type.keys()) and one.Type.values() == list(MovingObject.Type.values())
    assert one.DESCRIPTOR.fields_by_name["type"].enum_type.full_name == "osi3.MovingObject.Type"
    for ask in (lambda: one.Type.Name(99), lambda: one.Type.Name(1 << 40), lambda: one.Type.Value("TYPE_NONE")):
        with pytest.raises(ValueError, match="osi3.MovingObject.Type has no"):
            ask()


def test_descriptors_are_those_of_osi3(ground_truth):
    with ositrace.open(ground_truth) as trace:
        ours, theirs = trace[0].message.DESCRIPTOR, GroundTruth.DESCRIPTOR
    assert (ours.name, ours.full_name, ours.file) == (theirs.name, theirs.full_name, theirs.file.name)
    as_tuple = lambda field: (field.name, field.full_name, field.number, field.type)  # noqa: E731
    assert [as_tuple(field) for field in ours.fields] == [as_tuple(field) for field in theirs.fields]
    for name, field in theirs.fields_by_name.items():
        kind = ours.fields_by_name[name].message_type
        assert (kind and kind.full_name) == (field.message_type and field.message_type.full_name)


def test_what_is_no_field_says_so(ground_truth):
    with ositrace.open(ground_truth) as trace:
        message = trace[0].message
    with pytest.raises(
        AttributeError, match=r"osi3.GroundTruth has no field 'moving_objects'; did you mean moving_object\b"
    ):
        message.moving_objects
    assert not hasattr(message, "_repr_svg_") and not hasattr(message, "__array__")
    assert getattr(message, "".join(["moving", "_", "object"])) == message.moving_object
    with pytest.raises(ValueError, match="no field of that name"):
        message.HasField("nonsense")
    with pytest.raises(ValueError, match="a repeated field has no presence"):
        message.HasField("moving_object")
    with pytest.raises(AttributeError, match="read-only"):
        message.timestamp = 3
    with pytest.raises(AttributeError, match="read-only"):
        message.timestamp.seconds = 3
    with pytest.raises(TypeError):
        type(message)()
    assert "moving_object" in dir(message) and "to_dict" in dir(message)
    assert repr(message.moving_object[1].id) == "<osi3.Identifier: value>"
    assert repr(message).startswith("<osi3.GroundTruth: version, timestamp, ")


def test_a_message_outlives_its_trace_frame_and_parent(encoded, ground_truth):
    with ositrace.open(encoded(ground_truth)) as trace:
        frame = trace[0]
        expected = frame.message.moving_object[1].base.position.x
        position = frame.message.moving_object[1].base.position
        objects = frame.message.moving_object
    del frame, trace
    gc.collect()
    assert position.x == expected == objects[1].base.position.x


def test_messages_pickle_and_copy(encoded, ground_truth, tmp_path):
    with ositrace.open(encoded(ground_truth)) as trace:
        message = trace[0].message
    for one in (message, message.moving_object[0], message.moving_object[0].base.position):
        assert pickle.loads(pickle.dumps(one)) == one
        assert copy.deepcopy(one) == one


def test_pieces_of_a_message_are_merged(tmp_path):
    first, second = SensorView(), SensorView()
    first.timestamp.seconds = 7
    first.host_vehicle_id.value = 1
    second.timestamp.nanos = 9
    second.host_vehicle_id.value = 2
    payload = first.SerializeToString() + second.SerializeToString()
    data = len(payload).to_bytes(4, "little") + payload
    message = ositrace.open(data, type="SensorView")[0].message
    assert_same(message, SensorView.FromString(payload))
    assert message.timestamp.SerializeToString() == SensorView.FromString(payload).timestamp.SerializeToString()


def test_messages_of_any_schema_are_read(tmp_path):
    """All kinds of fields, packed lists and defaults included, of a schema that an MCAP file brings."""
    from mcap.writer import Writer

    file = descriptor_pb2.FileDescriptorProto(name="all.proto", package="mine", syntax="proto2")
    kinds = descriptor_pb2.FieldDescriptorProto
    message = file.message_type.add(name="All")
    enum = message.enum_type.add(name="Colour")
    for i, name in enumerate(["RED", "GREEN"]):
        enum.value.add(name=name, number=i + 3)
    values = {}
    for kind in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18):
        for label in (kinds.LABEL_OPTIONAL, kinds.LABEL_REPEATED):
            repeated = label == kinds.LABEL_REPEATED
            name = f"{'many' if repeated else 'one'}_{kind}"
            field = message.field.add(name=name, number=len(message.field) + 1, type=kind, label=label)
            if kind in (11, 14):
                field.type_name = ".mine.All" if kind == 11 else ".mine.All.Colour"
            if repeated and kind not in (9, 11, 12):
                field.options.packed = kind % 2 == 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    All = message_factory.GetMessageClass(pool.FindMessageTypeByName("mine.All"))
    full = All()
    for field in All.DESCRIPTOR.fields:
        values = {
            8: [True, False],
            9: ["a", "\u00e4"],
            12: [b"a", b"\0"],
            14: [3, 4],
            1: [0.1, -1e300],
            2: [0.5, -2.0],
        }.get(field.type)
        values = values or ([1, 2**31] if field.type in (4, 6, 7, 13) else [1, -(2**31)])
        if field.type == 11:
            if field.is_repeated if hasattr(field, "is_repeated") else field.label == 3:
                getattr(full, field.name).add().one_3 = -1
                getattr(full, field.name).add()
            else:
                getattr(full, field.name).many_9.append("inner")
        elif field.name.startswith("many"):
            getattr(full, field.name).extend(values)
        else:
            setattr(full, field.name, values[1])
    path = tmp_path / "all.mcap"
    with open(path, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        files = descriptor_pb2.FileDescriptorSet(file=[file])
        schema = writer.register_schema(name="mine.All", encoding="protobuf", data=files.SerializeToString())
        channel = writer.register_channel(topic="/all", message_encoding="protobuf", schema_id=schema)
        for i, one in enumerate((All(), full)):
            writer.add_message(channel, log_time=i, publish_time=i, data=one.SerializeToString())
        writer.finish()
    with ositrace.open(path) as trace:
        for frame, theirs in zip(trace, (All(), full), strict=True):
            assert_same(frame.message, theirs)
            assert pickle.loads(pickle.dumps(frame.message)) == frame.message


def test_of_a_oneof_the_last_field_counts(tmp_path):
    """In messages and tables; the oracle is Protobuf, on messages that are concatenated, too."""
    from mcap.writer import Writer

    file = descriptor_pb2.FileDescriptorProto(name="one.proto", package="mine", syntax="proto2")
    kinds = descriptor_pb2.FieldDescriptorProto
    message = file.message_type.add(name="One")
    message.oneof_decl.add(name="value")
    message.oneof_decl.add(name="unit")
    fields = [("number", kinds.TYPE_INT32, 0), ("text", kinds.TYPE_STRING, 0), ("inner", kinds.TYPE_MESSAGE, 0)]
    fields += [("metres", kinds.TYPE_DOUBLE, 1), ("feet", kinds.TYPE_FLOAT, 1)]
    for number, (name, kind, oneof) in enumerate(fields, 1):
        field = message.field.add(name=name, number=number, type=kind, label=kinds.LABEL_OPTIONAL, oneof_index=oneof)
        if kind == kinds.TYPE_MESSAGE:
            field.type_name = ".mine.One"
    message.field.add(name="plain", number=9, type=kinds.TYPE_INT64, label=kinds.LABEL_OPTIONAL)
    message.field.add(
        name="many", number=10, type=kinds.TYPE_MESSAGE, label=kinds.LABEL_REPEATED, type_name=".mine.One"
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    One = message_factory.GetMessageClass(pool.FindMessageTypeByName("mine.One"))
    rng = random.Random(16)

    def some(depth):
        """The bytes of several messages after one another are the message that they merge into."""
        parts = []
        for _ in range(rng.randint(1, 3)):
            one = One(plain=rng.randint(0, 3))
            which = rng.choice(["number", "text", "inner", None])
            if which == "inner":
                one.inner.plain = 5
                one.inner.metres = 1
            elif which is not None:
                setattr(one, which, {"number": 7, "text": "seven"}[which])
            which = rng.choice(["metres", "feet", None])
            if which is not None:
                setattr(one, which, rng.choice([0, 2.5]))
            data = one.SerializeToString()
            for _ in range(rng.randint(0, 30) if depth == 0 else 0):
                element = some(1)
                data += bytes([10 << 3 | 2, len(element)]) + element
            parts.append(data)
        return b"".join(parts)

    payloads = [some(0) for _ in range(40)]
    with open(tmp_path / "one.mcap", "wb") as stream:
        writer = Writer(stream)
        writer.start()
        files = descriptor_pb2.FileDescriptorSet(file=[file])
        schema = writer.register_schema(name="mine.One", encoding="protobuf", data=files.SerializeToString())
        channel = writer.register_channel(topic="/one", message_encoding="protobuf", schema_id=schema)
        for i, payload in enumerate(payloads):
            writer.add_message(channel, log_time=i, publish_time=i, data=payload)
        writer.finish()
    paths = ["number", "text", "inner.plain", "inner.metres", "metres", "feet"]
    expected = {path: [] for path in paths}
    theirs = [One.FromString(payload) for payload in payloads]
    for one in (element for message in theirs for element in message.many):
        for path in paths:
            found = one
            for part in path.split("."):
                found = getattr(found, part) if found is not None and found.HasField(part) else None
            expected[path].append(found)
    with ositrace.open(tmp_path / "one.mcap") as trace:
        for frame, other in zip(trace, theirs, strict=True):
            assert_same(frame.message, other)
        rows = trace.table({path: f"many[*].{path}" for path in paths}).to_arrow().to_pydict()
    assert len(expected["text"]) > 300 and rows == expected


@pytest.mark.parametrize("path", conftest.broken_files(".osi", ".osifb"))
def test_broken_messages_say_what_the_command_line_says(path):
    """Unless the damage is in what nobody asks for, as in a value that is no field."""
    with pytest.raises(ositrace.Error) as caught:
        with ositrace.open(path, type="SensorView") as trace:
            for frame in trace:
                frame.message.to_dict()
                frame.message.SerializeToString()
                frame.message.to_protobuf()
    assert str(caught.value) == conftest.expected_error(path)
