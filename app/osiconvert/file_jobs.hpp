// SPDX-License-Identifier: MPL-2.0
// Verbs that write one file from one or several inputs, or with --out-dir a file for each input.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/edit/fields.hpp>
#include <ositrace/edit/omega_prime.hpp>
#include <ositrace/edit/resample.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/loss.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// The inputs of one output; `-` is standard input or output.
struct FileJob {
    std::vector<std::filesystem::path> inputs;  ///< at least one
    std::filesystem::path output;

    [[nodiscard]] const std::filesystem::path& input() const { return inputs.front(); }
};

/// For --resume: the output exists and is not older than the inputs. Outputs appear only when complete.
[[nodiscard]] bool is_complete(const FileJob& job);

struct FileOutcome {
    FileJob job;
    enum class State : std::uint8_t { done, already_complete, different, failed } state = State::done;
    std::vector<Channel> channels;                 ///< written
    std::vector<VersionChannel> version_channels;  ///< in addition
    ConvertResult result;
    std::uint64_t bytes_in = 0;  ///< of the files, compressed if they are
    std::uint64_t bytes_out = 0;
    Loss loss;
    std::optional<OmegaPrimeResult> profile;  ///< of --profile
    std::optional<FieldEditCounts> edits;     ///< of the verb edit
    std::optional<ResampleCounts> resampled;  ///< of the verb resample
    std::chrono::duration<double> seconds{};
    std::string error;  ///< if failed or different

    /// What the output lacks, as text; empty if nothing is lost.
    [[nodiscard]] std::string loss_text() const { return loss.text(result); }
};

/// The folder for outputs. Created with its parents if missing; those that were created and are still empty are removed
/// at the end.
class OutputFolder {
public:
    /// Throws Error (io).
    explicit OutputFolder(const std::filesystem::path& folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::vector<std::filesystem::path> created_;  ///< the innermost first
};

struct JobOptions {
    OutputDirectoryOptions outputs;
    bool json = false;
    std::string_view done;  ///< the verb of the summary: `converted`
};

/// `run.osi.gz` and `.osifb` -> `run.osifb`; a name without the extension of a trace is kept and extended.
[[nodiscard]] std::string with_extension(const std::filesystem::path& file, std::string_view extension);

/// Every word is an input or a folder of inputs; `name` returns the name of the output in the folder of --out-dir.
/// Throws Error (usage) if two outputs would have the same name.
[[nodiscard]] std::vector<FileJob> plan_jobs(
    const std::vector<std::string>& words, const JobOptions& options,
    const std::function<std::filesystem::path(const std::filesystem::path& input)>& name);

/// Runs the jobs in order, prints the results and returns the exit code. One failing job does not stop the others. An
/// Error `cancelled` from `run` ends all jobs, and so does `usage` without --out-dir. Creates the folder of --out-dir.
[[nodiscard]] ExitCode run_jobs(const std::vector<FileJob>& jobs, const JobOptions& options, Messages& messages,
                                const std::function<FileOutcome(const FileJob&, std::stop_token)>& run);

/// The results for people: a line per file, and one for all (`3 files converted`; `done`: the verb).
[[nodiscard]] std::string line_of(const FileOutcome& outcome);
[[nodiscard]] std::string summary_of(const std::vector<FileOutcome>& outcomes, std::string_view done);
/// The results for scripts.
[[nodiscard]] std::string json_of(const std::vector<FileOutcome>& outcomes);

/// The progress line of a conversion.
[[nodiscard]] Messages::Progress progress_of(std::string label, const ConvertProgress& progress,
                                             std::chrono::steady_clock::time_point started);

}  // namespace ositrace::app
