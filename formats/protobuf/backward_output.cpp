// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/backward_output.hpp"

#include <algorithm>
#include <string>

#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace {

void BackwardOutput::start(ByteBuffer& out, std::size_t expected_bytes, std::size_t max_bytes)
{
    out.clear_to_back(std::min(expected_bytes, max_bytes));
    out_ = &out;
    max_bytes_ = max_bytes;
    take(out.data());
}

void BackwardOutput::finish() { out_->commit_front(written() - out_->size()); }

void BackwardOutput::take(std::byte* front)
{
    at_ = front;
    end_ = front + out_->size();
    const auto room = out_->capacity() - out_->size() - ByteBuffer::headroom;  // nothing follows the contents
    floor_ = at_ - std::min(room, max_bytes_ - out_->size());
}

bool BackwardOutput::grow(std::size_t count)
{
    if (count > left()) return false;
    finish();
    take(out_->reserve_front(std::min(std::max(count, out_->size()), left()) + ByteBuffer::headroom));
    return true;
}

void BackwardOutput::refuse() const { throw Error(Cause::limit, "the Protobuf form" + exceeds_limit(max_bytes_)); }

}  // namespace ositrace
