// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_repair.hpp"

#include <algorithm>

#include <ositrace/count_text.hpp>

#include "formats/mcap/covered_records.hpp"
#include "formats/mcap/plausible_record.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

std::optional<Repair> ends_after(const mcap::RawRecord& record, std::optional<std::uint64_t> right)
{
    if (!right) return std::nullopt;
    const auto front = record.opcode == Opcode::message ? mcap::message_front_bytes : 0;
    return Repair{length_covers_records(record.opcode, record.content.size() - front, *right - front),
                  {record.opcode, *right}};
}

}  // namespace

std::optional<Repair> McapRepair::length_before_chunk() const
{
    for (auto chunk = chunks_.lower_bound(cursor_.content_offset());
         chunk != chunks_.end() && chunk->first < cursor_.end(); ++chunk) {
        const auto [offset, length] = *chunk;
        if (length < record_prefix_bytes || !cursor_.is_at(offset, {Opcode::chunk, length - record_prefix_bytes}))
            continue;
        const auto right = offset - cursor_.content_offset();
        return Repair{{Cause::malformed, "the length of a " + name_of(cursor_.opcode()) + " record is wrong: it has " +
                                             std::to_string(cursor_.length()) + " bytes, and a chunk begins after " +
                                             std::to_string(right)},
                      {cursor_.opcode(), right}};
    }
    return std::nullopt;
}

std::optional<Repair> McapRepair::opcode(const std::stop_token& stop)
{
    const auto found = cursor_.opcode();
    const bool in_summary = cursor_.in_summary();
    if (in_summary ? !mcap::holds_data(found) : !mcap::is_undefined(found)) return std::nullopt;
    const auto front = cursor_.front(mcap::record_front_bytes, stop);
    if (!front) return std::nullopt;
    const auto meant = mcap::opcode_by_content({found, cursor_.length()}, *front, in_summary);
    if (!meant) return std::nullopt;
    const mcap::RecordPrefix right{*meant, cursor_.length()};
    if (*meant == Opcode::message) {
        if (right.length > std::min(limits_.message_bytes, McapLimits::record_bytes)) return std::nullopt;
        const auto record = cursor_.record(stop);
        if (!record || !is_message(*record)) return std::nullopt;
    }
    const auto content = " has the content of a " + name_of(*meant) + " record";
    const auto stated = chunks_.find(cursor_.offset());
    const bool is_stated =
        *meant == Opcode::chunk && stated != chunks_.end() && stated->second == record_prefix_bytes + right.length;
    if (in_summary || mcap::is_reserved(found) || is_stated)
        return Repair{{Cause::malformed, "a record " + name_of(found) + content + ": its opcode is wrong"}, right};
    return Repair{
        {Cause::malformed, "a record " + name_of(found) + " of an application" + content + ", and was passed over"},
        right,
        false};
}

/// Is it one of a known channel, as far as its content shows?
bool McapRepair::is_message(const mcap::RawRecord& record)
{
    const auto message = mcap::parse_message(record.content);
    const auto place = channels_.find(message.channel_id);
    return place && judge_.is_message(channels_.all()[*place], message.data);
}

std::optional<Repair> McapRepair::length(const mcap::RawRecord& record)
{
    if (record.opcode == Opcode::message) return ends_after(record, length_of_message(record));
    const auto own = mcap::known_fields_bytes(record.opcode, record.content);
    const bool covers = own && *own < record.content.size() && cursor_.covers_records(record.content.size() - *own, {});
    return covers ? ends_after(record, own) : std::nullopt;
}

std::optional<Repair> McapRepair::length_in_chunk(const mcap::RawRecord& record)
{
    return ends_after(
        record, record.opcode == Opcode::message ? length_of_message(record) : mcap::length_before_records(record));
}

std::optional<std::size_t> McapRepair::length_of_message(const mcap::RawRecord& record)
{
    const auto message = mcap::parse_message(record.content);
    const auto place = channels_.find(message.channel_id);
    if (!place) return std::nullopt;
    const auto right = judge_.length_before_records(channels_.all()[*place], message.data,
                                                    [this](std::uint16_t id) { return channels_.could_find(id); });
    return right ? std::optional(mcap::message_front_bytes + *right) : std::nullopt;
}

void McapRepair::check_message(const mcap::RawRecord& record, bool searched)
{
    const auto message = mcap::parse_message(record.content);
    const auto place = channels_.find(message.channel_id);
    if (!place || channels_.all()[*place].root == nullptr) return;
    if (!judge_.is_whole(channels_.all()[*place], message.data, searched) && searched)
        throw Error(Cause::malformed, {}, "the content of a message is damaged", Damage::message_content);
}

void UndeclaredChannels::add_channel(std::uint16_t id, std::uint64_t bytes, const Error& problem)
{
    lost_.try_emplace(id, Lost{{problem.where().frame, problem.where().offset.value_or(0), bytes, problem}, true});
}

void UndeclaredChannels::add_message(std::uint16_t channel, std::uint64_t bytes, const Location& place)
{
    const SkippedBytes first{place.frame, place.offset.value_or(0), 0, undeclared_channel(channel).moved_to(place)};
    auto& lost = lost_.try_emplace(channel, Lost{first}).first->second.bytes;
    lost.bytes += bytes;
    ++lost.frames;
}

std::vector<SkippedBytes> UndeclaredChannels::take()
{
    std::vector<SkippedBytes> result;
    for (auto& [id, channel] : std::exchange(lost_, {})) {
        auto& lost = channel.bytes;
        const auto messages = count_text(lost.frames, "message");
        lost.error =
            lost.error.reworded(channel.has_record ? lost.error.reason() + ", so its " + messages + " cannot be read"
                                                   : messages + " of the channel " + std::to_string(id) +
                                                         ", which was not declared before");
        result.push_back(std::move(lost));
    }
    return result;
}

}  // namespace ositrace
