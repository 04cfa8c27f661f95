#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""How far lidar reflections are, frame by frame: from the time of flight, a column of numpy without a copy.

usage: lidar_distances.py SENSOR_VIEW_TRACE      needs numpy
"""

import sys

import numpy as np

import ositrace

speed_of_light = 299_792_458.0  # m/s
with ositrace.open(sys.argv[1]) as trace:
    columns = trace.reflections(["frame", "time_of_flight"]).to_numpy()
distance = columns["time_of_flight"] * (speed_of_light / 2)
frames, first = np.unique(columns["frame"], return_index=True)
for frame, part in zip(frames, np.split(distance, first[1:])):
    print(f"frame {frame}: {len(part)} reflections, median {np.median(part):.1f} m, furthest {part.max():.1f} m")
