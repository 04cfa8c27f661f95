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

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

struct CompareChoice;
struct ShownComparison;

/// Which message of each channel a snapshot shows, and how. Equal keys mean equal snapshots while the same channels are
/// open.
using SnapshotKey = std::vector<std::uint64_t>;

/// The last message of a channel at or before the time of a snapshot.
struct ShownFrame {
    std::shared_ptr<const Channel> channel;  ///< never null; keeps its trace open
    std::optional<Frame> frame;  ///< empty before the channel's first message, and if the message cannot be read
    std::uint64_t number = 0;    ///< index of the message in its channel, from 0
    Nanoseconds time{};          ///< of the message on the session's time axis
    bool is_past = false;        ///< see OpenChannel::is_past(): its moving objects are not shown
    std::string problem;         ///< why there is no frame, as shown on the screen; empty: the channel starts later
    std::string name;            ///< of the channel: OpenChannel::name
};

/// The number of a message over all channels of its file, as `osiconvert` prints it; empty if it is that in the
/// channel.
[[nodiscard]] inline std::optional<std::uint64_t> number_in_file(const ShownFrame& shown) noexcept
{
    return shown.frame && shown.frame->index != shown.number ? std::optional(shown.frame->index) : std::nullopt;
}

/// Everything that the session shows at a time. Immutable once built; any thread.
struct Snapshot {
    Nanoseconds time{};                      ///< the requested time, on the session's time axis
    std::uint64_t generation = 0;            ///< of the request
    SnapshotKey key;                         ///< empty if it could not be built
    std::vector<ShownFrame> channels;        ///< all channels of the session, in its order: Selected::source and
                                             ///< ThingKey::source are indices here
    std::shared_ptr<const Picture> picture;  ///< never null
    struct Next {
        std::shared_ptr<const Picture> picture;  ///< never null
        Nanoseconds since{};                     ///< of the last message of this snapshot
        Nanoseconds time{};
    };
    std::optional<Next> next;  ///< what follows, if SnapshotRequest::with_next; empty: nothing does, or not soon
    std::shared_ptr<const ShownComparison> comparison;  ///< null: nothing is compared
    Nanoseconds build_time{};                           ///< duration of reading, decoding and building the picture
    [[nodiscard]] std::size_t bytes() const noexcept;   ///< memory in use, for the budget of a cache
};

/// Both may be null.
[[nodiscard]] bool have_same_channels(const Snapshot* a, const Snapshot* b);

/// The message of a channel that the user stepped to.
struct PinnedMessage {
    std::uint32_t source = 0;
    std::uint64_t number = 0;
    friend bool operator==(const PinnedMessage&, const PinnedMessage&) = default;
};

struct SnapshotRequest {
    std::shared_ptr<const OpenChannels> channels;  ///< never null
    Nanoseconds time{};                            ///< on the session's time axis
    std::optional<PinnedMessage> pinned;  ///< shown regardless of the time: distinguishes messages with equal times
    std::uint64_t generation = 0;         ///< increases
    std::shared_ptr<const CompareChoice> compared = nullptr;  ///< null: nothing
    Nanoseconds trail{};                                      ///< how long moving objects have trails; 0: none
    bool with_next = false;                                   ///< see Snapshot::next
    int direction = 0;  ///< 1, -1: the next snapshots in this direction are built ahead
};

}  // namespace ositrace::gui
