#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""One way to read messages in Python, as a variant of `osiplay bench python`, which starts this.

usage: python_messages.py SYSTEM KIND TASK PASSES FILE

SYSTEM is a key of SYSTEMS, KIND `header` or `elements`, TASK `deserialize`, `all` or `one`. FILE has length-prefixed
messages: for genpy those of ROS, else osi3.GroundTruth. Every line on standard input is a command: `run` does the task
PASSES times for all messages and prints the bytes it read; `give` does it once and prints the numbers it found as an
array: its length in 8 bytes, then its doubles, then 8 bytes 0xff.
"""

import os
import struct
import sys
from array import array


def payloads_of(data):
    payloads, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        payloads.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return payloads


# Each of these returns a function that begins to deserialize all messages and returns an iterator over them.


def genpy(data, kind):
    from geometry_msgs.msg import Point, Vector3
    from genpy.dynamic import generate_dynamic
    from std_msgs.msg import Header

    if kind == "header":
        Message = Header
    else:  # what genpy generates from .msg files
        parts = [
            "std_msgs/Header header\nElement[] elements\n",
            "MSG: std_msgs/Header\n" + Header._full_text,
            "MSG: bench/Element\nuint64 id\ngeometry_msgs/Point position\ngeometry_msgs/Vector3 orientation\n"
            "geometry_msgs/Vector3 velocity\n",
            "MSG: geometry_msgs/Point\n" + Point._full_text,
            "MSG: geometry_msgs/Vector3\n" + Vector3._full_text,
        ]
        Message = generate_dynamic("bench/Elements", ("\n" + "=" * 80 + "\n").join(parts))["bench/Elements"]
    payloads = payloads_of(data)
    return lambda: (Message().deserialize(payload) for payload in payloads)


def protobuf(implementation):
    def messages(data, kind):
        os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = implementation
        from google.protobuf.internal import api_implementation
        from osi3.osi_groundtruth_pb2 import GroundTruth

        if api_implementation.Type() != implementation:
            raise ImportError(f"protobuf has no implementation {implementation}")
        payloads = payloads_of(data)
        return lambda: (GroundTruth.FromString(payload) for payload in payloads)

    return messages


def betterosi(data, kind):
    from betterosi import GroundTruth

    payloads = payloads_of(data)
    return lambda: (GroundTruth.from_binary(payload) for payload in payloads)


def ours(data, kind):
    import ositrace

    trace = ositrace.open(data, type="GroundTruth")
    return lambda: (frame.message for frame in trace)


SYSTEMS = {
    "genpy": genpy,
    "python": protobuf("python"),
    "upb": protobuf("upb"),
    "betterosi": betterosi,
    "ositrace": ours,
}


def header_of_ros(header):
    return header.seq, header.stamp.secs, header.stamp.nsecs, len(header.frame_id)


def elements_of_ros(message):
    numbers = [*header_of_ros(message.header)]
    for element in message.elements:
        position, orientation, velocity = element.position, element.orientation, element.velocity
        numbers += element.id, position.x, position.y, position.z, orientation.x, orientation.y, orientation.z
        numbers += velocity.x, velocity.y, velocity.z
    return numbers


def header_of_osi(message):
    stamp = message.timestamp
    return message.host_vehicle_id.value, stamp.seconds, stamp.nanos, len(message.map_reference)


def elements_of_osi(message):
    numbers = [*header_of_osi(message)]
    for element in message.moving_object:
        base = element.base
        position, orientation, velocity = base.position, base.orientation, base.velocity
        numbers += element.id.value, position.x, position.y, position.z
        numbers += orientation.roll, orientation.pitch, orientation.yaw, velocity.x, velocity.y, velocity.z
    return numbers


def one_of_ros(message):
    return (message.elements[50].position.x,)


def one_of_osi(message):
    return (message.moving_object[50].base.position.x,)


# (all numbers, one number)
READERS = {
    ("genpy", "header"): (header_of_ros, lambda message: (message.stamp.secs,)),
    ("genpy", "elements"): (elements_of_ros, one_of_ros),
    ("osi", "header"): (header_of_osi, lambda message: (message.timestamp.seconds,)),
    ("osi", "elements"): (elements_of_osi, one_of_osi),
}


def main():
    system, kind, task, passes, file = sys.argv[1:]
    with open(file, "rb") as opened:
        data = opened.read()
    messages = SYSTEMS[system](data, kind)
    read_all, read_one = READERS["genpy" if system == "genpy" else "osi", kind]
    read = read_one if task == "one" else read_all  # messages that were only deserialized must be whole, too

    def run():
        for _ in range(int(passes)):
            if task == "deserialize":
                for _ in messages():
                    pass
            else:
                for message in messages():
                    read(message)
        return b"%d\n" % (int(passes) * len(data))

    def give():
        numbers = array("d")
        for message in messages():
            numbers.extend(read(message))
        return struct.pack("<Q", len(numbers)) + numbers.tobytes() + b"\xff" * 8

    commands = {"run\n": run, "give\n": give}
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    for line in sys.stdin:
        sys.stdout.buffer.write(commands[line]())
        sys.stdout.buffer.flush()


main()
