#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""ttc, ettc, time_gap and drac of `osiconvert interactions` against CommonRoad-CriMe, on made scenes and real traces.

usage: criticality.py OSICONVERT TRACES

Run by hand, with a Python of its own, because what the package brings along takes 1 GB:
    python3 -m venv crime && crime/bin/pip install commonroad-crime==0.4.5
    crime/bin/python tests/conformance/criticality.py build/release/bin/osiconvert ../shared/traces

Scenes have a follower and a leader on a straight lane. Of real traces they are the states of two objects, read with
`osiconvert cat`, in the direction of the follower. Exit code 77: the package is missing.

What CriMe computes, and how it is asked:
- TTC takes accelerations into account: of vehicles at constant speed it is ttc, else ettc. It takes the amount of the
  acceleration of the other vehicle, so a braking leader counts as one that accelerates; only the difference of the
  accelerations matters for ettc, so the follower has all of it. A difference of at most 0.1 m/s^2 counts as none.
- THW is the first step of the predicted motion in which the follower is where the leader is now: time_gap, rounded up.
- ALongReq is drac, negative, if the follower is faster; else it is the same formula, which then means nothing. It takes
  a heading of exactly 0 for an unknown one, so its lane rises a little.
"""
import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

STEP, HORIZON = 0.1, 10.0  # s, of predicted motion; HORIZON for THW
LANE, FOLLOWER, LEADER = 1, 11, 12  # ids
#: CriMe rounds results to hundredths, and the clearance before that: made ones are whole centimetres.
ROUNDING = 0.005 + 1e-6


@dataclass(frozen=True)
class Vehicle:
    """On a straight lane: `at` is the way of its centre."""

    at: float
    speed: float
    acceleration: float = 0
    length: float = 4.5
    width: float = 1.8


@dataclass(frozen=True)
class Scene:
    follower: Vehicle
    leader: Vehicle

    def relative_acceleration(self):
        return self.follower.acceleration - self.leader.acceleration


class Crime:
    """CommonRoad-CriMe on one scene."""

    def __init__(self):
        import logging

        import numpy
        from commonroad.geometry.shape import Rectangle
        from commonroad.prediction.prediction import TrajectoryPrediction
        from commonroad.scenario.lanelet import Lanelet
        from commonroad.scenario.obstacle import DynamicObstacle, ObstacleType
        from commonroad.scenario.scenario import Scenario
        from commonroad.scenario.state import CustomState, InitialState
        from commonroad.scenario.trajectory import Trajectory
        from commonroad_crime.data_structure.configuration import CriMeConfiguration
        from commonroad_crime.measure import THW, TTC, ALongReq

        logging.disable(logging.WARNING)
        self.numpy, self.Rectangle, self.Prediction, self.Lanelet = numpy, Rectangle, TrajectoryPrediction, Lanelet
        self.Obstacle, self.CAR, self.Scenario = DynamicObstacle, ObstacleType.CAR, Scenario
        self.CustomState, self.InitialState, self.Trajectory = CustomState, InitialState, Trajectory
        self.Configuration = CriMeConfiguration
        self.TTC, self.THW, self.ALongReq = TTC, THW, ALongReq

    def lane(self, slope):
        along = self.numpy.arange(-100.0, 800.0, 10.0)
        sides = [self.numpy.stack([along, along * slope + side], 1) for side in (5, 0, -5)]
        return self.Lanelet(*sides, LANE)

    def obstacle(self, number, vehicle, acceleration, seconds):
        """With its motion at constant acceleration, from which CriMe takes the acceleration."""

        def values(step):
            time = step * STEP
            way = vehicle.at + vehicle.speed * time + acceleration * time * time / 2
            return {
                "time_step": step,
                "position": self.numpy.array([way, 0.0]),
                "orientation": 0.0,
                "velocity": vehicle.speed + acceleration * time,
            }

        steps = range(1, round(seconds / STEP) + 1)
        shape = self.Rectangle(vehicle.length, vehicle.width)
        motion = self.Trajectory(1, [self.CustomState(**values(step)) for step in steps])
        lanes = {step: {LANE} for step in (0, *steps)}
        prediction = self.Prediction(motion, shape, center_lanelet_assignment=lanes, shape_lanelet_assignment=lanes)
        start = self.InitialState(**values(0), acceleration=acceleration, yaw_rate=0.0, slip_angle=0.0)
        return self.Obstacle(number, self.CAR, shape, start, prediction)

    def measure(self, kind, scene, acceleration=0.0, slope=0.0, seconds=5 * STEP):
        """The value, or None; the follower has the acceleration, and the leader none."""
        scenario = self.Scenario(STEP)
        scenario.add_objects(self.lane(slope))
        scenario.add_objects(self.obstacle(FOLLOWER, scene.follower, acceleration, seconds))
        scenario.add_objects(self.obstacle(LEADER, scene.leader, 0.0, seconds))
        configuration = self.Configuration()
        configuration.update(ego_id=FOLLOWER, sce=scenario)
        value = float(kind(configuration).compute(LEADER, 0, verbose=False))
        assert not math.isnan(value), scene
        return None if math.isinf(value) else value


def same(ours, theirs, tolerance):
    return ours is theirs is None or (None not in (ours, theirs) and abs(ours - theirs) <= tolerance)


def check(crime, name, scenes, rows, relative=0.0):
    """`relative`: what a rounded clearance and a lane that is not quite straight make of a value."""
    counts = dict.fromkeys(("ttc", "ettc", "time_gap", "drac"), 0)
    for scene, row in zip(scenes, rows, strict=True):
        ours = {column: float(row[column]) if row[column] else None for column in counts}
        acceleration = scene.relative_acceleration()
        ttc = crime.measure(crime.TTC, scene)
        ettc = crime.measure(crime.TTC, scene, acceleration)
        thw = crime.measure(crime.THW, scene, seconds=HORIZON)
        required = crime.measure(crime.ALongReq, scene, slope=1e-4)
        closes = scene.follower.speed > scene.leader.speed

        def equal(column, expected, tolerance):
            tolerance += relative * (ours[column] or 0)
            assert same(ours[column], expected, tolerance), f"{name}: {column}: {expected} of CriMe: {scene}: {row}"
            counts[column] += expected is not None

        equal("ttc", ttc, ROUNDING)
        if closes and abs(acceleration) <= 0.1:
            assert same(ttc, ettc, 0), f"{name}: {ttc} {ettc}: {scene}"
        else:
            equal("ettc", ettc, ROUNDING)
        equal("drac", -required if closes else None, 2 * ROUNDING)
        gap = ours["time_gap"]
        if thw is None:
            assert gap is None or gap * (1 + relative) > HORIZON - STEP, f"{name}: {scene}: {row}"
        else:
            equal("time_gap", thw - STEP / 2, STEP / 2 + 1e-6)
    print(f"{name}: {len(rows)} scenes: equal are " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts


def made_scenes():
    rng = random.Random(1)
    car = Vehicle(0, 20)
    ahead = replace(car, at=34.5)  # 30 m
    scenes = [
        Scene(car, replace(ahead, speed=10)),
        Scene(replace(car, acceleration=2), replace(ahead, speed=10)),
        Scene(replace(car, acceleration=-1.6), replace(ahead, speed=10)),  # touches after 10.6 s
        Scene(replace(car, acceleration=-1.7), replace(ahead, speed=10)),  # never
        Scene(car, replace(ahead, acceleration=-4)),  # as fast, and brakes
        Scene(car, replace(ahead, speed=25, acceleration=-4)),  # faster, and brakes
        Scene(car, replace(ahead, speed=25, acceleration=4)),  # never
        Scene(car, ahead),  # never
        Scene(car, replace(ahead, speed=0)),
        Scene(replace(car, speed=0, acceleration=3), replace(ahead, speed=0)),
        Scene(replace(car, acceleration=0.05), replace(ahead, speed=10)),
    ]
    for _ in range(60):
        follower = Vehicle(0, rng.uniform(1, 40), rng.uniform(-8, 4), rng.uniform(3.5, 16), rng.uniform(1.6, 2.5))
        length, clearance = rng.uniform(3.5, 16), round(rng.uniform(1, 90), 2)
        at = (follower.length + length) / 2 + clearance
        leader = Vehicle(at, rng.uniform(0, 40), rng.uniform(-8, 4), length, rng.uniform(1.6, 2.5))
        scenes.append(Scene(follower, leader))
    return scenes


def write_trace(file, scenes):
    """A frame for each scene, in any direction, at any place."""
    rng = random.Random(2)

    def moving_object(number, vehicle, origin, yaw):
        x, y = math.cos(yaw), math.sin(yaw)
        vector = lambda length: {"x": length * x, "y": length * y}  # noqa: E731
        return {
            "id": {"value": str(number)},
            "base": {
                "position": {"x": origin[0] + vehicle.at * x, "y": origin[1] + vehicle.at * y},
                "orientation": {"yaw": yaw},
                "dimension": {"length": vehicle.length, "width": vehicle.width, "height": 1.5},
                "velocity": vector(vehicle.speed),
                "acceleration": vector(vehicle.acceleration),
            },
        }

    with open(file, "w", encoding="utf-8") as out:
        for number, scene in enumerate(scenes):
            origin, yaw = (rng.uniform(-500, 500), rng.uniform(-500, 500)), rng.uniform(-math.pi, math.pi)
            objects = [
                moving_object(FOLLOWER, scene.follower, origin, yaw),
                moving_object(LEADER, scene.leader, origin, yaw),
            ]
            time = {"seconds": str(number), "nanos": 0}
            out.write(json.dumps({"timestamp": time, "moving_object": objects}) + "\n")


def rows_of(*command):
    text = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


FIELDS = (
    "position.x", "position.y", "orientation.yaw", "dimension.length", "dimension.width",
    "velocity.x", "velocity.y", "acceleration.x", "acceleration.y",
)  # fmt: skip


def states(osiconvert, trace, objects, derived):
    """By frame and id: time and fields. `derived`: velocity and acceleration are differences of two frames."""
    names = {field: f"{objects}.base.{field}" for field in (FIELDS[:5] if derived else FIELDS)}
    found, before = {}, {}
    for row in rows_of(osiconvert, "cat", trace, "--format", "csv", "--fields", ",".join(names.values())):
        number, time = int(row["id"]), float(row["time"])
        state = {field: float(row[name] or 0) for field, name in names.items()} | {"time": time}
        if derived:
            last = before.get(number)
            for axis in "xy":
                for field, of in (("velocity", "position"), ("acceleration", "velocity")):
                    known = last and last[f"{of}.{axis}"] is not None
                    change = state[f"{of}.{axis}"] - last[f"{of}.{axis}"] if known else None
                    state[f"{field}.{axis}"] = change / (time - last["time"]) if known else None
            before[number] = state
        found[int(row["frame"]), number] = state
    return found


def real_scene(follower, leader):
    """In the direction in which the follower drives."""
    way = math.atan2(follower["velocity.y"], follower["velocity.x"])

    def along(state, field):
        return state[field + ".x"] * math.cos(way) + state[field + ".y"] * math.sin(way)

    def vehicle(state):
        turned = abs(state["orientation.yaw"] - way)
        length, width = state["dimension.length"], state["dimension.width"]
        return Vehicle(
            along(state, "position") - along(follower, "position"),
            along(state, "velocity"),
            along(state, "acceleration"),
            length * math.cos(turned) + width * math.sin(turned),
            width,
        )

    return Scene(vehicle(follower), vehicle(leader))


def check_real(crime, osiconvert, trace, objects, pair, frames, derived=False):
    found = states(osiconvert, trace, objects, derived)
    rows = [
        row
        for row in rows_of(osiconvert, "interactions", trace, "--all-pairs")
        if (int(row["id"]), int(row["other_id"])) == pair and int(row["frame"]) in frames
    ]
    assert len(rows) == len(frames), f"{trace}: {len(rows)} frames with the pair"
    assert {row["motion"] for row in rows} == {"derived" if derived else "stated"}
    scenes = [real_scene(*(found[int(row["frame"]), number] for number in pair)) for row in rows]
    counts = check(crime, f"{trace.name}, {pair[0]} behind {pair[1]}", scenes, rows, relative=1e-3)
    assert counts["ettc"] and counts["time_gap"]


def main():
    osiconvert, traces = sys.argv[1], Path(sys.argv[2])
    try:
        crime = Crime()
    except ImportError as error:
        print(f"commonroad-crime is missing: {error}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "made.jsonl"
        scenes = made_scenes()
        write_trace(trace, scenes)
        check(crime, "made", scenes, rows_of(osiconvert, "interactions", trace))
    ground_truth = "global_ground_truth.moving_object[*]"
    for name, *rest in (
        ("highway_merge.osi", "moving_object[*]", (2, 1), range(2, 130, 8)),  # closes in
        ("highway_merge.osi", "moving_object[*]", (3, 2), range(150, 250, 8)),  # both brake
        ("disappearingVehicle.mcap", ground_truth, (1, 2), range(3, 90, 6), True),
    ):
        if (traces / name).exists():
            check_real(crime, osiconvert, traces / name, *rest)
        else:
            print(f"{name} is missing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
