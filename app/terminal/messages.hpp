// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

#include "lib/system/file.hpp"

namespace ositrace::app {

/// What happens while a program runs, for a program that started it (the Python package): progress, messages and errors
/// with their places, each a JSON object whose last line is `}`. They are written to the file descriptor that the
/// environment variable OSITRACE_EVENTS names; without it nothing is. The variable is removed, and the descriptor is
/// not inherited by programs that this one starts. A reader that has gone is ignored.
class EventStream {
public:
    EventStream();

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(output_); }
    void progress(std::string_view label, std::uint64_t frames, std::optional<std::uint64_t> bytes,
                  std::optional<double> done);
    /// `severity`: `error`, `warning`, `detail`.
    void line(std::string_view severity, std::string_view text);
    void failure(const Error& error);

private:
    void put(const std::string& event);

    FileHandle output_;  ///< none: nobody reads events
};

/// Everything a program prints besides its results: lines on standard error, and one progress line on a terminal. The
/// same goes to the EventStream. Thread-safe.
class Messages {
public:
    explicit Messages(std::string_view program);

    bool quiet = false;        ///< only errors, and the reason for an exit code other than 0
    bool verbose = false;      ///< also details
    std::string_view recover;  ///< the verb that failure() suggests; empty: none

    void error(std::string_view text);
    void error(const Error& error);  ///< why a file or the program failed
    /// The same of an input: if it is damage in a file that `recover` can read, a second line suggests that.
    void failure(const Error& error);
    void warning(std::string_view text);  ///< unless quiet
    void detail(std::string_view text);   ///< only when verbose

    struct Progress {
        std::string label;
        std::uint64_t frames = 0;
        std::optional<std::uint64_t> bytes;
        std::optional<double> done;  ///< 0 to 1, if the end is known
        std::chrono::duration<double> elapsed{};
    };
    /// Redraws the progress line, a few times a second at most; does nothing unless somebody sees it.
    void progress(const Progress& progress);
    /// Redraws the line with another text at once; does nothing where it is not shown.
    void status(std::string_view text);
    [[nodiscard]] bool shows_status() const noexcept { return terminal_ && !quiet; }
    /// Removes the progress line.
    void clear_progress();

private:
    void print_line(std::string_view severity, std::string_view text);
    void print_shown(std::string_view text);
    void wipe();

    std::string program_;
    EventStream events_;
    bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_drawn_ =
        std::chrono::steady_clock::now();  // so that short work draws nothing
    std::mutex mutex_;
};

/// `run.osi: 1523 frames, 812 MB/s, 41 %, 3 s left`
[[nodiscard]] std::string to_string(const Messages::Progress& progress);

}  // namespace ositrace::app
