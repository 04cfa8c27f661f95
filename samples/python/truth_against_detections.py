#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Compares what a sensor model detects with the ground truth, object by object.

usage: truth_against_detections.py SENSOR_VIEW_TRACE [MODEL.fmu]     needs polars

Without an FMU the dummy sensor is the model.
"""

import sys

import polars as pl

import ositrace

source, model = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "dummy"
position = ["time_ns", "id", "x", "y"]
with ositrace.open(source, type="SensorView") as trace:
    truth = trace.objects(position, frame_of_reference="host").to_polars().sort("time_ns")
    played = ositrace.play(trace, model)
found = played.outputs.objects([*position, "ground_truth_id"]).to_polars().sort("time_ns")

# Detections are relative to the host vehicle, and so is the truth here. Each detection is beside the last state of its
# object at or before the time of the detection.
pairs = found.join_asof(
    truth, on="time_ns", by_left="ground_truth_id", by_right="id", suffix="_truth", check_sortedness=False
)
pairs = pairs.with_columns(
    error=((pl.col("x") - pl.col("x_truth")) ** 2 + (pl.col("y") - pl.col("y_truth")) ** 2).sqrt()
)
print(
    pairs.group_by("ground_truth_id").agg(pl.len().alias("detections"), pl.col("error").mean()).sort("ground_truth_id")
)
print(f"{len(found)} detections of {found['ground_truth_id'].n_unique()} of {truth['id'].n_unique()} objects")
