// SPDX-License-Identifier: MPL-2.0
// One frame of a trace in Python, and its channel.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include <ositrace/frame.hpp>

#include "python/src/message_class.hpp"

namespace ositrace::python {

/// A channel, with what its frames need when the trace is closed.
struct ChannelOfTrace {
    ChannelOfTrace(Channel of, std::filesystem::path trace);

    Channel channel;
    std::filesystem::path file;               ///< of the trace, as errors name it
    const MessageTable* root = nullptr;       ///< of `channel`, or in the Protobuf schema of a channel that is not OSI
    std::string unviewable;                   ///< why `root` is null
    std::unique_ptr<MessageClasses> classes;  ///< of the schema of `root`, else null. Needs the GIL

private:
    void read_own_schema();
};

struct FrameOfTrace {
    Frame frame;
    std::shared_ptr<const ChannelOfTrace> channel;
};

void register_frame(nanobind::module_& module);

}  // namespace ositrace::python
