// SPDX-License-Identifier: MPL-2.0
// Some frames of an open trace, one after another, for C++ (FrameCursor) and for Python (FrameIterator).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/trace_selection.hpp>

#include "python/src/trace.hpp"

namespace ositrace::python {

/// Numbers of frames of one channel: `start`, `start + step`, ...
struct FrameNumbers {
    std::uint32_t channel = 0;
    std::uint64_t start = 0;
    std::uint64_t count = 0;
    std::int64_t step = 1;
    TimeSpan time{};  ///< by which they were found: see TimeSearch
};

/// A TimeSpan as Python has it, in nanoseconds.
using Span = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;
inline TimeSpan time_span(const Span& span)
{
    const auto bound = [](std::optional<std::int64_t> ns) {
        return ns ? std::optional(Nanoseconds(*ns)) : std::nullopt;
    };
    return {bound(span.first), bound(span.second)};
}

/// One thread at a time. Is read and destroyed without the GIL, because a reader may wait for threads of its own, and
/// these for the GIL, to read from a file object.
class FrameCursor {
public:
    /// All frames of these channels, in the order of the container.
    FrameCursor(std::shared_ptr<const OpenTrace> trace, const std::vector<std::uint32_t>& channels);
    /// Those with these numbers.
    FrameCursor(std::shared_ptr<const OpenTrace> trace, std::vector<FrameNumbers> numbers);

    /// The next frame; false at the end.
    bool read(Frame& frame);
    [[nodiscard]] const OpenTrace& trace() const noexcept { return *trace_; }

private:
    bool read_numbered(FrameNumbers& numbers, Frame& frame);

    std::shared_ptr<const OpenTrace> trace_;
    std::vector<bool> wanted_;  ///< by channel
    std::unique_ptr<TraceReader> reader_;
    std::optional<std::vector<FrameNumbers>> numbers_;
    std::size_t at_ = 0;  ///< in `numbers_`
};

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
