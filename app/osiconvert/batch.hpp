// SPDX-License-Identifier: MPL-2.0
// Verbs that make one file from one file or from several, and many from many with --out-dir.
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
#include <ositrace/trace_writer.hpp>

#include "app/terminal/common_options.hpp"
#include "app/terminal/exit_code.hpp"
#include "app/terminal/loss.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// What becomes one output; `-` is standard input or output.
struct FileJob {
    std::vector<std::filesystem::path> inputs;  ///< one at least
    std::filesystem::path output;

    [[nodiscard]] const std::filesystem::path& input() const { return inputs.front(); }
};

/// For --resume: the output is there and not older than the inputs; outputs appear only when complete. One that is
/// older is replaced.
[[nodiscard]] bool is_complete(const FileJob& job);

struct FileOutcome {
    FileJob job;
    enum class State : std::uint8_t { done, already_complete, different, failed } state = State::done;
    std::vector<Channel> channels;                 ///< written
    std::vector<VersionChannel> version_channels;  ///< beside them
    ConvertResult result;
    std::uint64_t bytes_in = 0;  ///< of the files, compressed where they are
    std::uint64_t bytes_out = 0;
    Loss loss;
    std::chrono::duration<double> seconds{};
    std::string error;  ///< when failed or different

    /// What of the input is not in the output, in words; empty when everything is.
    [[nodiscard]] std::string loss_text() const { return loss.text(result); }
};

/// The folder for outputs: made where it is absent, and taken away again, with those it stands in, where nothing was
/// put into it.
class OutputFolder {
public:
    /// Throws Error (io).
    explicit OutputFolder(const std::filesystem::path& folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::vector<std::filesystem::path> made_;  ///< the innermost first
};

struct BatchOptions {
    OutputDirectoryOptions outputs;
    bool json = false;
    std::string_view done;  ///< what was done to the files, for the summary: `converted`
};

/// `run.osi.gz` and `.osifb` -> `run.osifb`; a name without an extension of traces keeps all it has.
[[nodiscard]] std::string with_extension(const std::filesystem::path& file, std::string_view extension);

/// Every word is an input or a folder of inputs; `name` says what the output of one is called in the directory of
/// --out-dir. Throws Error (usage) when two outputs would have one name.
[[nodiscard]] std::vector<FileJob> plan_batch(
    const std::vector<std::string>& words, const BatchOptions& options,
    const std::function<std::filesystem::path(const std::filesystem::path& input)>& name);

/// Runs job after job, prints the results, and says with what the program ends. One bad file does not stop the others.
/// `run` throws Error; `cancelled` ends the batch, `usage` does without --out-dir. Makes the directory of --out-dir.
[[nodiscard]] ExitCode run_batch(const std::vector<FileJob>& jobs, const BatchOptions& options, Messages& messages,
                                 const std::function<FileOutcome(const FileJob&, std::stop_token)>& run);

/// The result for people, a line per file and one for all (`3 files converted`: `done`), and for scripts.
[[nodiscard]] std::string line_of(const FileOutcome& outcome);
[[nodiscard]] std::string summary_of(const std::vector<FileOutcome>& outcomes, std::string_view done);
[[nodiscard]] std::string json_of(const std::vector<FileOutcome>& outcomes);

/// The progress line of a conversion.
[[nodiscard]] Messages::Progress progress_of(std::string label, const ConvertProgress& progress,
                                             std::chrono::steady_clock::time_point started);

}  // namespace ositrace::app
