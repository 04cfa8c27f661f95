// SPDX-License-Identifier: MPL-2.0
// proto2flat and flat2proto: what is asked for, what is to be done, what came of it.
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
};

/// One file to one file; `-` is standard input or output.
struct TranscodeJob {
    std::filesystem::path input;
    std::filesystem::path output;
};

struct TranscodeOutcome {
    TranscodeJob job;
    enum class State : std::uint8_t { done, already_complete, different, failed } state = State::done;
    std::string type_name;
    ConvertResult result;
    std::uint64_t bytes_in = 0;  ///< of the files, compressed where they are
    std::uint64_t bytes_out = 0;
    std::uint64_t skipped_frames = 0;  ///< damaged places passed over
    std::uint64_t skipped_bytes = 0;
    std::chrono::duration<double> seconds{};
    std::string error;  ///< when failed or different

    /// Something of the input is not in the output.
    [[nodiscard]] bool lossy() const noexcept { return skipped_frames != 0 || result.dropped_unknown_fields != 0; }
};

/// What the words ask for. Throws Error (usage) when they contradict each other or two outputs would have one name.
[[nodiscard]] std::vector<TranscodeJob> plan_transcoding(const TranscodeRequest& request);
/// The output is there and not older than the input; outputs appear only when complete.
[[nodiscard]] bool is_complete(const TranscodeJob& job);

/// Converts one file. Throws Error; `cancelled` when `stop` asked for it, unless the input is followed: a stop is then its end.
[[nodiscard]] TranscodeOutcome run_transcode_job(const TranscodeRequest& request, const OpenOptions& open, const TranscodeJob& job,
                                                 Messages& messages, std::stop_token stop);

/// The result for people, a line per file and one for all, and for scripts.
[[nodiscard]] std::string line_of(const TranscodeOutcome& outcome);
[[nodiscard]] std::string summary_of(const std::vector<TranscodeOutcome>& outcomes);
[[nodiscard]] std::string json_of(const std::vector<TranscodeOutcome>& outcomes);
/// One line about what is not in the output, for standard error.
[[nodiscard]] std::string loss_of(const TranscodeOutcome& outcome);

}  // namespace ositrace::app
