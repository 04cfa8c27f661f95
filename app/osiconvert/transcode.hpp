// SPDX-License-Identifier: MPL-2.0
// proto2flat and flat2proto: what is asked for, what is to be done.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/batch.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct TranscodeRequest {
    std::string_view opposite;  ///< the verb for the other direction
    Encoding from = Encoding::protobuf;
    Format to;
    std::vector<std::string> words;  ///< IN [OUT], or IN... with --out-dir
    OutputDirectoryOptions outputs;
    InputOptions input;
    unsigned threads = 0;
    bool strict = false;
    bool verify = false;
    bool follow = false;
    bool skip_bad_frames = false;
    bool overwrite = false;
    bool json = false;

    [[nodiscard]] BatchOptions batch_options() const { return {outputs, json, "converted"}; }
};

/// What the words ask for. Throws Error (usage) when they contradict each other or two outputs would have one name.
[[nodiscard]] std::vector<FileJob> plan_transcoding(const TranscodeRequest& request);

/// Converts one file. Throws Error; `cancelled` when `stop` asked for it, unless the input is followed: a stop is then
/// its end.
[[nodiscard]] FileOutcome run_transcode_job(const TranscodeRequest& request, const OpenOptions& open,
                                            const FileJob& job, Messages& messages, std::stop_token stop);

}  // namespace ositrace::app
