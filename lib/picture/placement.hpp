// SPDX-License-Identifier: MPL-2.0
// The places of things: in double until the origin of the picture is subtracted, in float afterwards.
#pragma once

#include <array>
#include <optional>

#include <ositrace/picture.hpp>

#include "lib/picture/fields.hpp"

namespace ositrace::picture {

/// Is it a valid place: finite, and at most ten diameters of the earth from the origin of the coordinates?
[[nodiscard]] bool is_place(Vector v) noexcept;
/// Are these valid angles of a rotation?
[[nodiscard]] bool is_turn(Orientation o) noexcept;
[[nodiscard]] Point to_point(Vector v) noexcept;
[[nodiscard]] std::array<float, 3> to_angles(Orientation o) noexcept;

/// A coordinate frame, fixed in another one.
struct Pose {
    Vector position;
    Orientation orientation;
};
/// Of a MountingPosition; nullopt if a number is NaN or infinite.
[[nodiscard]] std::optional<Pose> pose_of(const MessageView& mounting);

/// Maps the coordinates of a message to those of the picture.
class Placement {
public:
    /// Global coordinates.
    explicit Placement(Vector origin) noexcept : shift_(-1.0 * origin) {}
    /// The frame that is fixed to this one at `pose`.
    [[nodiscard]] Placement mounted(const Pose& pose) const noexcept;

    /// nullopt for an invalid place, or one too far from the origin to be drawn.
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
