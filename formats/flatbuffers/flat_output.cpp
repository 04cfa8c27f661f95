// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/flat_output.hpp"

#include <string>

#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace {

void FlatOutput::start(ByteBuffer& out, std::size_t expected_bytes, std::size_t max_bytes)
{
    out.clear(std::min(expected_bytes, max_bytes));
    out_ = &out;
    base_ = out.data();
    size_ = 0;
    vtables_ = 0;
    max_bytes_ = max_bytes;
    capacity_ = std::min(out.capacity() - ByteBuffer::headroom, max_bytes);
}

bool FlatOutput::grow(std::size_t count)
{
    if (count > left()) return false;
    out_->resize(size_);
    out_->reserve_back(std::min(std::max(count, size_), left()));
    base_ = out_->data();
    capacity_ = std::min(out_->capacity() - static_cast<std::size_t>(ByteBuffer::headroom), max_bytes_);
    return true;
}

void FlatOutput::refuse() const { throw Error(Cause::limit, "the FlatBuffers form" + exceeds_limit(max_bytes_)); }

void FlatOutput::refuse_vtable()
{
    throw Error(Cause::limit, "the number of different combinations of fields in a message" + exceeds(max_vtables));
}

void FlatOutput::finish() { out_->resize(size_); }

}  // namespace ositrace
