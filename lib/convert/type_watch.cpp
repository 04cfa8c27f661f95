// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/type_watch.hpp"

#include "lib/trace/other_type.hpp"

namespace ositrace {

void TypeWatch::look_into(const Frame& frame, const Channel& channel)
{
    const auto other = other_type_of(frame.bytes, channel);
    if (!other) return;
    const auto topic = channel.topic.empty() ? std::string() : "a message of '" + channel.topic + "' ";
    found_ = Error(Cause::mismatch, {.file = file_, .frame = frame.index, .offset = frame.offset, .field = {}},
                   topic + *other);
}

}  // namespace ositrace
