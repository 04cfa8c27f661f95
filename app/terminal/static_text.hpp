// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <ositrace/edit/static.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// `--static carry|drop`. Throws Error (usage).
[[nodiscard]] bool parse_static_choice(const std::string& text);

/// `33 lane, 40 lane_boundary, map_reference from frame 0; version from frame 2`
[[nodiscard]] std::string fields_text(const CarriedPart& part);

/// Reports which static data was copied into which frames: the first few in full, then only their number.
class CarriedReport {
public:
    CarriedReport(std::filesystem::path file, Messages& messages) : file_(std::move(file)), messages_(messages) {}
    void add(const CarriedPart& part);
    /// Call this at the end.
    void finish();

private:
    std::filesystem::path file_;
    Messages& messages_;
    std::uint64_t parts_ = 0;
};

}  // namespace ositrace::app
