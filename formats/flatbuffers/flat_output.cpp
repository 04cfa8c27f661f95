// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/flat_output.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

void FlatOutput::start(ByteBuffer& out, std::size_t expected_bytes, std::size_t max_bytes)
{
    out.clear(std::min(expected_bytes, max_bytes));
    out_ = &out;
    base_ = out.data();
    size_ = 0;
    max_bytes_ = max_bytes;
    capacity_ = std::min(out.capacity() - ByteBuffer::headroom, max_bytes);
}

void FlatOutput::grow(std::size_t count)
{
    if (count > max_bytes_ - size_)
        throw Error(Cause::limit, "the FlatBuffers form exceeds the limit of " + std::to_string(max_bytes_) + " bytes");
    out_->resize(size_);
    out_->reserve_back(std::min(std::max(count, size_), max_bytes_ - size_));
    base_ = out_->data();
    capacity_ = std::min(out_->capacity() - static_cast<std::size_t>(ByteBuffer::headroom), max_bytes_);
}

void FlatOutput::finish() { out_->resize(size_); }

}  // namespace ositrace
