// SPDX-License-Identifier: MPL-2.0
// convert: what is asked for.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/trace_selection.hpp>

#include "app/osiconvert/edit.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct ConvertRequest {
    EditRequest files;                 ///< inputs, outputs and what is said about them
    std::optional<Encoding> encoding;  ///< of the output; empty: by its extension, else as the input
    std::optional<TopicPattern> topic;
    std::map<std::string, std::string> rename;  ///< topics, old to new
    std::map<std::string, std::string> meta;    ///< entries of the record net.asam.osi.trace
    std::vector<std::filesystem::path> attach;  ///< files to travel along
    bool skip_bad_frames = false;
};

/// All inputs of a job to its output. Throws Error.
[[nodiscard]] FileOutcome run_convert_job(const ConvertRequest& request, const FileJob& job, Messages& messages,
                                          std::stop_token stop);

}  // namespace ositrace::app
