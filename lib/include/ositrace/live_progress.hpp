// SPDX-License-Identifier: MPL-2.0
// The connection between a thread that fills a LiveTrace and the threads that show it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/export.hpp>
#include <ositrace/live_trace.hpp>

namespace ositrace {

enum class LiveState : std::uint8_t {
    waiting,    ///< for a sender, or for its first frame; for a model that starts
    receiving,  ///< frames arrive, or may arrive; a model computes them
    ended,      ///< no more frames will be added; the present ones remain
    failed,     ///< the same, because of an error
};

/// The status of a live trace.
struct LiveStatus {
    LiveState state = LiveState::waiting;
    std::string text;  ///< what is waited for, or the error; one line
    /// Grows with the first frame of every sender, or with every start of a model.
    std::uint64_t starts = 0;
    std::uint64_t lost = 0;  ///< messages that were not received completely
    std::optional<std::chrono::steady_clock::time_point> last_frame;
    /// What a model returns: the frames before this time are complete, later ones are not computed yet. Empty: all are.
    std::optional<Nanoseconds> known_until;
};

/// The latest trace and status, for any thread.
class OSITRACE_API LiveProgress {
public:
    struct View {
        /// Null before the first sender. Another object after channels were added, and
        /// after a start from which the earlier frames are not continued.
        std::shared_ptr<const LiveTrace> trace;
        LiveStatus status;
        std::uint64_t version = 0;  ///< grows with every change, also with every frame
    };

    void set_trace(std::shared_ptr<const LiveTrace> trace);
    void set_status(LiveStatus status);
    void frame_added();

    [[nodiscard]] View view() const;
    /// Waits until the version is not `seen`, or a stop is requested.
    [[nodiscard]] View wait(std::uint64_t seen, std::stop_token stop) const;

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    View view_;
};

}  // namespace ositrace
