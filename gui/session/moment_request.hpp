// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// A message of a channel that was stepped to.
struct PinnedMessage {
    std::uint32_t source = 0;
    std::uint64_t number = 0;
    friend bool operator==(const PinnedMessage&, const PinnedMessage&) = default;
};

struct MomentRequest {
    std::shared_ptr<const OpenChannels> channels;  ///< never null
    Nanoseconds time{};                            ///< on the session's axis
    std::optional<PinnedMessage> pinned;  ///< shown whatever the time: messages of one time are told apart by it
    std::uint64_t generation = 0;         ///< counts up
    int direction = 0;                    ///< 1, -1: what comes next in it is made ahead
};

}  // namespace ositrace::gui
