// SPDX-License-Identifier: MPL-2.0
// An open trace, as the classes of ositrace/_trace.py use it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <ositrace/trace.hpp>

#include "python/src/frame.hpp"

namespace ositrace::python {

/// What was skipped in a damaged file, noted by the threads that read.
struct SkippedPlaces {
    std::mutex mutex;
    std::vector<std::string> texts;
};

/// The trace and its channels; shared by the Python object and the iterators over it.
struct OpenTrace {
    OpenTrace(std::shared_ptr<const Trace> opened, std::shared_ptr<SkippedPlaces> places);

    std::shared_ptr<const Trace> trace;
    std::vector<std::shared_ptr<const ChannelOfTrace>> channels;
    std::shared_ptr<SkippedPlaces> skipped;

    [[nodiscard]] FrameOfTrace with_channel(Frame frame) const { return {frame, channels[frame.channel]}; }
};

void register_trace(nanobind::module_& module);
void register_frame_iterator(nanobind::module_& module);

}  // namespace ositrace::python
