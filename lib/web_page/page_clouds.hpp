// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ositrace/picture.hpp>

#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_shapes.hpp"

namespace ositrace::web_page {

/// Clouds of points, thinned.
class Clouds {
public:
    explicit Clouds(std::size_t most_points) : most_points_(most_points) {}

    /// `origin`: that of the picture relative to that of the page.
    void add(std::size_t frame, const Picture& picture, const Pose& origin);
    void write(PageData& to) const;

private:
    void add(std::size_t frame, const Cloud& cloud, const Pose& origin);

    std::size_t most_points_;
    bool left_out_ = false;
    std::uint64_t count_ = 0;
    PageData data_;
};

}  // namespace ositrace::web_page
