// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <google/protobuf/arena.h>

#include <ositrace/byte_buffer.hpp>

#include <osi3/osi_common.pb.h>

#include "app/bench/dummy/opponents.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/messages/geometry.hpp"

namespace ositrace::bench {

inline void set(osi3::Vector3d& to, const scene::Vector& from)
{
    to.set_x(from.x);
    to.set_y(from.y);
    to.set_z(from.z);
}
inline void set(osi3::Orientation3d& to, const scene::Orientation& from)
{
    to.set_roll(from.roll);
    to.set_pitch(from.pitch);
    to.set_yaw(from.yaw);
}
inline void set(osi3::Timestamp& to, Nanoseconds time)
{
    const auto stamp = dummy::timestamp_of(time);
    to.set_seconds(stamp.seconds);
    to.set_nanos(stamp.nanos);
}

/// A message of each step.
template <class Message>
class StepMessage {
public:
    explicit StepMessage(ProtobufMemory memory) : memory_(memory) {}

    /// An empty message; the previous one is destroyed.
    Message& next()
    {
        if (memory_ == ProtobufMemory::arena) {
            arena_.Reset();
            return *(message_ = google::protobuf::Arena::CreateMessage<Message>(&arena_));
        }
        if (memory_ == ProtobufMemory::fresh || !owned_)
            owned_ = std::make_unique<Message>();
        else
            owned_->Clear();
        return *(message_ = owned_.get());
    }
    Message& operator*() noexcept { return *message_; }
    Message* operator->() noexcept { return message_; }

private:
    ProtobufMemory memory_;
    google::protobuf::Arena arena_;
    std::unique_ptr<Message> owned_;
    Message* message_ = nullptr;
};

template <class Message>
void serialize_message(const Message& message, ByteBuffer& out)
{
    const auto size = message.ByteSizeLong();
    out.clear(size);
    message.SerializeToArray(out.reserve_back(size), static_cast<int>(size));
    out.commit_back(size);
}

}  // namespace ositrace::bench
