// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

#include <ositrace/trace_writer.hpp>

#include "lib/io/output_file.hpp"

namespace ositrace {

/// The options of the file of a trace writer.
[[nodiscard]] inline OutputOptions output_options(const WriteOptions& options)
{
    return {.overwrite = options.overwrite, .recording = options.recording, .sync = options.sync};
}

/// Decides when buffered data is written: after every frame where WriteOptions::flush_frames is set; in a recording
/// once a second, without waiting, so that a process that dies loses at most the frames of its last two seconds.
class FlushTimes {
public:
    explicit FlushTimes(const WriteOptions& options) : always_(options.flush_frames), recording_(options.recording) {}

    /// Call after every frame. `Sink` has flush() and hand_on(), as ByteSink has.
    template <class Sink>
    void after_frame(Sink& sink)
    {
        if (always_) return sink.flush();
        if (!recording_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < every) return;
        last_ = now;
        sink.hand_on();
    }

private:
    static constexpr std::chrono::seconds every{1};
    bool always_;
    bool recording_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ositrace
