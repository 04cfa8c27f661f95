// SPDX-License-Identifier: MPL-2.0
// Payloads through an edit, in memory.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/trace.hpp>

#include "tests/lib/convert/fake_trace.hpp"

namespace ositrace {

inline std::unique_ptr<FrameSource> source_of(std::vector<std::string> payloads)
{
    return std::make_unique<FakeSource>(std::move(payloads));
}

/// All that a source gives.
inline std::vector<std::string> payloads_of(FrameSource& source)
{
    std::vector<std::string> payloads;
    for (Frame frame; source.read(frame);) payloads.emplace_back(text_of(frame.bytes));
    return payloads;
}

/// Fields of GroundTruth.
inline std::string time_field(std::uint8_t seconds) { return field(2, varint_field(1, seconds)); }
inline std::string lane(std::uint8_t id) { return field(10, field(1, varint_field(1, id))); }
inline std::string traffic_light(std::uint8_t id) { return field(7, field(1, varint_field(1, id))); }
inline std::string moving_object(std::uint8_t id) { return field(5, field(1, varint_field(1, id))); }
inline std::string version_field() { return field(1, varint_field(1, 3)); }

}  // namespace ositrace
