// SPDX-License-Identifier: MPL-2.0
// What `--sink` may name. A new kind is one row in sink_kinds.cpp; a kind with more to it than a line has a file of its
// own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/frame_sink.hpp>
#include <ositrace/sensor_model.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/loss.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// An option that belongs to the sink before it: `--set NAME=VALUE`.
struct SinkOption {
    std::string name;   ///< with its dashes, `--set`
    std::string value;  ///< empty for a flag
};

/// `FILE?name=left&held`: a file, and words after the last `?`.
struct SinkFile {
    std::filesystem::path file;
    std::map<std::string, std::string> words;  ///< `held`: without a value
};

/// A `--sink` as it was typed, and what follows it.
struct SinkRequest {
    std::string text;                 ///< the whole word, `fmu:MODEL.fmu`
    std::string rest;                 ///< behind the prefix, `MODEL.fmu`
    SinkFile file;                    ///< `rest` in its parts
    std::vector<SinkOption> options;  ///< in the order of the command line; only such as the kind knows
};

/// Frames that a network lost, as far as it can be seen, damaged ones, and what recordings had no place for.
struct Losses {
    std::uint64_t not_delivered = 0;  ///< by sinks
    std::uint64_t not_received = 0;   ///< messages in front of a frame of a live trace
    Loss damage;                      ///< frames of the trace that were left out (--skip-bad-frames)
    bool not_recorded = false;        ///< fields, metadata, the order of frames ... of what a recording was given
};

/// Reports and counts a damaged frame once, however often it is met: by an index, in every round of a loop. Any thread.
class DamageReport {
public:
    DamageReport(Loss& damage, Messages& messages) : damage_(damage), messages_(messages) {}
    void add(const SkippedBytes& skipped)
    {
        const std::lock_guard lock(mutex_);
        if (known_.emplace(skipped.frame, skipped.offset).second) damage_.add(skipped, messages_);
    }

private:
    Loss& damage_;
    Messages& messages_;
    std::mutex mutex_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> known_;
};

/// What makers may use; it outlives what they make.
struct SinkSurroundings {
    Messages& messages;
    Losses& losses;  ///< sinks add theirs when they finish
    DamageReport& damage;
    WriteOptions write;    ///< of recordings: --overwrite, and the files that must not be the output
    bool models = false;   ///< there are some: a recording keeps what they return
    std::stop_token stop;  ///< Ctrl-C
};

/// What became of a request: a sink or a model.
struct MadeSink {
    std::unique_ptr<FrameSink> sink;
    std::unique_ptr<SensorModel> model;
    std::string name = {};                 ///< of a model
    std::vector<std::string> topics = {};  ///< of a model: those that --connect names
};

enum class SinkRole : std::uint8_t {
    player,  ///< takes the frames that are played, at any rate: null
    live,    ///< takes the frames that are played, at rate 1 where no other is asked for: sockets
    model,   ///< is stepped with them
    record,  ///< takes what the models return; without any model what is played
};

struct SinkKind {
    std::string_view prefix;  ///< `fmu:`; or the whole word where nothing follows
    std::string_view form;    ///< for the help, `fmu:MODEL.fmu`
    SinkRole role;
    std::span<const std::string_view> options;  ///< those that it knows, `--set`
    std::span<const std::string_view> words;    ///< of its file, `name`
    MadeSink (*make)(const SinkRequest&,
                     const SinkSurroundings&);  ///< throws Error; an Error (usage) for a word that cannot be meant
};

[[nodiscard]] std::span<const SinkKind> sink_kinds();
/// The kind that a word means. Throws Error (usage) naming the known ones.
[[nodiscard]] const SinkKind& sink_kind_of(std::string_view word);
/// Removes temporary files of what was made, for a program that is about to end without destructors. Any thread.
void remove_temporary_files() noexcept;
/// What follows the ? belongs to the file's name where such a file is there, or where it has a dot or a slash in front
/// of any `=`, as in `what?.mcap`. Else throws Error (usage) for a word that is not known.
[[nodiscard]] SinkFile split_sink_file(const std::string& rest, std::span<const std::string_view> known);
/// `null | record:FILE[?inputs&held] | ...`
[[nodiscard]] std::string sink_forms(std::string_view between);
/// Which kinds know an option, for messages; throws Error (usage) when `kind` is not one of them.
void check_sink_option(const SinkKind& kind, const SinkOption& option);

}  // namespace ositrace::app
