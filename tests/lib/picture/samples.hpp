// SPDX-License-Identifier: MPL-2.0
// Messages with the kinds of things that the sample scene has not, each about a place that a test knows.
#pragma once

#include "tests/lib/picture/pictures.hpp"

namespace ositrace::test {

/// SensorData of a sensor 1 m above the ground: four ultrasonic detections, 1 to 4 m away.
[[nodiscard]] std::shared_ptr<const Picture> ultrasonic_sample();
/// SensorData: points of a camera, a wall of 9 x 5, 10 m ahead.
[[nodiscard]] std::shared_ptr<const Picture> camera_sample();
/// SensorData: logical detections on a circle of 6 m.
[[nodiscard]] std::shared_ptr<const Picture> logical_sample();
/// SensorView: radar reflections 12 m away, 1 rad to both sides.
[[nodiscard]] std::shared_ptr<const Picture> radar_sample();
/// A TrafficCommand to drive an S curve.
[[nodiscard]] std::shared_ptr<const Picture> trajectory_sample();
/// A lorry of cab and trailer, a van with a pointed front, a house with a courtyard open to one side.
[[nodiscard]] std::shared_ptr<const Picture> bodies_sample();
/// A car that brakes and turns left, one that warns, one that does nothing of that.
[[nodiscard]] std::shared_ptr<const Picture> lamps_sample();

/// A wall of traffic signs of all boards at x = 0, that face +x, and bulbs in all modes below.
[[nodiscard]] std::shared_ptr<const Picture> signs_sample();
/// A road of 60 m along x: two lanes, a cycle lane, a sidewalk and an intersection, with boundaries of many types.
[[nodiscard]] std::shared_ptr<const Picture> road_sample();

}  // namespace ositrace::test
