// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/swallowed_frame.hpp"

#include <algorithm>
#include <string>

#include "formats/framing/length_prefix.hpp"
#include "formats/framing/trailing_length.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// Candidates that are none may cost this many bytes per byte of the payload, and at least.
constexpr std::size_t judged_per_byte = 8, min_judged = std::size_t{1} << 16;

}  // namespace

std::optional<std::size_t> length_before_frames(Bytes payload, FrameVerifier& verifier)
{
    const auto max_judged = judged_per_byte * payload.size() + min_judged;
    auto first_length = payload.size();
    std::size_t judged = 0;
    bool first_is_whole = false;
    for (auto place = payload.size() - std::min(payload.size(), prefix_bytes + 1); place != 0; --place) {
        if (!length_prefix::leads_to(payload, place, first_length)) continue;
        const auto frame = payload.subspan(place + prefix_bytes, first_length - place - prefix_bytes);
        if (!verifier.could_begin(frame.first(std::min(frame.size(), length_prefix::judged_bytes)))) continue;
        if (judged > max_judged) break;
        // What the messages of this file have in common.
        const bool whole = !verifier.problem_of(payload.first(place));
        judged += verifier.bytes_read();
        if (whole) verifier.accept(payload.first(place));
        const bool surely = verifier.is_surely(frame);
        judged += verifier.bytes_read();
        if (!surely) continue;
        first_length = place;
        first_is_whole = whole;
    }
    if (first_length == payload.size() || (!first_is_whole && !verifier.problem_of(payload))) return std::nullopt;
    return first_length;
}

Error length_covers_frames(std::size_t length, std::size_t right)
{
    return {Cause::malformed, "the length " + std::to_string(length) + " is wrong: another frame begins after " +
                                  std::to_string(right) + " bytes"};
}

}  // namespace ositrace
