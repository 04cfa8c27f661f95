// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

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
        auto& verifier = verifiers_[{channel.root, channel.format.encoding, channel.format.layout}];
        if (!verifier) verifier = std::make_unique<FrameVerifier>(channel);
        if (searched) return verifier->is_surely(payload);
        if (verifier->problem_of(payload)) return false;
        verifier->accept(payload);
        return true;
    }

private:
    std::map<std::tuple<const MessageTable*, Encoding, Layout>, std::unique_ptr<FrameVerifier>> verifiers_;
};

}  // namespace ositrace
