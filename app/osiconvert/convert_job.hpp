// SPDX-License-Identifier: MPL-2.0
// convert: what is asked for, what came of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/trace_selection.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/osiconvert/edit.hpp"
#include "app/terminal/loss.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct ConvertRequest {
    EditRequest files;                        ///< inputs, output and what is said about them
    std::optional<Encoding> encoding;         ///< of the output; empty: by its extension, else as the input
    std::optional<TopicPattern> topic;
    std::map<std::string, std::string> rename;  ///< topics, old to new
    std::map<std::string, std::string> meta;    ///< entries of the record net.asam.osi.trace
    std::vector<std::filesystem::path> attach;  ///< files to travel along
    std::optional<std::string> compression;     ///< of chunks
    std::optional<int> level;
    std::optional<std::size_t> chunk_bytes;
    bool skip_bad_frames = false;
};

struct ConvertOutcome {
    std::vector<Channel> channels;            ///< written
    std::vector<VersionChannel> version_channels;  ///< beside them
    ConvertResult result;
    Loss loss;
    std::uint64_t bytes_in = 0, bytes_out = 0;
    std::chrono::duration<double> seconds{};
};

/// All inputs to one output. Throws Error.
[[nodiscard]] ConvertOutcome run_convert_job(const ConvertRequest& request, Messages& messages, std::stop_token stop);

/// The result for people and for scripts.
[[nodiscard]] std::string line_of(const ConvertRequest& request, const ConvertOutcome& outcome);
[[nodiscard]] std::string json_of(const ConvertRequest& request, const ConvertOutcome& outcome);

}  // namespace ositrace::app
