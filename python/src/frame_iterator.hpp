// SPDX-License-Identifier: MPL-2.0
// Frames of a trace one after another.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>

#include "python/src/frame_cursor.hpp"

namespace ositrace::python {

/// Reads some frames ahead each time the GIL is released, so that a small frame does not pay for that alone. One thread
/// at a time.
class FrameIterator {
public:
    explicit FrameIterator(FrameCursor cursor);
    FrameIterator(FrameIterator&&) = default;
    FrameIterator& operator=(FrameIterator&&) = delete;
    ~FrameIterator();

    /// nullopt at the end. Holds the GIL when called.
    [[nodiscard]] std::optional<FrameOfTrace> next();

private:
    void read_ahead();

    std::optional<FrameCursor> cursor_;
    std::deque<Frame> ahead_;
    std::size_t most_ahead_ = 1;
    std::exception_ptr failure_;  ///< after the frames ahead
    bool ended_ = false;
};

}  // namespace ositrace::python
