// SPDX-License-Identifier: MPL-2.0
// Where things stand: in double until the origin of the picture is subtracted, in float from there on.
#pragma once

#include <array>
#include <optional>

#include <ositrace/picture.hpp>

#include "lib/picture/fields.hpp"

namespace ositrace::picture {

/// Is it a place: finite, and no farther from the coordinates' origin than the earth is wide, ten times over.
[[nodiscard]] bool is_place(Vector v) noexcept;
/// Angles that can be turned by.
[[nodiscard]] bool is_turn(Orientation o) noexcept;
[[nodiscard]] Orientation orientation_of(const Rotation& rotation) noexcept;
[[nodiscard]] Point to_point(Vector v) noexcept;
[[nodiscard]] std::array<float, 3> to_angles(Orientation o) noexcept;

/// A frame fixed somewhere in another.
struct Pose {
    Vector position;
    Orientation orientation;
};
/// Of a MountingPosition; nullopt where a number is none.
[[nodiscard]] std::optional<Pose> pose_of(const MessageView& mounting);

/// Maps the coordinates of a message to those of the picture.
class Placement {
public:
    /// Global coordinates.
    explicit Placement(Vector origin) noexcept : shift_(-1.0 * origin) {}
    /// The frame that is fixed at `pose` to this one.
    [[nodiscard]] Placement mounted(const Pose& pose) const noexcept;

    /// nullopt for what is no place, or too far from the origin to be drawn.
    [[nodiscard]] std::optional<Point> point(Vector local) const noexcept;
    [[nodiscard]] Vector to_picture(Vector local) const noexcept
    {
        return turned_ ? shift_ + rotation_.to_parent(local) : shift_ + local;
    }
    /// A direction or a velocity.
    [[nodiscard]] Vector turn(Vector local) const noexcept { return turned_ ? rotation_.to_parent(local) : local; }
    [[nodiscard]] Orientation turn(Orientation local) const noexcept
    {
        return turned_ ? orientation_of(rotation_.after(Rotation(local))) : local;
    }
    [[nodiscard]] const Rotation& rotation() const noexcept { return rotation_; }

private:
    Vector shift_;  ///< of the local origin in the picture
    Rotation rotation_;
    bool turned_ = false;
};

}  // namespace ositrace::picture
