// SPDX-License-Identifier: MPL-2.0
// Lane coordinates: s and t of places, as the comments of OSI's ReferenceLine define them. See docs/maps.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// A place in the coordinates of a reference line.
struct LanePlace {
    double s = 0, t = 0;  ///< metres; t is positive to the left
    std::optional<std::uint64_t> reference_line = {};
    std::optional<std::uint64_t> logical_lane = {};   ///< in which the place is
    std::optional<std::uint64_t> physical_lane = {};  ///< that belongs to it at s
};

/// The reference lines and logical lanes of a GroundTruth, prepared to be searched. Immutable; any thread. Takes time
/// and memory linear in the points of the lines and their length. A logical lane has borders where its boundaries have
/// the reference line of the lane.
class OSITRACE_API LaneFrame {
public:
    /// A place further from all lanes and reference lines has no lane coordinates, in metres.
    static constexpr double reach = 10;

    /// Copies what it needs. Throws what MessageView throws.
    explicit LaneFrame(const MessageView& ground_truth);
    LaneFrame(LaneFrame&&) noexcept;
    ~LaneFrame();

    /// Has it no reference line?
    [[nodiscard]] bool empty() const noexcept;
    /// On the reference line of the logical lane in which the place is, or else of the nearest lane within reach. Of
    /// lanes one above the other that with the height of the place counts, of lanes that overlap the one whose middle
    /// is nearest. Empty where none is within reach.
    [[nodiscard]] std::optional<LanePlace> place(double x, double y, double z) const;
    /// Is a lane or reference line within reach, in the plane and in height? Without `z` only in the plane.
    [[nodiscard]] bool reaches(double x, double y, std::optional<double> z) const;
    /// On the reference line of this logical lane; empty where there is no such lane. Takes time linear in the points
    /// of the line.
    [[nodiscard]] std::optional<LanePlace> place_on(std::uint64_t logical_lane, double x, double y, double z) const;
    /// The lanes and the reference line of coordinates on this logical lane.
    [[nodiscard]] LanePlace assigned(std::uint64_t logical_lane, double s, double t) const;

private:
    struct Implementation;
    std::unique_ptr<const Implementation> implementation_;
};

}  // namespace ositrace
