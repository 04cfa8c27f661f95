// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/network_framing.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace {

namespace {

/// Initial memory for a payload before any of it has arrived; it doubles as bytes arrive.
constexpr std::size_t first_bytes = std::size_t{64} << 10;

}  // namespace

std::span<std::byte> MessageAssembly::wanted()
{
    if (prefix_bytes_ < prefix_.size()) return std::span(prefix_).subspan(prefix_bytes_);
    if (granted_ == payload_.size())
        granted_ = std::min(length(), std::max({first_bytes, 2 * granted_, memory_bytes_}));
    const auto count = granted_ - payload_.size();
    return {payload_.reserve_back(count), count};
}

bool MessageAssembly::filled(std::size_t count)
{
    if (prefix_bytes_ == prefix_.size()) {
        payload_.commit_back(count);
        return payload_.size() == length();
    }
    prefix_bytes_ += count;
    if (prefix_bytes_ < prefix_.size()) return false;
    if (length() > max_message_bytes_)
        throw Error(Cause::limit, {.offset = 0},
                    "length " + std::to_string(length()) + exceeds_limit(length(), max_message_bytes_));
    return length() == 0;
}

ByteBuffer MessageAssembly::take()
{
    prefix_bytes_ = 0;
    granted_ = 0;
    memory_bytes_ = 0;
    return std::exchange(payload_, {});
}

void MessageAssembly::reuse(ByteBuffer memory)
{
    payload_ = std::move(memory);
    payload_.clear();
    memory_bytes_ = payload_.capacity() - std::min(payload_.capacity(), ByteBuffer::headroom);
}

std::string MessageAssembly::cut_off() const
{
    if (prefix_bytes_ == 0) return {};
    if (prefix_bytes_ < prefix_.size()) return std::to_string(prefix_bytes_) + " of 4 bytes of the length";
    return std::to_string(payload_.size()) + " of " + std::to_string(length()) + " bytes";
}

}  // namespace ositrace
