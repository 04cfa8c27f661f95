// SPDX-License-Identifier: MPL-2.0
// What verbs that write traces from traces have in common.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/edit/rename.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/osiconvert/file_jobs.hpp"
#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::app {

struct EditRequest {
    std::vector<std::string> words;  ///< the inputs
    std::optional<std::filesystem::path> output;
    OutputDirectoryOptions outputs;
    InputOptions input;
    WriteOptions write{.threads = 0};  ///< the container, --threads, --overwrite
    bool json = false;
    bool may_be_empty = true;  ///< an output without frames is written
    bool joins = false;        ///< with -o several inputs become one output
    /// `.osifb`: the words are IN [OUT], and an output without a name is named after its input, with this extension.
    std::string_view added_extension = {};

    /// IN... -o OUT, --overwrite, --threads, --json, the options of inputs and of the container; `many`: also --out-dir
    /// and --resume.
    void declare(Options& options, std::size_t most_inputs, bool many);
    /// Removes the first word, one of these, from the inputs and returns it. Throws Error (usage).
    [[nodiscard]] std::string remove_mode(std::initializer_list<std::string_view> modes);
    /// IN -o OUT, or IN... --out-dir DIR; a folder means the traces in it. Sets `write` so that no output is an input.
    /// Throws Error (usage).
    [[nodiscard]] std::vector<FileJob> plan();
    /// `done`: the verb of the summary: `cut`.
    [[nodiscard]] JobOptions job_options(std::string_view done) const { return {outputs, json, done}; }

private:
    void name_output();
    [[nodiscard]] std::filesystem::path output_name(const std::filesystem::path& input) const;
};

/// The traits of the container of an output.
[[nodiscard]] ContainerTraits output_container(const std::filesystem::path& output, const WriteOptions& options);

/// The origin of the parts of a name that messages do not state:
/// `timestamp from the modification time, Protobuf version assumed`.
[[nodiscard]] std::string sources_of(const NameByContent& name);

/// Writes all frames of `edit` to the output of the job, in the encoding of its extension or else of the frames. Throws
/// Error; mismatch, with nothing written, if there is no frame and the request does not allow that.
[[nodiscard]] FileOutcome write_edit(FrameSource& edit, const FileJob& job, const EditRequest& request,
                                     Messages& messages, std::stop_token stop);

/// Plans the request and runs its jobs as run_jobs() does. `run_one` gets the options of the inputs with the stop of
/// the job. `done`: the verb of the summary.
[[nodiscard]] ExitCode run_edits(
    EditRequest& request, std::string_view done, Messages& messages,
    const std::function<FileOutcome(const OpenOptions& open, const FileJob& job)>& run_one);

}  // namespace ositrace::app
