// SPDX-License-Identifier: MPL-2.0
// The variants that convert frames in memory. One file each; the rows are in convert_command.cpp. All borrow the
// sample.
#pragma once

#include <memory>
#include <utility>

#include "app/bench/core/round.hpp"
#include "app/bench/core/sample.hpp"

namespace ositrace::bench {

// Protobuf to FlatBuffers. The results are read back by the other side's code: ours by flatc's, the naive one's by
// ours.
[[nodiscard]] Variant memcpy_of_flat(const Sample& sample);
[[nodiscard]] Variant libprotobuf_parse(const Sample& sample);
[[nodiscard]] Variant naive_to_flat(const Sample& sample);
[[nodiscard]] Variant naive_to_flat_fresh(const Sample& sample);
[[nodiscard]] Variant ours_to_flat(const Sample& sample);

// FlatBuffers to Protobuf.
[[nodiscard]] Variant memcpy_of_protobuf(const Sample& sample);
[[nodiscard]] Variant naive_to_protobuf(const Sample& sample);
[[nodiscard]] Variant naive_to_protobuf_verified(const Sample& sample);
[[nodiscard]] Variant ours_to_protobuf(const Sample& sample);

/// A variant that converts every frame of `frames`. `convert(bytes)` returns the result for one frame, `check(answer,
/// made)` adds it to an answer in canonical Protobuf.
template <class Convert, class Check>
[[nodiscard]] Variant for_each_frame(Variant variant, const std::vector<FrameBytes>& frames, Convert convert,
                                     Check check)
{
    const auto work = std::make_shared<Convert>(std::move(convert));
    variant.run = [work, &frames] {
        std::size_t bytes = 0;
        for (const auto& frame : frames) bytes += (*work)(frame).size();
        return bytes;
    };
    variant.answer = [work, &frames, check = std::move(check)](Answer& answer) mutable {
        for (const auto& frame : frames) check(answer, (*work)(frame));
    };
    return variant;
}

}  // namespace ositrace::bench
