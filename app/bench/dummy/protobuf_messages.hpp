// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <google/protobuf/arena.h>

#include <ositrace/byte_buffer.hpp>

#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench {

/// A message of each step.
template <class Message>
class StepMessage {
public:
    explicit StepMessage(ProtobufMemory memory) : memory_(memory) {}

    /// An empty one; the one before is gone.
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
