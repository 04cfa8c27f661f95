// SPDX-License-Identifier: MPL-2.0
// The words that mean the same in every verb of every program.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/command.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// What is said about an input instead of recognising it: --type, --input-encoding, --layout, --schema, --max-message.
class InputOptions {
public:
    /// `layout`: a verb that gives --layout another meaning declares it itself.
    void declare(Options& options, bool encoding = true, bool layout = true);
    /// Reads the file of --schema.
    [[nodiscard]] OpenOptions open_options() const;
    /// What is wrong with an input and does not hinder its reading is told.
    [[nodiscard]] OpenOptions open_options(Messages& messages) const;

    std::optional<MessageType> type;
    std::optional<Encoding> encoding;
    std::optional<Layout> layout;
    std::optional<std::filesystem::path> schema_file;
    std::size_t max_message_bytes = default_max_message_bytes;
};

/// --time and --time-tolerance.
class TimeOptions {
public:
    /// `what`: what is done with the range, for the help: `frames`, `play`.
    void declare(Options& options, const std::string& what);
    [[nodiscard]] bool is_given() const noexcept { return range_ || tolerance_; }
    /// Throws Error (usage) for a tolerance alone.
    [[nodiscard]] std::optional<TimeRange> range() const;

private:
    std::optional<TimeRange> range_;
    std::optional<TimeTolerance> tolerance_;
};

/// For a range that needs_all() and an input that has no end yet: `standard input`, `a stream`.
[[nodiscard]] Error needs_a_file(const TimeRange& range, std::string_view input);

/// Which part of a trace is meant: --time, --frames, --topic.
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
void declare_layout(Options& options, std::optional<Layout>& to, std::string help);
void declare_threads(Options& options, unsigned& to);
void declare_overwrite(Options& options, bool& to);
void declare_json(Options& options, bool& to, std::string help);

/// The container that is written: --to, --compression, --level, --chunk-size.
void declare_container(Options& options, WriteOptions& to);
/// Throws Error (usage) when these mean nothing for the output, or contradict its name.
void check_container(const std::filesystem::path& output, const WriteOptions& options);

/// The traces in a folder and below, by name, without those in the folder `but_not`; a file is itself. Throws Error
/// (io) where there is none.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& word,
                                                           const std::filesystem::path& but_not = {});
/// The same of every word.
[[nodiscard]] std::vector<std::string> with_folders(const std::vector<std::string>& words,
                                                    const std::filesystem::path& but_not = {});

/// Throws Error (usage) when a trace on standard output would meet a terminal or the JSON that is wanted there.
void check_trace_output(const std::filesystem::path& file, bool json);

/// Throws Error (usage) when several of the inputs are `-`.
void check_one_standard_input(const std::vector<std::string>& words);

/// Throw Error (usage) naming what is known.
[[nodiscard]] MessageType parse_type(const std::string& code);
[[nodiscard]] Encoding parse_encoding(const std::string& name);
[[nodiscard]] Layout parse_layout(const std::string& name);

}  // namespace ositrace::app
