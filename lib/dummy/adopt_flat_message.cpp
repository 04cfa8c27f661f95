// SPDX-License-Identifier: MPL-2.0
#include <string>

#include <ositrace/error.hpp>

#include "formats/flatbuffers/table.hpp"
#include "lib/dummy/wire_sensor_data.hpp"

namespace ositrace::dummy {

void adopt_flat_message(ByteBuffer& buffer, const FieldRow& field, Layout layout, Bytes message)
{
    constexpr std::size_t alignment = 8;
    const auto start = (buffer.size() + alignment - 1) / alignment * alignment;
    if (message.size() > max_encodable_bytes - start)
        throw Error(Cause::limit, "SensorData with the SensorView it carries has " +
                                      std::to_string(start + message.size()) + " bytes, and 2147483647 is the most");
    const auto target = start + flat::root_of(flat::Buffer(message));
    const flat::Buffer ours(buffer.bytes());
    const auto root = flat::root_of(ours);
    const auto place = root + flat::vtable_of(ours, root).offset(ours, field.slot(layout));
    const auto element = flat::vector_at(ours, ours.follow(place), 4).first;
    store_le32(buffer.data() + element, static_cast<std::uint32_t>(target - element));

    const auto padding = start - buffer.size();
    std::memset(buffer.reserve_back(padding), 0, padding);
    buffer.commit_back(padding);
    buffer.append(message);
}

}  // namespace ositrace::dummy
