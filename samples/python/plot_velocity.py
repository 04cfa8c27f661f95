#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Plots the speed of the objects that move the most.

usage: plot_velocity.py TRACE PICTURE.png        needs matplotlib and pandas
"""

import sys

import matplotlib

matplotlib.use("Agg")  # draws into a file; in a notebook leave this line out
import matplotlib.pyplot as plt

import ositrace

source, picture = sys.argv[1:]
with ositrace.open(source) as trace:
    objects = trace.objects(["time", "id", "kind", "speed"]).to_pandas()

fastest = objects.groupby("id").speed.max().nlargest(5).index
figure, axes = plt.subplots(figsize=(10, 4))
for number in fastest:
    one = objects[objects.id == number]
    axes.plot(one.time, one.speed, label=f"object {number}")
axes.set(xlabel="time in s", ylabel="speed in m/s", title=source)
axes.legend()
figure.savefig(picture, dpi=100)
