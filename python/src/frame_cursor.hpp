// SPDX-License-Identifier: MPL-2.0
// Some frames of an open trace, one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "python/src/trace.hpp"

namespace ositrace::python {

/// Numbers of frames of one channel: `start`, `start + step`, ...
struct FrameNumbers {
    std::uint32_t channel = 0;
    std::uint64_t start = 0;
    std::uint64_t count = 0;
    std::int64_t step = 1;
};

/// One thread at a time. Is read and destroyed without the GIL, because a reader may wait for threads of its own, and
/// these for the GIL, to read from a file object.
class FrameCursor {
public:
    /// All frames of these channels, in the order of the container.
    FrameCursor(std::shared_ptr<const OpenTrace> trace, const std::vector<std::uint32_t>& channels);
    FrameCursor(std::shared_ptr<const OpenTrace> trace, FrameNumbers numbers);

    /// The next frame; false at the end.
    bool read(Frame& frame);
    [[nodiscard]] const OpenTrace& trace() const noexcept { return *trace_; }

private:
    bool read_numbered(Frame& frame);

    std::shared_ptr<const OpenTrace> trace_;
    std::vector<bool> wanted_;  ///< by channel
    std::unique_ptr<TraceReader> reader_;
    std::optional<FrameNumbers> numbers_;
    bool reads_on_ = false;  ///< in a file of several channels a reader would read the others, too
};

}  // namespace ositrace::python
