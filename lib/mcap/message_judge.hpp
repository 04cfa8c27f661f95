// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

#include "formats/mcap/trailing_message.hpp"
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

    /// Where the first of the Message records begins that `data`, of a message of `channel`, ends with: the length of
    /// its record is wrong. nullopt: there are none, it is one message that contains them (an embedded file), or the
    /// channel is of no OSI type.
    [[nodiscard]] std::optional<std::size_t> length_before_messages(
        const Channel& channel, Bytes data, const std::function<bool(std::uint16_t)>& knows_channel)
    {
        const auto first = channel.root != nullptr ? mcap::first_trailing_message(data, knows_channel) : std::nullopt;
        if (!first) return std::nullopt;
        auto& verifier = verifier_of(channel);
        const bool is_embedded = verifier.problem_of(data.first(*first)) && !verifier.problem_of(data);
        return is_embedded ? std::nullopt : first;
    }

private:
    FrameVerifier& verifier_of(const Channel& channel)
    {
        auto& verifier = verifiers_[{channel.root, channel.format.encoding, channel.format.layout}];
        if (!verifier) verifier = std::make_unique<FrameVerifier>(channel);
        return *verifier;
    }

    std::map<std::tuple<const MessageTable*, Encoding, Layout>, std::unique_ptr<FrameVerifier>> verifiers_;
};

/// Of such a message; lengths without what is before its data.
[[nodiscard]] inline Error length_covers_messages(std::size_t length, std::size_t right)
{
    return {Cause::malformed, "the length of a message is wrong: its data have " + std::to_string(length) +
                                  " bytes, and another message begins after " + std::to_string(right)};
}

}  // namespace ositrace
