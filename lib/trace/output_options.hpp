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

/// When a writer hands on what it has gathered: behind every frame where that is asked for, of a recording behind a frame a second, so that
/// a process that dies has lost no more than that.
class FlushTimes {
public:
    explicit FlushTimes(const WriteOptions& options) : always_(options.flush_frames), recording_(options.recording) {}

    /// Behind a frame: now?
    [[nodiscard]] bool come()
    {
        if (always_ || !recording_) return always_;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < every) return false;
        last_ = now;
        return true;
    }

private:
    static constexpr std::chrono::seconds every{1};
    bool always_;
    bool recording_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ositrace
