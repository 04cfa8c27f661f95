// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/time_shift.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

constexpr std::array<std::string_view, 5> no_points_in_time{"update_cycle_time", "update_cycle_offset",
                                                            "simulation_start_time", "time_difference", "system_time"};
constexpr std::uint32_t seconds_field = 1;
constexpr std::uint32_t nanos_field = 2;
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

bool is_point_in_time(const FieldRow& row)
{
    return row.child != nullptr && row.child->full_name.ends_with(".Timestamp") &&
           std::ranges::find(no_points_in_time, row.name) == no_points_in_time.end();
}

void append_varint(std::uint64_t value, ByteBuffer& out)
{
    auto* const to = out.reserve_back(wire::max_varint_bytes);
    out.commit_back(static_cast<std::size_t>(wire::write_varint(to, value) - to));
}

void append_delimited(std::uint32_t number, Bytes content, ByteBuffer& out)
{
    append_varint(wire::make_tag(number, wire::length_delimited), out);
    append_varint(content.size(), out);
    out.append(content);
}

/// Shifts a Timestamp by `by`; unknown fields are kept.
void shift_timestamp(Bytes timestamp, Nanoseconds by, ByteBuffer& out, const std::byte* origin)
{
    std::int64_t seconds = 0;
    std::int64_t nanos = 0;
    bool has_nanos = false;
    ByteBuffer others;
    for (wire::FieldReader reader(timestamp, origin); reader.next();) {
        const bool is_varint = reader.wire_type() == wire::varint;
        if (reader.number() == seconds_field && is_varint) {
            seconds = static_cast<std::int64_t>(reader.integer());
        } else if (reader.number() == nanos_field && is_varint) {
            nanos = static_cast<std::uint32_t>(reader.integer());
            has_nanos = true;
        } else {
            others.append(reader.field());
        }
    }
    nanos += by.count() % nanoseconds_per_second;
    std::int64_t carry = by.count() / nanoseconds_per_second + nanos / nanoseconds_per_second;
    nanos %= nanoseconds_per_second;
    if (nanos < 0) {
        nanos += nanoseconds_per_second;
        --carry;
    }
    if (__builtin_add_overflow(seconds, carry, &seconds))
        throw Error(Cause::limit, "a shifted time does not fit into 64-bit seconds");
    append_varint(wire::make_tag(seconds_field, wire::varint), out);
    append_varint(static_cast<std::uint64_t>(seconds), out);
    if (has_nanos || nanos != 0) {
        append_varint(wire::make_tag(nanos_field, wire::varint), out);
        append_varint(static_cast<std::uint64_t>(nanos), out);
    }
    out.append(others.bytes());
}

}  // namespace

TimeShift::TimeShift(const MessageTable& message) : root_(message)
{
    // A message may contain itself: a pass that finds nothing new ends the search.
    for (std::size_t before = SIZE_MAX; before != with_times_.size();) {
        before = with_times_.size();
        std::set<const MessageTable*> visited;
        find_times(root_, visited);
    }
}

bool TimeShift::find_times(const MessageTable& message, std::set<const MessageTable*>& visited)
{
    if (!visited.insert(&message).second) return with_times_.contains(&message);
    bool found = false;
    for (const auto& row : message.fields) {
        if (is_point_in_time(row))
            found = true;
        else if (row.child != nullptr && !row.child->full_name.ends_with(".Timestamp"))
            found = find_times(*row.child, visited) || found;
    }
    if (found) with_times_.insert(&message);
    return found;
}

void TimeShift::shift(Bytes message, const MessageTable& table, Nanoseconds by, int depth, ByteBuffer& out,
                      const std::byte* origin) const
{
    if (depth > max_message_depth) throw Error(Cause::limit, nests_too_deep);
    for (wire::FieldReader reader(message, origin); reader.next();) {
        const auto* const row = reader.wire_type() == wire::length_delimited ? table.find(reader.number()) : nullptr;
        const bool is_time = row != nullptr && is_point_in_time(*row);
        if (!is_time && (row == nullptr || row->child == nullptr || !with_times_.contains(row->child))) {
            out.append(reader.field());
            continue;
        }
        ByteBuffer inner;
        if (is_time)
            shift_timestamp(reader.bytes(), by, inner, origin);
        else
            shift(reader.bytes(), *row->child, by, depth + 1, inner, origin);
        append_delimited(reader.number(), inner.bytes(), out);
    }
}

void TimeShift::apply(Bytes message, Nanoseconds by, ByteBuffer& out) const
{
    out.clear(message.size() + 64);
    shift(message, root_, by, 0, out, message.data());
    if (out.size() > max_encodable_bytes)
        throw Error(Cause::limit, "the message exceeds the limit of 2147483647 bytes");
}

}  // namespace ositrace
