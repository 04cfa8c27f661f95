// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lib/picture/layer_builder.hpp"
#include "lib/picture/polygon.hpp"

namespace ositrace::picture {

/// Flat shapes on the front of the last added thing, which is its side towards +x. A place is {right, up} as a
/// spectator in front of it sees it, in halves of the largest square on that side.
class Face {
public:
    explicit Face(LayerBuilder& to);
    /// The side must not be narrower than the thing is thick: some writers have other axes.
    [[nodiscard]] static bool has_room(const Thing& thing) noexcept;
    /// The next shapes are a little nearer to the spectator: they cover those before.
    void raise() noexcept;

    /// `corners`: of a convex polygon, three or more.
    void polygon(Look look, std::span<const Corner> corners, float strength = 1);
    void disc(Look look, double radius, float strength = 1, Corner centre = {});
    void stroke(Look look, Corner from, Corner to, double width, float strength = 1);
    /// An arrow through the middle. `angle`: radians from up to the left.
    void arrow(Look look, double angle, double size, Corner centre = {}, float strength = 1);
    /// Digits, and the letters of road signs; other characters are left out.
    void text(Look look, std::string_view characters, double height, double most_width, float strength = 1);
    /// A disc that fades out, upright and level: light that is seen from every side.
    void glow(Look look, double radius, float strength);

private:
    [[nodiscard]] Point place(double right, double up, double ahead) const noexcept;
    void add_glow(Look look, float strength, std::span<const Point> rim);

    LayerBuilder& to_;
    Vector centre_;
    Rotation rotation_;
    double unit_ = 1;   ///< m
    double front_ = 0;  ///< m, from the centre
};

/// The pictogram of the last added thing, a traffic sign, with its board. Returns false, and draws nothing, if no
/// pictogram is known for its type (of MainSign.Classification): it remains a plain board. `value`: on a sign that has
/// a number.
bool add_pictogram(LayerBuilder& to, std::int64_t type, std::string_view value);

}  // namespace ositrace::picture
