// SPDX-License-Identifier: MPL-2.0
// Reads generated frames back: by field names through MessageView, with geometry of its own, so that it shares no code
// with the scene.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/message_view.hpp>
#include <ositrace/scene.hpp>

namespace decoded {

using Triple = std::array<double, 3>;

/// A message, or nothing where it is not set.
class Node {
public:
    Node() = default;
    explicit Node(ositrace::MessageView view) : view_(std::move(view)) {}

    explicit operator bool() const { return view_.has_value(); }
    Node operator[](std::string_view field) const;
    std::vector<Node> all(std::string_view field) const;
    std::vector<double> reals(std::string_view field) const;
    bool has(std::string_view field) const;
    double real(std::string_view field) const;
    std::uint64_t number(std::string_view field) const;
    std::string_view text(std::string_view field) const;
    /// The name of an enumerator.
    std::string_view name(std::string_view field) const;
    /// `field.value`.
    std::uint64_t id(std::string_view field) const { return (*this)[field].number("value"); }
    std::vector<std::uint64_t> ids(std::string_view field) const;
    /// x, y, z; length, width, height; roll, pitch, yaw.
    Triple triple(std::string_view field) const;
    const ositrace::MessageView& view() const { return *view_; }

private:
    const ositrace::FieldRow& row(std::string_view field) const;
    std::optional<ositrace::MessageView> view_;
};

/// One frame of a scene.
class SceneFrame {
public:
    SceneFrame(const ositrace::Scene& scene, std::uint64_t i) { scene.frame(i, bytes_), read(scene); }
    const Node& root() const { return root_; }
    /// The ground truth, wherever it stands.
    Node ground_truth() const;
    ositrace::Bytes bytes() const { return bytes_.bytes(); }

private:
    void read(const ositrace::Scene& scene);
    ositrace::ByteBuffer bytes_;
    Node root_;
};

/// v turned by roll, then pitch, then yaw.
Triple turned(Triple v, Triple orientation);
/// The other way.
Triple turned_back(Triple v, Triple orientation);
inline Triple plus(Triple a, Triple b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Triple minus(Triple a, Triple b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Triple times(double k, Triple a) { return {k * a[0], k * a[1], k * a[2]}; }
inline double length(Triple a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

struct Box {
    std::uint64_t id;
    Triple position, orientation, dimension;
    /// From the surface, whichever side.
    double distance(Triple point) const;
    bool contains(Triple point) const;
};
/// Everything in a ground truth that has a box and stands on the ground; a sign's supplementary signs count as it.
std::vector<Box> boxes(const Node& ground_truth);

/// From a sensor on the host into the global frame.
class SensorPose {
public:
    SensorPose(const Node& ground_truth, const Node& mounting_position);
    Triple to_global(Triple local) const;

private:
    Triple centre_, orientation_, rear_axle_, position_, mounted_;
};

Triple from_spherical(double distance, double azimuth, double elevation);

}  // namespace decoded
