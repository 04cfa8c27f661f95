// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/network_address.hpp>
#include <ositrace/player.hpp>

#include "app/osiplay/sink_kinds.hpp"
#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::app {

/// The limits of --fail-on: `lost`, `late=5ms`.
struct PlayLimits {
    bool lost = false;
    std::optional<Nanoseconds> late;
};

/// The command line of `osiplay TRACE`.
struct PlayRequest {
    void declare(Options& options);
    /// Throws Error (usage) for options that exclude each other.
    void check() const;
    /// Throws Error (exists) as the outputs would when the first frame comes: of a stream that may be much later.
    void refuse_existing_outputs() const;
    /// The rate of --rate; else 1 with a live sink, and without one as fast as the sinks process the frames (empty).
    [[nodiscard]] std::optional<double> rate() const;
    [[nodiscard]] std::filesystem::path trace() const { return words.front(); }
    /// The files that are read: the trace and the models.
    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
    /// The files that are written: recordings, scalar outputs and the log.
    [[nodiscard]] std::vector<std::filesystem::path> outputs() const;
    [[nodiscard]] bool has_models() const;
    [[nodiscard]] bool has_models_in_process() const;
    /// TRACE is a network address.
    [[nodiscard]] bool is_live() const { return is_network_address(words.front()); }
    /// The trace is not seekable: standard input, a pipe, a growing file, a network address.
    [[nodiscard]] bool is_stream() const;
    /// A stream that may not end: not a complete file that is read as a stream.
    [[nodiscard]] bool is_unbounded() const;
    /// Only a stop or the writer of the stream ends the replay.
    [[nodiscard]] bool is_endless() const { return iterations == 0 || is_stream(); }

    std::vector<std::string> words;
    InputOptions input;
    std::vector<RequestedSink> sinks;
    bool rate_is_given = false;
    std::optional<double> given_rate;  ///< empty: `max`
    bool drop_late = false;
    PlayLimits limits;
    std::optional<Nanoseconds> step_size;
    std::optional<Nanoseconds> start_time;
    TimeOptions time;
    std::optional<TopicPattern> topic;
    std::uint64_t iterations = 1;
    std::filesystem::path map;  ///< empty: none
    bool carry_static = true;
    bool pause = false;
    bool follow = false;
    bool skip_bad_frames = false;
    bool overwrite = false;
    std::optional<std::filesystem::path> log;
    bool report = false;
    bool json = false;

private:
    void declare_sinks(Options& options);
    void add_sink(const std::string& word);
    void add_sink_option(const std::string& name, const std::string& value);
};

}  // namespace ositrace::app
