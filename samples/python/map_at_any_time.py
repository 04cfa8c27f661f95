#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Which lane each object is on, and what kind of lane that is, although the map was sent only once.

usage: map_at_any_time.py GROUND_TRUTH_TRACE SECONDS
"""

import sys

import ositrace

with ositrace.open(sys.argv[1]) as trace:
    frame = trace.at(float(sys.argv[2]), static="carry")
    truth = frame.message
    kinds = {lane.id.value: lane.classification.Type.Name(lane.classification.type) for lane in truth.lane}
    print(f"{len(kinds)} lanes are known at {frame.time} s")
    for one in truth.moving_object:
        lanes = [lane.value for lane in one.assigned_lane_id]
        print(
            f"object {one.id.value}:", ", ".join(f"lane {lane} {kinds.get(lane, '(not in the map)')}" for lane in lanes)
        )
