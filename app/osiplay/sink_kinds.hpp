// SPDX-License-Identifier: MPL-2.0
// The kinds of --sink. A new kind is one row in sink_kinds.cpp; its code has a file of its own, except a few lines.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/frame_sink.hpp>
#include <ositrace/model_sink.hpp>
#include <ositrace/sensor_model.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/common_options.hpp"
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

/// A `--sink` as typed, with the options that follow it.
struct SinkRequest {
    std::string text;                 ///< the whole word, `fmu:MODEL.fmu`
    std::string rest;                 ///< after the prefix, `MODEL.fmu`
    SinkFile file;                    ///< the parts of `rest`
    std::vector<SinkOption> options;  ///< in the order of the command line; only options that the kind knows
    bool from_models = false;         ///< of a network sink, `?from=model`: it sends what the models return
};

/// Frames that a network lost, as far as that is known.
struct NetworkLoss {
    std::uint64_t frames = 0;
    bool at_least = false;
};

/// What a Foxglove server warned of.
struct ServerWarnings {
    std::uint64_t count = 0;
    std::optional<std::string> last;
};

/// Frames that a network lost, damaged frames, and losses of recordings.
struct Losses {
    NetworkLoss not_delivered;  ///< by sinks
    NetworkLoss not_received;   ///< messages of a live trace
    ServerWarnings server_warnings;
    bool cut_off = false;          ///< the live trace: nobody knows how many messages are missing
    Loss damage;                   ///< places of the trace that were skipped (--skip-bad-frames)
    std::uint64_t skipped = 0;     ///< how often, in all iterations
    std::uint64_t iterations = 1;  ///< that were begun
    bool not_recorded = false;     ///< a recording lacks fields, metadata or the order of frames
};

/// Reports a damaged place once, even if it is read again (by an index, in every iteration), and counts how often it
/// is skipped. Any thread.
class DamageReport {
public:
    DamageReport(Loss& damage, Messages& messages) : damage_(damage), messages_(messages) {}
    /// When the trace is opened, or a stream read: it is skipped in every iteration.
    void add(const SkippedBytes& skipped)
    {
        const std::lock_guard lock(mutex_);
        report(skipped);
        always_skipped_.emplace(skipped.frame, skipped.offset);
    }
    /// By the player, in one iteration.
    void add_played(const SkippedBytes& skipped)
    {
        const std::lock_guard lock(mutex_);
        report(skipped);
        if (!always_skipped_.contains({skipped.frame, skipped.offset})) ++skipped_;
    }
    /// In all iterations.
    [[nodiscard]] std::uint64_t skipped(std::uint64_t iterations)
    {
        const std::lock_guard lock(mutex_);
        return skipped_ + iterations * always_skipped_.size();
    }
    /// Before the trace is opened. Called with each damaged frame.
    void listen(std::function<void(const std::string&)> listener) { listeners_.push_back(std::move(listener)); }

private:
    using Place = std::pair<std::optional<std::uint64_t>, std::uint64_t>;

    void report(const SkippedBytes& skipped)
    {
        if (!known_.emplace(skipped.frame, skipped.offset).second) return;
        damage_.add(skipped, messages_);
        for (const auto& tell : listeners_) tell(skipped.error.what());
    }

    Loss& damage_;
    Messages& messages_;
    std::mutex mutex_;
    std::set<Place> known_, always_skipped_;
    std::uint64_t skipped_ = 0;  ///< other places, in all iterations
    std::vector<std::function<void(const std::string&)>> listeners_;
};

/// The context of a sink; it outlives the sink.
struct SinkContext {
    Messages& messages;
    Losses& losses;  ///< sinks add their losses when they finish
    DamageReport& damage;
    WriteOptions write;    ///< for recordings: --overwrite, and the files that must not be the output
    bool timed = false;    ///< frames come when they are due or arrive: what reads a recording expects them then
    bool models = false;   ///< there are models: a recording contains what they return
    std::stop_token stop;  ///< Ctrl-C
};

