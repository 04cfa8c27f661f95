// SPDX-License-Identifier: MPL-2.0
// The row of a layout; compiled once for each.
#include <sensor_data_bfbs_generated.h>

#include "app/bench/dummy/flat_common.hpp"
#include "app/bench/dummy/flat_models.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

Bytes binary_schema()
{
    return {reinterpret_cast<const std::byte*>(osi::SensorDataBinarySchema::data()),
            osi::SensorDataBinarySchema::size()};
}

const FlatForms& forms() noexcept
{
    static constexpr FlatForms row{
        flat_builder_source,
        flat_builder_sensor,
#ifdef OSITRACE_FLAT_NO_OBJECTS
        nullptr,
        nullptr,
#else
        flat_object_source,
        flat_object_sensor,
#endif
        [](Bytes message) { return verified<osi::SensorData>(message, MessageType::sensor_data); },
        binary_schema,
    };
    return row;
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
