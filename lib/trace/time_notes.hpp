// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

/// Tells once of each kind of unusual time in the messages of a channel. Any thread.
class TimeNotes {
public:
    enum class Kind : std::uint8_t { nanos, elsewhere, unreadable };

    explicit TimeNotes(std::function<void(const Error&)> tell) : tell_(std::move(tell)) {}
    /// Where a message is, as far as it is known.
    struct Place {
        std::optional<std::uint64_t> frame;
        std::optional<std::uint64_t> offset;
    };
    void tell(Kind kind, const std::string& text, const Place& place = {}) const
    {
        if (told_[static_cast<std::size_t>(kind)].test_and_set()) return;
        tell_(Error(Cause::malformed, {.frame = place.frame, .offset = place.offset}, text));
    }

private:
    std::function<void(const Error&)> tell_;
    mutable std::array<std::atomic_flag, 3> told_;
};

}  // namespace ositrace
