#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Lists where objects brake hard: when, who, and how hard.

usage: hard_braking.py TRACE [DECELERATION]      in m/s^2, default 4; needs pandas
"""

import sys

import ositrace

limit = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
columns = ["frame", "time", "id", "vx", "vy", "speed", "ax", "ay"]
with ositrace.open(sys.argv[1]) as trace:
    objects = trace.objects(columns).to_pandas().dropna(subset=["vx", "vy", "ax", "ay"])
if objects.empty:
    sys.exit(f"{sys.argv[1]}: no object has a velocity and an acceleration")

# The part of the acceleration along the velocity. Both are in the coordinates of the world.
moving = objects[objects.speed > 0.1].copy()
moving["along"] = (moving.ax * moving.vx + moving.ay * moving.vy) / moving.speed
braking = moving[moving.along < -limit].sort_values(["id", "time"])

# Rows that follow each other by less than 0.5 s are one event.
begins = (braking.id.diff().fillna(1) != 0) | (braking.time.diff() > 0.5)
for _, event in braking.groupby(begins.cumsum()):
    first, last, hardest = event.iloc[0], event.iloc[-1], event.loc[event.along.idxmin()]
    print(f"{first.time:8.2f} s to {last.time:.2f} s: object {int(first.id)} at {-hardest.along:.1f} m/s^2")
print(f"{int(begins.sum())} events above {limit} m/s^2 among {objects.id.nunique()} objects")
