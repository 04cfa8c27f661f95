// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <cstdio>

#include "lib/system/terminal.hpp"

namespace ositrace::gui {

/// On a terminal: `frame 12 of 300`, `frame 12`; removed at the end.
class ProgressLine {
public:
    /// `count`: 0 if it is not known.
    explicit ProgressLine(std::uint64_t count) : count_(count), is_shown_(is_terminal(StandardStream::error)) {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine()
    {
        if (is_shown_) std::fputs("\r\033[K", stderr);
    }
    void show(std::uint64_t frames) const
    {
        if (!is_shown_) return;
        std::fprintf(stderr, "\rframe %llu", static_cast<unsigned long long>(frames));
        if (count_ > 0) std::fprintf(stderr, " of %llu", static_cast<unsigned long long>(count_));
    }

private:
    std::uint64_t count_;
    bool is_shown_;
};

}  // namespace ositrace::gui
