// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/flat_common.hpp"

namespace ositrace::bench {

bool verified_sensor_data(Bytes message)
{
    constexpr std::uint32_t deepest = 64, most_tables = 1u << 31;
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(message.data()), message.size(), deepest, most_tables);
    return verifier.VerifyBuffer<osi3_flat::SensorData>(identifier_of(MessageType::sensor_data));
}

}  // namespace ositrace::bench
