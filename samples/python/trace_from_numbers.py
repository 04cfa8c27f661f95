#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Makes a trace of numbers that come from anywhere: a car that drives a circle, at 20 Hz.

usage: trace_from_numbers.py OUT [SECONDS]       needs osi-python; the extension of OUT decides the container
"""

import math
import sys

from osi3.osi_groundtruth_pb2 import GroundTruth
from osi3.osi_object_pb2 import MovingObject

import ositrace

out, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
radius, speed = 50.0, 10.0  # m, m/s
with ositrace.create(out, overwrite=True) as writer:
    for step in range(round(seconds * 20)):
        truth = GroundTruth()
        truth.version.version_major, truth.version.version_minor = 3, 8
        truth.timestamp.seconds, truth.timestamp.nanos = divmod(step * 50_000_000, 1_000_000_000)
        truth.host_vehicle_id.value = 1
        car = truth.moving_object.add()
        car.id.value, car.type = 1, MovingObject.TYPE_VEHICLE
        car.vehicle_classification.type = MovingObject.VehicleClassification.TYPE_MEDIUM_CAR
        car.vehicle_attributes.bbcenter_to_rear.x = -1.3
        car.base.dimension.length, car.base.dimension.width, car.base.dimension.height = 4.5, 1.8, 1.5
        angle = step / 20 * speed / radius
        car.base.position.x, car.base.position.y = radius * math.cos(angle), radius * math.sin(angle)
        car.base.position.z = car.base.dimension.height / 2
        car.base.orientation.yaw = math.remainder(angle + math.pi / 2, math.tau)
        car.base.velocity.x, car.base.velocity.y = -speed * math.sin(angle), speed * math.cos(angle)
        writer.write(truth)
with ositrace.open(out) as trace:
    print(f"{out}: {len(trace)} frames to {trace[-1].time} s")
