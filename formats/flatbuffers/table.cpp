// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/table.hpp"

#include <string>

#include <ositrace/transcoder.hpp>

namespace ositrace::flat {

void fail(std::uint64_t position, const char* what)
{
    throw Error(Cause::malformed, {.file = {}, .frame = {}, .offset = position, .field = {}}, what);
}

Buffer::Buffer(Bytes bytes) : data_(bytes.data()), size_(static_cast<std::uint32_t>(bytes.size()))
{
    if (bytes.size() > max_encodable_bytes)
        throw Error(Cause::limit, "a FlatBuffer of " + std::to_string(bytes.size()) + " bytes, and the format ends at 2147483647");
}

}  // namespace ositrace::flat
