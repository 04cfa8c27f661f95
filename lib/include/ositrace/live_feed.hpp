// SPDX-License-Identifier: MPL-2.0
// Receives a live source on a thread of its own, and begins again when the sender does.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/live_progress.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// How a feed opens its source: waits for the sender and for the data that describes its channels. `lost` is called for
/// every message that is not received completely, from the thread that opens and reads.
using OpenLiveSource =
    std::function<std::unique_ptr<FrameSource>(const std::stop_token& stop, const std::function<void()>& lost)>;

struct LiveFeedOptions {
    LiveLimits limits;
    std::string waits_for = "a sender";  ///< text in the status
    /// After an error, or when a sender has gone.
    std::chrono::milliseconds retry_after{500};
};

/// Reads as fast as frames arrive, whether or not they are shown. When the source ends or fails, it is opened again; an
/// Error (usage, unsupported) ends the feed.
///
/// Frames of the next sender follow those of the one before it if its channels are the same and its time continues. If
/// its channels differ, or time goes back (by more than a second, or before the first kept frame), the sender has begun
/// again: a new trace begins, and the earlier frames are dropped.
class OSITRACE_API LiveFeed {
public:
    explicit LiveFeed(OpenLiveSource open, LiveFeedOptions options = {});
    /// Stops the thread.
    ~LiveFeed();
    void request_stop() noexcept { thread_.request_stop(); }
    [[nodiscard]] const LiveProgress& progress() const noexcept { return progress_; }

private:
    void run(const std::stop_token& stop);
    bool receive(const std::stop_token& stop);
    void begin_source(const FrameSource& source);
    void begin_trace(TraceInfo info);
    void take(const Frame& frame, const FrameSource& source);
    [[nodiscard]] bool begins_again(const Frame& frame) const;
    void set_state(LiveState state, std::string text);

    OpenLiveSource open_;
    LiveFeedOptions options_;
    LiveProgress progress_;
    std::shared_ptr<LiveTrace> trace_;
    std::vector<std::optional<Nanoseconds>> last_times_;  ///< by channel
    LiveStatus status_;
    bool is_first_frame_ = true;  ///< of a sender
    std::jthread thread_;
};

}  // namespace ositrace
