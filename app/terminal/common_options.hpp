// SPDX-License-Identifier: MPL-2.0
// The options that mean the same in every verb of every program.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/profile.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/command.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

[[nodiscard]] inline Error invalid_usage(const std::string& reason) { return {Cause::usage, reason}; }

/// What the user states about an input instead of recognising it: --type, --input-encoding, --layout, --schema,
/// --max-message.
class InputOptions {
public:
    /// `layout`: false for a verb with another meaning of --layout, which declares it itself.
    void declare(Options& options, bool encoding = true, bool layout = true);
    /// --map-deviation, for a verb that writes the points of a map.
    void declare_map_deviation(Options& options);
    /// Reads the file of --schema.
    [[nodiscard]] OpenOptions open_options() const;
    /// Also prints warnings about the input.
    [[nodiscard]] OpenOptions open_options(Messages& messages) const;

    std::optional<MessageType> type;
    std::optional<Encoding> encoding;
    std::optional<Layout> layout;
    std::optional<std::filesystem::path> schema_file;
    std::size_t max_message_bytes = default_max_message_bytes;
    double map_deviation = default_map_deviation;
};

/// --time and --time-tolerance.
class TimeOptions {
public:
    /// `what`: what the range selects, for the help: `frames`, `play`.
    void declare(Options& options, const std::string& what);
    [[nodiscard]] bool is_given() const noexcept { return range_ || tolerance_; }
    /// Throws Error (usage) for a tolerance alone.
    [[nodiscard]] std::optional<TimeRange> range() const;

private:
    std::optional<TimeRange> range_;
    std::optional<TimeTolerance> tolerance_;
};

/// For a range that needs_all() and an input without an end yet: `standard input`, `a stream`.
[[nodiscard]] Error needs_a_file(const TimeRange& range, std::string_view input);

/// The selected part of a trace: --time, --frames, --topic.
struct SelectionOptions {
    void declare(Options& options);

    TimeOptions time;
    std::optional<FrameRange> frames;
    std::optional<TopicPattern> topic;
};

/// Where the outputs of many inputs go: --out-dir, --resume.
struct OutputDirectoryOptions {
    void declare(Options& options);

    std::optional<std::filesystem::path> directory;
    bool resume = false;
};

void declare_type(Options& options, std::optional<MessageType>& to, std::string help);
/// Any type; the codes are added to the help.
void declare_input_type(Options& options, std::optional<MessageType>& to, const std::string& help);
void declare_max_message(Options& options, std::size_t& to);
void declare_layout(Options& options, std::optional<Layout>& to, std::string help);
void declare_profile(Options& options, Profile& to, std::string help);
void declare_threads(Options& options, unsigned& to);
void declare_overwrite(Options& options, bool& to);
void declare_json(Options& options, bool& to, std::string help);

/// The container to write: --to, --compression, --level, --chunk-size.
void declare_container(Options& options, WriteOptions& to);
/// The compressions of MCAP chunks.
[[nodiscard]] const std::vector<std::string>& chunk_compressions();
/// Throws Error (usage) with the known ones.
[[nodiscard]] std::string parse_chunk_compression(const std::string& name);
/// Throws Error (usage) if these options do not apply to the output, or contradict its name.
void check_container(const std::filesystem::path& output, const WriteOptions& options);

/// The traces in a folder and its subfolders, by name, without those in the folder `but_not`; a file is itself. Names
/// that begin with `_` or `.` and tables of catalogs are passed over, links are followed, and a file is there once.
/// Links that lead nowhere and folders that cannot be read are among them, so that an error says why. Throws Error (io)
/// if there is none.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& word,
                                                           const std::filesystem::path& but_not = {});
/// The same for every word.
[[nodiscard]] std::vector<std::string> with_folders(const std::vector<std::string>& words,
                                                    const std::filesystem::path& but_not = {});

/// Throws Error (usage) if a trace would be written to a terminal, or to standard output together with what
/// `printing_option` prints (`--json`; empty: none is given).
void check_trace_output(const std::filesystem::path& file, std::string_view printing_option);

/// Throws Error (usage) if several inputs are `-`.
void check_one_standard_input(const std::vector<std::string>& words);

/// Throw Error (usage) with the known names.
[[nodiscard]] MessageType parse_type(const std::string& code);
[[nodiscard]] Encoding parse_encoding(const std::string& name);
/// The names that it knows.
[[nodiscard]] std::vector<std::string> encoding_choices();
[[nodiscard]] Layout parse_layout(const std::string& name);

}  // namespace ositrace::app
