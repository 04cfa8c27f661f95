#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""A sensor model in Python, in the loop: it detects what is nearer than its range and in front of the host.

usage: sensor_model.py SENSOR_VIEW_TRACE OUT.mcap [RANGE]      in metres, default 80; needs osi-python
"""

import math
import sys

from osi3.osi_sensordata_pb2 import SensorData

import ositrace

source, out = sys.argv[1:3]
reach = float(sys.argv[3]) if len(sys.argv) > 3 else 80.0


def detect(frame):
    """A SensorData of what is in view. Reading fields of `frame.message` decodes nothing else."""
    view = frame.message
    truth = view.global_ground_truth
    host = next((one for one in truth.moving_object if one.id.value == truth.host_vehicle_id.value), None)
    data = SensorData()
    data.version.CopyFrom(view.version.to_protobuf())
    data.timestamp.CopyFrom(view.timestamp.to_protobuf())
    if host is None:
        return data
    origin, yaw = host.base.position, host.base.orientation.yaw
    for one in truth.moving_object:
        dx, dy = one.base.position.x - origin.x, one.base.position.y - origin.y
        x = dx * math.cos(yaw) + dy * math.sin(yaw)
        y = dy * math.cos(yaw) - dx * math.sin(yaw)
        if one.id.value == host.id.value or x < 0 or math.hypot(x, y) > reach:
            continue
        detected = data.moving_object.add()
        detected.header.tracking_id.value = one.id.value
        detected.header.ground_truth_id.add().value = one.id.value
        detected.base.position.x, detected.base.position.y = x, y
    return data


played = ositrace.play(source, detect, record=out)
print(f"{len(played.outputs)} frames to {out}; {played.report}")
