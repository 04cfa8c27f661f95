// SPDX-License-Identifier: MPL-2.0
// One frame of a trace in Python, and its channel.
#pragma once

#include <filesystem>
#include <memory>

#include <nanobind/nanobind.h>

#include <ositrace/frame.hpp>

namespace ositrace::python {

/// A channel, with what its frames need when the trace is closed.
struct ChannelOfTrace {
    Channel channel;
    std::filesystem::path file;  ///< of the trace, as errors name it
};

struct FrameOfTrace {
    Frame frame;
    std::shared_ptr<const ChannelOfTrace> channel;
};

void register_frame(nanobind::module_& module);

}  // namespace ositrace::python
