// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace::app {

/// What happens while a program runs, for a program that started it (the Python package): progress, messages and errors
/// with their places, each a JSON object whose last line is `}`. They are written to the file descriptor that the
/// environment variable OSITRACE_EVENTS names; without it nothing is. The variable is removed, and the descriptor is
/// not inherited by programs that this one starts. A reader that has gone is ignored.
class EventStream {
public:
    EventStream();
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;
    ~EventStream();

    [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
    void progress(std::string_view label, std::uint64_t frames, std::optional<std::uint64_t> bytes,
                  std::optional<double> done);
    /// `severity`: `error`, `warning`, `detail`.
    void line(std::string_view severity, std::string_view text);
    void failure(const Error& error);

private:
    void put(const std::string& event);

    int descriptor_;
};

}  // namespace ositrace::app
