// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "gui/render/gl.hpp"

namespace ositrace::gui {

/// A part of what is drawn, in the order in which it is drawn, counted in vertices. A driver without a card works on
/// vertices in the thread that draws, which has other duties.
class DrawPart {
public:
    struct Range {
        GLint first = 0;
        GLsizei count = 0;
    };

    /// Everything.
    DrawPart() = default;
    /// `most` at most, of what stands behind the parts that drew `skip` so far. `most` is no less than one element has.
    DrawPart(std::size_t skip, std::size_t most) noexcept : skip_(skip), left_(most) {}

    /// Which of the next `count` elements, of `vertices` each, belong to the part.
    Range take(GLsizei count, std::size_t vertices) noexcept
    {
        const auto all = static_cast<std::size_t>(count);
        const auto first = std::min(all, skip_ / vertices);
        const auto next = std::min(all - first, left_ / vertices);
        skip_ -= first * vertices;
        left_ -= next * vertices;
        drawn_ += next * vertices;
        if (first + next < all) {
            left_ = 0;  // nothing that comes later may come before these
            reaches_end_ = false;
        }
        return {static_cast<GLint>(first), static_cast<GLsizei>(next)};
    }
    [[nodiscard]] std::size_t drawn() const noexcept { return drawn_; }
    [[nodiscard]] bool reaches_end() const noexcept { return reaches_end_; }

private:
    std::size_t skip_ = 0;
    std::size_t left_ = std::numeric_limits<std::size_t>::max();
    std::size_t drawn_ = 0;
    bool reaches_end_ = true;
};

}  // namespace ositrace::gui
