// SPDX-License-Identifier: MPL-2.0
// The primitives of the data of a page. lib/web_page/player/data.js reads them.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ositrace::web_page {

/// Whole numbers of rounding steps.
using Steps = std::vector<std::int64_t>;

/// Numbers of more steps than the player can represent exactly are clamped; not a number is 0.
[[nodiscard]] inline std::int64_t steps_of(double value, double step) noexcept
{
    constexpr double most = 1e12;
    const double steps = value / step;
    if (!std::isfinite(steps)) return 0;
    return std::llround(steps > most ? most : steps < -most ? -most : steps);
}

/// How well numbers are predicted by those before them.
enum class Order : std::uint8_t {
    unrelated = 0,
    similar = 1,    ///< to the one before
    on_a_line = 2,  ///< with the two before
};

/// Appends values: numbers of 7 bits a byte, the lowest first, the highest bit says that another byte follows.
class PageData {
public:
    void number(std::uint64_t value);
    void text(std::string_view text);  ///< UTF-8, after its length
    /// Count and order, then the differences from the prediction; those below 0 are odd.
    void block(std::span<const std::int64_t> values, Order order);
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    void append(const PageData& other) { bytes_ += other.bytes_; }

private:
    std::string bytes_;
};

/// By zlib, as the browser's DecompressionStream reads it. Throws std::bad_alloc.
[[nodiscard]] std::string deflated(std::string_view bytes);

}  // namespace ositrace::web_page
