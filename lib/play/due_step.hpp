// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ositrace/timeline.hpp>

namespace ositrace {

/// A frame with the moment it is to be delivered at.
struct DueFrame {
    Frame frame;
    Moment moment;
    bool placed =
        true;  ///< false: of a live source of which no frame with a time has come; the moment means nothing then
    bool pause = false;  ///< no frame: those of the section go on, if at all, behind others that may be many. What is
                         ///< there can be played.
};

/// The frames of one moment, at most one of a channel; none: a pause.
struct DueStep {
    std::vector<Frame> frames;
    Moment moment;
    bool placed = true;                     ///< as of a DueFrame
    std::shared_ptr<const TraceInfo> info;  ///< of the source, as it was when the frames were read

    [[nodiscard]] std::size_t bytes() const noexcept
    {
        std::size_t sum = sizeof *this;
        for (const auto& frame : frames) sum += frame.bytes.size() + sizeof frame;
        return sum;
    }
};

}  // namespace ositrace
