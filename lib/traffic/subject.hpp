// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <ositrace/traffic_frame.hpp>

namespace ositrace::traffic {

/// The object that a table is about: the one of the option `host`, by id or by name, else the host vehicle.
class Subject {
public:
    explicit Subject(std::optional<std::string> wanted);

    [[nodiscard]] bool is_given() const noexcept { return wanted_.has_value(); }
    /// Is there one to be looked for in this frame?
    [[nodiscard]] bool is_wanted(const TrafficFrame& frame) const noexcept { return wanted_ || frame.host; }
    /// Its place in the objects of the frame.
    [[nodiscard]] std::optional<std::size_t> in(const TrafficFrame& frame);
    /// Throws Error (mismatch) if it was given and no frame had it.
    void check_found() const;

private:
    std::optional<std::string> wanted_;
    std::optional<std::uint64_t> id_;  ///< of a number
    bool found_ = false;
};

}  // namespace ositrace::traffic
