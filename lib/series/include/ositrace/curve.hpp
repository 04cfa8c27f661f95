// SPDX-License-Identifier: MPL-2.0
// Curves: numbers over time, and what is derived from them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Numbers over time. A number is valid until the next sample; NaN: there is none from here on, which is a gap.
struct Curve {
    /// The NaN of what is not set. A NaN that a message contains has other bits, and is a gap as well.
    static constexpr double not_set = std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'0001});

    std::vector<Nanoseconds> times;  ///< never descending
    std::vector<double> values;      ///< as many
    friend bool operator==(const Curve&, const Curve&) = default;
};

/// The last sample at or before t; empty before the first one, and in a gap.
[[nodiscard]] std::optional<double> value_at(const Curve& curve, Nanoseconds t) noexcept;

/// a - b.
[[nodiscard]] Curve difference(const Curve& a, const Curve& b);
/// Over time, per second: between the neighbours of a sample, at the ends of what is without gaps between the sample
/// and its only neighbour. A lone sample, and one between samples of equal times, has none.
[[nodiscard]] Curve derivative(const Curve& curve);
/// The square root of the sum of the squares of these curves.
[[nodiscard]] Curve norm(std::span<const Curve* const> curves);
/// Of a vector with these components. One that is not set is 0 where another one is set; null: it never is.
[[nodiscard]] Curve length(std::span<const Curve* const> components);
/// Of two points with these components, as of length().
[[nodiscard]] Curve distance(std::span<const Curve* const> a, std::span<const Curve* const> b);
/// The component of `vector` in the direction of another one, both as of length(); a direction of length 0 is none.
[[nodiscard]] Curve along(std::span<const Curve* const> vector, std::span<const Curve* const> direction);
/// An angle in radians with whole turns added, so that no step is longer than half a turn, over gaps too.
[[nodiscard]] Curve unwrap(const Curve& angle);

/// An object: x and y of its position, yaw, x and y of its velocity, length, width. All but the position may be null:
/// where they have no value, they are 0.
using ObjectCurves = std::array<const Curve*, 7>;
/// The shortest distance of the bounding boxes of two objects, seen from above; see PairMotion.
[[nodiscard]] Curve gap(const ObjectCurves& a, const ObjectCurves& b);
/// In seconds, the columns `ttc` (in the corridor) and `ttc_2d` of the table `interactions`; a gap in the curve where
/// they are null.
[[nodiscard]] Curve time_to_collision(const ObjectCurves& a, const ObjectCurves& b);
[[nodiscard]] Curve time_to_contact(const ObjectCurves& a, const ObjectCurves& b);

// Curves of several channels have samples at different times: those that are derived from several have one at every
// time of any of them, from where all have begun to where the first one ends. The components of a vector end together.

/// A curve as a user types it: a FieldPath to a number, or
///   a - b, difference(a, b)      of two curves
///   derivative(a), unwrap(a)     of a curve
///   norm(v), norm(a, b, ...)     of a message with x, y and z, such as base.velocity; of curves
///   along(v, w)                  of two messages with x, y and z: the component of v in the direction of w
///   distance(p, q)               of two messages with x, y and z, or of two objects (their base.position)
///   gap(p, q), time_to_collision(p, q), time_to_contact(p, q)  of two objects
/// One of x, y and z that is not set is 0 if another one is set. Paths may be shortened as in a Query.
/// One with `[*]` stands for a curve per element (see SeriesPlan): its paths have the same elements, or none.
/// Immutable; any thread.
class CurveExpression {
public:
    /// Throws Error (usage) naming what is wrong. The schema must outlive it.
    [[nodiscard]] static CurveExpression compile(const MessageTable& root, std::string_view text);

    /// With whole paths.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// For a SeriesPlan; each leads to numbers.
    [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
    /// Is it a path, without a function?
    [[nodiscard]] bool is_path() const noexcept { return root_.function == Function::path; }
    /// Does it stand for a curve per element?
    [[nodiscard]] bool has_many() const noexcept { return has_many_; }
    /// text() with the elements `keys` (SeriesCurve::keys) in the place of each `[*]`.
    [[nodiscard]] std::string text_of(std::string_view keys) const;
    /// From the units of the paths; empty: it has none, or adds different ones.
    [[nodiscard]] std::string unit(std::span<const std::string> units) const;
    /// The first of paths() that is needed and missing; empty: the expression has a curve. `curves`: of the paths;
    /// null: there is none.
    [[nodiscard]] std::optional<std::size_t> missing(std::span<const Curve* const> curves) const;
    /// From the curves of the paths, of which nothing is missing().
    [[nodiscard]] Curve evaluate(std::span<const Curve* const> curves) const;

private:
    friend class CurveParser;
    enum class Function : std::uint8_t {
        path,
        difference,
        derivative,
        norm,
        length,
        distance,
        along,
        unwrap,
        gap,
        time_to_collision,
        time_to_contact,
        object,  ///< as ObjectCurves
        absent,  ///< the type has no such field
    };
    struct Node {
        Function function = Function::path;
        std::size_t path = 0;  ///< place in paths_
        std::vector<Node> arguments{};
    };
    static std::optional<std::size_t> missing(const Node& node, std::span<const Curve* const> curves);
    static std::vector<const Curve*> parts_of(const Node& node, std::span<const Curve* const> curves);
    static ObjectCurves object_of(const Node& node, std::span<const Curve* const> curves);
    static Curve evaluate(const Node& node, std::span<const Curve* const> curves);
    static std::string unit(const Node& node, std::span<const std::string> units);

    std::string text_;
    std::vector<std::string> paths_;
    Node root_;
    bool has_many_ = false;
};

}  // namespace ositrace
