// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <set>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Shifts every point in time in Protobuf messages of one type: all fields of type Timestamp but those that are
/// durations or clocks of another kind (update_cycle_time, update_cycle_offset, simulation_start_time, time_difference,
/// system_time). All else keeps its bytes.
class TimeShift {
public:
    /// The schema must outlive it.
    explicit TimeShift(const MessageTable& message);
    /// Replaces `out` by the message with all times shifted by `by`. Throws Error (malformed, limit) with the offset in
    /// the message.
    void apply(Bytes message, Nanoseconds by, ByteBuffer& out) const;

private:
    bool find_times(const MessageTable& message, std::set<const MessageTable*>& visited);
    void shift(Bytes message, const MessageTable& table, Nanoseconds by, int depth, ByteBuffer& out,
               const std::byte* origin) const;

    const MessageTable& root_;
    std::set<const MessageTable*> with_times_;  ///< messages that contain points in time, at any depth
};

}  // namespace ositrace
