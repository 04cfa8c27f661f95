// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/transcoder.hpp>

#include "tests/fuzz/fuzzing.hpp"

namespace fuzzing {

/// Small, so that what blows up ends soon; the fast paths must meet it exactly where the slow ones do.
inline constexpr std::size_t max_output_bytes = std::size_t{1} << 20;

/// One direction, twice: with fast paths and history, and without both.
class Conversion {
public:
    Conversion(const ositrace::MessageTable& root, ositrace::Format from, ositrace::Format to, bool strict = false,
               std::size_t limit = max_output_bytes)
        : fast_(root, from, to, {{limit}, strict, true}), slow_(root, from, to, {{limit}, strict, false})
    {
    }

    /// Checks that both agree, in bytes or error and in what was dropped.
    Outcome operator()(Bytes in)
    {
        const auto fast_dropped = fast_.dropped_unknown_fields();
        const auto slow_dropped = slow_.dropped_unknown_fields();
        const auto fast = run(fast_, in);
        const auto slow = run(slow_, in);
        check(fast.error == slow.error, "the fast and the slow path fail alike", fast.error + "\n" + slow.error);
        check(fast.bytes == slow.bytes, "the fast and the slow path give equal bytes");
        dropped_ = fast_.dropped_unknown_fields() - fast_dropped;
        check(!fast.done() || dropped_ == slow_.dropped_unknown_fields() - slow_dropped,
              "the fast and the slow path drop alike");
        return fast;
    }
    /// Unknown fields in the last input.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

private:
    Outcome run(ositrace::Transcoder& transcoder, Bytes in)
    {
        return attempt([&] {
            transcoder.transcode(in, buffer_);
            return ositrace::text_of(buffer_.bytes());
        });
    }

    ositrace::Transcoder fast_, slow_;
    ositrace::ByteBuffer buffer_;
    std::uint64_t dropped_ = 0;
};

}  // namespace fuzzing
