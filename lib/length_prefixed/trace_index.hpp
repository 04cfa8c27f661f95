// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <ositrace/trace.hpp>

#include "lib/length_prefixed/prefix_walker.hpp"

namespace ositrace {

/// A place where walking the prefixes can begin.
struct IndexMark {
    std::uint64_t frame = 0;
    std::uint64_t offset = 0;
    friend bool operator==(const IndexMark&, const IndexMark&) = default;
};

/// The index of a whole file, as it is kept in the user's cache.
struct CompleteIndex {
    std::uint64_t frames = 0;
    std::vector<IndexMark> marks;
    FrameSizes sizes;
};

/// Where the frames of a length-prefixed file are: sparse marks, and short walks between them. Grows with the frames
/// that are looked up. Thread-safe.
class TraceIndex {
public:
    /// A mark per this many bytes or frames, whichever comes first: 27 million small frames cost 0.5 MB, not 650.
    static constexpr std::uint64_t mark_bytes = std::uint64_t{64} << 10;
    static constexpr std::uint64_t mark_frames = 1024;

    /// The next frame of a walk; nullopt at the end. Throws Error.
    using NextPlace = std::function<std::optional<FramePlace>()>;

    /// `file` must outlive the index. `complete`: known from an earlier walk.
    TraceIndex(const RandomAccess& file, std::size_t max_message_bytes, NextPlace next,
               std::optional<CompleteIndex> complete = {});
    /// The frames that PrefixWalker finds.
    TraceIndex(const RandomAccess& file, PrefixWalkerOptions options, std::optional<CompleteIndex> complete = {});

    /// Walks to the end at the first call. Throws Error with frame and byte when the file breaks on the way, every
    /// time.
    [[nodiscard]] std::uint64_t frame_count();
    /// Of all frames, or of those before the place where the file breaks; walks as frame_count().
    [[nodiscard]] FrameSizes frame_sizes();
    /// The first frame, and one about every mark_bytes; of those before the place where the file breaks.
    [[nodiscard]] std::vector<IndexMark> marks();
    /// Walks as far as needed; nullopt when there are not that many frames. Throws as frame_count() when the break
    /// comes first.
    [[nodiscard]] std::optional<FramePlace> find(std::uint64_t frame);
    /// What is worth storing, when the end was reached by a walk of more than `least` without a break; once.
    [[nodiscard]] std::optional<CompleteIndex> take_if_walked_for(std::chrono::nanoseconds least);

private:
    /// Of frames whose length prefix is wrong, by number.
    using Lengths = std::map<std::uint64_t, std::uint32_t>;
    struct Step {
        std::vector<FramePlace> places;
        bool ended = false;
        std::optional<Error> failure;
    };
    bool walk_on(std::uint64_t frame);
    Step walk_towards(std::uint64_t frame);
    void note(const FramePlace& place);
    [[nodiscard]] IndexMark mark_before(std::uint64_t frame) const;
    [[nodiscard]] FramePlace walk_from(IndexMark mark, std::uint64_t frame, const Lengths& repaired) const;

    const RandomAccess& file_;
    std::size_t max_message_bytes_;

    std::mutex walking_;  // one thread walks on; locked before known_
    NextPlace next_;
    std::chrono::nanoseconds walked_for_{0};
    bool gaps_ = false;
    bool taken_ = false;

    mutable std::mutex known_;
    std::vector<IndexMark> marks_;
    Lengths repaired_;
    std::uint64_t frames_ = 0;  ///< walked over so far
    FrameSizes sizes_;          ///< of these
    bool ended_ = false;
    std::optional<Error> failure_;
};

}  // namespace ositrace
