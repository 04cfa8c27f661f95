// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/table.hpp"

#include <string>

#include <ositrace/limits.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/core/too_few_bytes.hpp"

namespace ositrace::flat {

void fail(std::uint64_t position, std::string_view what)
{
    throw Error(Cause::malformed, {.file = {}, .frame = {}, .offset = position, .field = {}}, what);
}

void fail(std::uint64_t position, std::string_view what, std::uint64_t found, std::string_view expected)
{
    fail(position, std::string(what) + ": found " + std::to_string(found) + ", expected " + std::string(expected));
}

void Buffer::fail_check(std::uint64_t position, std::uint64_t count, const char* what) const
{
    const auto left = position < size_ ? size_ - position : 0;
    fail(position, std::string(what) + ": it has " + too_few_bytes(count, left));
}

void Buffer::fail_offset(std::uint32_t position, std::uint32_t offset) const
{
    fail(position, "an offset leads outside of the buffer", offset, "1 to " + std::to_string(size_ - position));
}

Buffer::Buffer(Bytes bytes) : data_(bytes.data()), size_(static_cast<std::uint32_t>(bytes.size()))
{
    if (bytes.size() > max_encodable_bytes)
        throw Error(Cause::limit, "a FlatBuffer of " + std::to_string(bytes.size()) + " bytes" +
                                      exceeds(max_encodable_bytes, "bytes"));
}

}  // namespace ositrace::flat