/// A sink or a model, created from a request.
struct CreatedSink {
    std::unique_ptr<FrameSink> sink;
    std::unique_ptr<SensorModel> model;
    std::string name = {};                 ///< of a model
    std::vector<std::string> topics = {};  ///< of a model: the topics of --connect
};

enum class SinkRole : std::uint8_t {
    player,  ///< receives the played frames at any rate: null
    live,    ///< receives the played frames, by default at rate 1: sockets
    model,   ///< is stepped with the played frames
    record,  ///< records what the models return; without a model what is played
};

struct SinkKind {
    std::string_view prefix;  ///< `fmu:`; or the whole word if nothing follows
    std::string_view form;    ///< for the help, `fmu:MODEL.fmu`
    SinkRole role;
    std::span<const std::string_view> options;  ///< known options, `--set`
    std::span<const std::string_view> words;    ///< known words after the `?`, `name`
    CreatedSink (*make)(const SinkRequest&,
                        const SinkContext&);  ///< throws Error; `usage` for an invalid word
};

[[nodiscard]] std::span<const SinkKind> sink_kinds();
/// The kind of a word. Throws Error (usage) with the known kinds.
[[nodiscard]] const SinkKind& sink_kind_of(std::string_view word);
/// Removes temporary files of sinks, for a program that ends without destructors. Any thread.
void remove_temporary_files() noexcept;
/// The text after the ? is part of the file name if such a file exists, or if it has a dot or a slash before any `=`,
/// as in `what?.mcap`. Otherwise throws Error (usage) for an unknown word.
[[nodiscard]] SinkFile split_sink_file(const std::string& rest, std::span<const std::string_view> known);
/// `null | record:FILE[?inputs&held&compression=none|lz4|zstd] | ...`
[[nodiscard]] std::string sink_forms(std::string_view between);
/// What a sink begins with: `null`, `record:` ...
[[nodiscard]] std::vector<std::string> sink_choices();
/// Throws Error (usage), with the kinds that know the option, if `kind` does not.
void check_sink_option(const SinkKind& kind, const SinkOption& option);

/// Functions of the rows, with the options and words that they know.
inline constexpr std::array<std::string_view, 4> fmu_options{"--set", "--connect", "--timeout", "--in-process"};
inline constexpr std::array<std::string_view, 2> fmu_words{"name", "outputs"};
[[nodiscard]] CreatedSink make_fmu(const SinkRequest& request, const SinkContext& context);
[[nodiscard]] CreatedSink make_network_sink(const SinkRequest& request, const SinkContext& context);
/// The stream of messages that arrive at a network address. Reports when it waits for the first message, and which
/// messages were lost. The context must outlive it.
[[nodiscard]] std::unique_ptr<FrameSource> open_network_source(const std::string& address, const InputOptions& input,
                                                               const SinkContext& context);
/// `inputs`: also what the models receive; `held`: what they hold, in every step; `compression=none|lz4|zstd`: of the
/// chunks of an MCAP.
inline constexpr std::array<std::string_view, 3> record_words{"inputs", "held", "compression"};
[[nodiscard]] CreatedSink make_recording(const SinkRequest& request, const SinkContext& context);

/// A `--sink` with its kind.
struct RequestedSink {
    const SinkKind* kind = nullptr;
    SinkRequest request;
};

/// The requested sinks: models return into recordings; without a model recordings contain what is played.
class SinkSet {
public:
    /// `trace`: for messages. Throws Error. The context must outlive it.
    SinkSet(const std::vector<RequestedSink>& requested, const std::filesystem::path& trace,
            const SinkContext& context);

    /// For the player: live sinks first, so that no other sink delays them.
    [[nodiscard]] std::span<FrameSink* const> sinks() const noexcept { return sinks_; }
    /// The models returned no message for a recording.
    [[nodiscard]] bool records_nothing_of_models() const noexcept
    {
        return models_ && records_ && models_->returned() == 0;
    }

private:
    std::vector<CreatedSink> created_;
    std::unique_ptr<ModelSink> models_;
    bool records_ = false;
    std::vector<FrameSink*> sinks_;
};

}  // namespace ositrace::app
