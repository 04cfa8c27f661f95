// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

#include "formats/mcap/covered_records.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

/// Decides which messages of a damaged file are whole: one verifier for all channels of a type and encoding. One thread
/// at a time.
class MessageJudge {
public:
    /// `channel`: of an OSI type. `searched`: the message was found by a search after damage, so that it must look like
    /// the others.
    [[nodiscard]] bool is_whole(const Channel& channel, Bytes payload, bool searched)
    {
        auto& verifier = verifier_of(channel);
        if (searched) return verifier.is_surely(payload);
        if (verifier.problem_of(payload)) return false;
        verifier.accept(payload);
        return true;
    }

    /// Does it look like a message of the channel? False where nothing is known of its encoding.
    [[nodiscard]] bool is_message(const Channel& channel, Bytes payload)
    {
        if (channel.root != nullptr) return verifier_of(channel).is_complete(payload);
        if (channel.message_encoding == "protobuf") return !payload.empty() && wire::are_fields(payload);
        constexpr std::string_view begins{"{[\""};
        return channel.message_encoding == "json" && !payload.empty() &&
               begins.find(text_of(payload)[0]) != begins.npos;
    }

    /// Where the first of the records begins that `data`, of a message of `channel`, ends with: the length of its
    /// record is wrong. nullopt: there are none, it is one message that contains them (an embedded file), or nothing is
    /// known of the encoding of the channel.
    [[nodiscard]] std::optional<std::size_t> length_before_records(
        const Channel& channel, Bytes data, const std::function<bool(std::uint16_t)>& knows_channel)
    {
        if (channel.root == nullptr && channel.message_encoding != "json" && channel.message_encoding != "protobuf")
            return std::nullopt;
        const auto first = mcap::first_trailing_record(data, knows_channel);
        if (!first) return std::nullopt;
        return is_one_message(channel, data, *first) ? std::nullopt : first;
    }

private:
    /// Can all of `data` be read, and not its first bytes alone?
    bool is_one_message(const Channel& channel, Bytes data, std::size_t first)
    {
        if (channel.root != nullptr) {
            auto& verifier = verifier_of(channel);
            return verifier.problem_of(data.first(first)) && !verifier.problem_of(data);
        }
        if (channel.message_encoding == "json") return false;  // no text contains the bytes of a length
        return !wire::are_fields(data.first(first)) || wire::are_fields(data);
    }
    FrameVerifier& verifier_of(const Channel& channel)
    {
        auto& verifier = verifiers_[{channel.root, channel.format.encoding, channel.format.layout}];
        if (!verifier) verifier = std::make_unique<FrameVerifier>(channel);
        return *verifier;
    }

    std::map<std::tuple<const MessageTable*, Encoding, Layout>, std::unique_ptr<FrameVerifier>> verifiers_;
};

/// Of such a record; of a message without what is before its data.
[[nodiscard]] inline Error length_covers_records(mcap::Opcode opcode, std::uint64_t length, std::uint64_t right)
{
    const bool is_message = opcode == mcap::Opcode::message;
    const auto lengths = is_message ? ": its data have " + std::to_string(length) + " bytes, and"
                                    : ": it has " + std::to_string(length) + " bytes, and";
    return {Cause::malformed, "the length of a " + (is_message ? "message" : name_of(opcode) + " record") +
                                  " is wrong" + lengths + " another record begins after " + std::to_string(right)};
}

/// Of a record of the summary. Throws Error (malformed) without a place.
inline void check_covers_no_records(const mcap::RawRecord& record)
{
    if (const auto right = mcap::length_before_records(record))
        throw length_covers_records(record.opcode, record.content.size(), *right);
}

}  // namespace ositrace
