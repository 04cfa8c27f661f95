// SPDX-License-Identifier: MPL-2.0
// Pictures as they should be: PNG files beside this one.
#pragma once

#include <optional>
#include <string>

#include <QImage>

namespace ositrace::test {

struct Difference {
    double share = 0;  ///< of pixels that differ by more than 8 of 255 in a channel
    bool same_bits = false;
    bool same_driver = false;  ///< as the one that made the golden picture
};

/// Compares with `<name>.png`; empty where that is missing. With OSITRACE_MAKE_GOLDEN set it is written instead.
/// `driver`: what has drawn the picture.
[[nodiscard]] std::optional<Difference> compare_with_golden(const QImage& image, const std::string& name,
                                                            const std::string& driver);

}  // namespace ositrace::test
