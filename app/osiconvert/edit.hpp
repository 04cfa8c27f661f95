// SPDX-License-Identifier: MPL-2.0
// Verbs that make a trace from traces: what they have in common.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/edit_rename.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/osiconvert/batch.hpp"
#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::app {

struct EditRequest {
    std::vector<std::string> words;  ///< the inputs
    std::optional<std::filesystem::path> output;
    OutputDirectoryOptions outputs;
    InputOptions input;
    WriteOptions write{.threads = 0};  ///< of the container, --threads, --overwrite
    bool json = false;
    bool may_be_empty = true;  ///< an output without frames is one
    bool joins = false;        ///< with -o several inputs become one output

    /// IN... -o OUT, --overwrite, --threads, --json, what is said about inputs and the container; `many`: --out-dir and
    /// --resume, too.
    void declare(Options& options, std::size_t most_inputs, bool many);
    /// Takes the first word, which is one of the two, off the inputs. Throws Error (usage).
    [[nodiscard]] std::string take_mode(std::string_view one, std::string_view other);
    /// IN -o OUT, or IN... --out-dir DIR; folders are the traces in them. No output may be an input (`write`). Throws
    /// Error (usage).
    [[nodiscard]] std::vector<FileJob> plan();
    /// `done`: what was done to the files, for the summary: `cut`.
    [[nodiscard]] BatchOptions batch_options(std::string_view done) const { return {outputs, json, done}; }
};

/// Is the output written as MCAP?
[[nodiscard]] bool is_mcap(const std::filesystem::path& output, const WriteOptions& options);

/// Where the parts of a name come from that messages do not state:
/// `timestamp from the time of the file, Protobuf version assumed`.
[[nodiscard]] std::string sources_of(const NameByContent& name);

/// Writes all that `edit` gives to the output of the job, in the encoding that its extension says or that the frames
/// have. Throws Error; mismatch, with nothing written, for no frames where that may not be.
[[nodiscard]] FileOutcome write_edit(FrameSource& edit, const FileJob& job, const EditRequest& request,
                                     Messages& messages, std::stop_token stop);

}  // namespace ositrace::app
