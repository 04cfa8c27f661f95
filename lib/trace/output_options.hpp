// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

#include <ositrace/trace_writer.hpp>

#include "lib/io/output_file.hpp"

namespace ositrace {

/// What the options of a trace writer mean for its file.
[[nodiscard]] inline OutputOptions output_options(const WriteOptions& options)
{
    return {.overwrite = options.overwrite, .recording = options.recording, .sync = options.sync};
}

/// Hands on what a writer has gathered: behind every frame where that is asked for, of a recording behind a frame a
/// second, without waiting, so that a process that dies has lost the frames of its last two seconds at most (where
/// frames stop coming, TraceWriter::hand_on() is for the last).
class FlushTimes {
public:
    explicit FlushTimes(const WriteOptions& options) : always_(options.flush_frames), recording_(options.recording) {}

    /// To be called behind every frame. `Sink`: a ByteSink, or what has its flush() and hand_on().
    template <class Sink>
    void behind_frame(Sink& sink)
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
