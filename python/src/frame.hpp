// SPDX-License-Identifier: MPL-2.0
// One frame of a trace in Python, and its channel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "python/src/message_class.hpp"

namespace ositrace::python {

/// A channel, with what its frames need when the trace is closed.
struct ChannelOfTrace {
    ChannelOfTrace(Channel of, std::filesystem::path file_name);
    /// Channel `number` of a trace.
    ChannelOfTrace(const std::shared_ptr<const Trace>& of, std::uint32_t number);

    Channel channel;
    std::filesystem::path file;               ///< of the trace, as errors name it
    const MessageTable* root = nullptr;       ///< of `channel`, or in the Protobuf schema of a channel that is not OSI
    std::string unviewable;                   ///< why `root` is null
    std::unique_ptr<MessageClasses> classes;  ///< of the schema of `root`, else null. Needs the GIL

    /// Throws unviewable_error() where the messages cannot be viewed.
    [[nodiscard]] const MessageTable& viewable_root() const;
    [[nodiscard]] Error unviewable_error() const;
    /// For an output: with the OSI version of the first frame, where the channel states none. A trace may send it only
    /// once. Unchanged when the trace is closed.
    [[nodiscard]] Channel with_osi_version() const;
    /// Throws Error where a FlatBuffer says that it is something else than the channel's messages.
    void check_claimed_type(Bytes payload) const;
    /// The error with file, frame, byte and path: that of the first damage in the payload, which is what a conversion
    /// reports, or where that reports none the error itself.
    [[nodiscard]] Error first_damage(const Frame& frame, const Error& error) const;

private:
    void read_own_schema();
    /// As a conversion does. Throws Error.
    void read_all(Bytes payload) const;

    std::weak_ptr<const Trace> trace_;
    std::uint32_t number_ = 0;
};

struct FrameOfTrace {
    Frame frame;
    std::shared_ptr<const ChannelOfTrace> channel;
    bool is_completed = false;  ///< with static data that the file has in earlier frames
};

}  // namespace ositrace::python
