// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// Which messages a moment shows, by channel, and how; equal keys are equal moments as long as the same channels are
/// open.
using MomentKey = std::vector<std::uint64_t>;

/// The last message of a channel at or before a moment.
struct ShownFrame {
    std::shared_ptr<const Channel> channel;  ///< never null; keeps its trace open
    std::optional<Frame> frame;              ///< empty before the channel's first message, and where it cannot be read
    std::uint64_t number = 0;                ///< of the message in its channel, from 0
    Nanoseconds time{};                      ///< of the message on the session's time axis
    bool is_past = false;                    ///< see OpenChannel::is_past(): nothing that moves is shown of it
    std::string problem;  ///< why there is no frame, as it stands on the screen; empty: the channel begins later
    std::string name;     ///< of the channel: OpenChannel::name
};

/// Everything that a time of the session shows. Immutable once made; any thread.
struct Moment {
    Nanoseconds time{};            ///< on the session's time axis, as it was asked for
    std::uint64_t generation = 0;  ///< of the request
    MomentKey key;                 ///< empty where it could not be made
    std::vector<ShownFrame>
        channels;  ///< all of the session, in its order: Selected::source and ThingKey::source are places here
    std::shared_ptr<const Picture> picture;            ///< never null
    Nanoseconds made_in{};                             ///< what reading, decoding and making the picture took
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< memory it holds, for a cache's budget
};

}  // namespace ositrace::gui
