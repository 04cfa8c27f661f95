#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Gaps and times to contact of `osiconvert interactions` against shapely, on a generated and on real traces.

usage: interactions.py OSICONVERT FOLDER_OF_PACKAGES TRACES

The footprints are made from what `osiconvert cat` prints. A gap is the distance of two polygons. At the time to contact
the polygons, moved by it, touch; shortly before they do not; without one they do not within a minute. Exit code 77:
shapely is missing.
"""
import csv
import io
import math
import subprocess
import sys
import tempfile
from pathlib import Path

FIELDS = (
    "base.position.x", "base.position.y", "base.orientation.yaw", "base.dimension.length", "base.dimension.width",
    "base.velocity.x", "base.velocity.y",
)  # fmt: skip


def rows_of(*command):
    text = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def footprints(osiconvert, file, objects, geometry, affinity):
    """By frame and id: the polygon and its velocity."""
    fields = ",".join(f"{objects}.{field}" for field in FIELDS)
    found = {}
    for row in rows_of(osiconvert, "cat", file, "--format", "csv", "--fields", fields):
        x, y, yaw, length, width, vx, vy = (float(row[f"{objects}.{field}"] or 0) for field in FIELDS)
        box = geometry.box(-length / 2, -width / 2, length / 2, width / 2)
        box = affinity.translate(affinity.rotate(box, yaw, origin=(0, 0), use_radians=True), x, y)
        found[int(row["frame"]), int(row["id"])] = box, (vx, vy)
    return found


def check(osiconvert, file, objects, geometry, affinity):
    boxes = footprints(osiconvert, file, objects, geometry, affinity)
    pairs = rows_of(osiconvert, "interactions", file, "--all-pairs", "--max-gap", "1000000")
    expected = 0
    for frame in {frame for frame, _ in boxes}:
        count = sum(1 for other, _ in boxes if other == frame)
        expected += count * (count - 1) // 2
    assert len(pairs) == expected, f"{file}: {len(pairs)} pairs, expected {expected}"
    contacts = 0
    for i, row in enumerate(pairs):
        (a, (ax, ay)), (b, (bx, by)) = (boxes[int(row["frame"]), int(row[name])] for name in ("id", "other_id"))
        gap = float(row["gap"])
        assert math.isclose(gap, a.distance(b), rel_tol=1e-9, abs_tol=1e-6), f"{file}: {row}: {a.distance(b)}"

        def distance_at(time):
            return affinity.translate(a, (ax - bx) * time, (ay - by) * time).distance(b)

        if row["motion"] != "stated":
            continue  # the velocity is not in the message
        if row["ttc_2d"]:
            time = float(row["ttc_2d"])
            contacts += 1
            assert distance_at(time) < 1e-6 * (1 + time * 50), f"{file}: {row}: {distance_at(time)}"
            assert time == 0 or distance_at(0.99 * time) > 0, f"{file}: {row}"
        elif i % 20 == 0:
            assert all(distance_at(t / 10) > 0 for t in range(600)), f"{file}: {row}"
    print(f"{Path(file).name}: {len(pairs)} gaps and {contacts} times to contact equal")


def main():
    osiconvert, packages, traces = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    sys.path.insert(0, packages)
    try:
        from shapely import affinity, geometry
    except ImportError as error:
        print(f"shapely is missing: {error}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.osi"
        subprocess.run(
            [osiconvert, "generate", made, "--quiet", "--type", "gt", "--objects", "12", "--frames", "60"], check=True
        )
        check(osiconvert, made, "moving_object[*]", geometry, affinity)
    real = {"highway_merge.osi": "", "disappearingVehicle.mcap": "global_ground_truth."}
    for name, before in real.items():
        if (traces / name).exists():
            check(osiconvert, traces / name, before + "moving_object[*]", geometry, affinity)
        else:
            print(f"{name} is missing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
