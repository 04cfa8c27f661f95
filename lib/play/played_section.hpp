// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/player.hpp>

namespace ositrace {

/// The part of a trace that is played.
struct PlayedSection {
    TimeSection times;             ///< a round lasts as long
    bool from_first_frame = true;  ///< also those frames that have no time or an earlier one
    bool to_last_frame = true;     ///< also those that have a later one
    std::uint64_t rounds = 1;      ///< 0 = for ever
    /// Log time minus OSI time: places frames that have no OSI time.
    Nanoseconds log_ahead{};
    Nanoseconds step{1};  ///< the mean step of the channel with most frames; 1 ns if unknown
};

/// A round lasts one step longer than its last frame, so that the first of the next round comes when the next frame
/// would. A damaged trace is played from its first frame to the damage; a part of it or a loop throws the Error.
[[nodiscard]] PlayedSection section_of(const Trace& trace, const PlayOptions& options);
/// Of a live source, whose start is unknown.
[[nodiscard]] PlayedSection section_of(const PlayOptions& options);

/// The sum, at the ends of the range where it does not fit.
[[nodiscard]] Nanoseconds sum_of(Nanoseconds a, Nanoseconds b) noexcept;

}  // namespace ositrace
