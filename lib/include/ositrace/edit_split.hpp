// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <ositrace/edit_static.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Where a piece ends; 0: not for this reason. A piece has at least one frame.
struct SplitOptions {
    std::uint64_t every_frames = 0;  ///< of each channel
    std::uint64_t every_bytes = 0;   ///< of all payloads
    Nanoseconds every_time{};        ///< counted from the first time of the trace; times without frames make no pieces
    /// The first frame of each channel in a piece gets the static part that frames in front of it had and it lacks.
    bool carry_static = true;
    std::function<void(const CarriedPart&)> on_carry = {};
};

/// A trace in consecutive pieces: `while (splitter.next()) write(splitter.piece());`. Metadata and attachments are in
/// every piece. Frames keep their numbers of the source. Memory: one frame and the static part of each channel.
class OSITRACE_API Splitter {
public:
    Splitter(std::unique_ptr<FrameSource> from, SplitOptions options);
    Splitter(const Splitter&) = delete;
    Splitter& operator=(const Splitter&) = delete;
    ~Splitter();

    /// Goes on to the next piece; frames of the last one that were not read are lost. False when there are no more
    /// frames.
    [[nodiscard]] bool next(std::stop_token stop = {});
    /// The piece; valid until next().
    [[nodiscard]] FrameSource& piece() noexcept;
    /// `every_time`: a frame with a time was met. Without any, all are one piece.
    [[nodiscard]] bool met_times() const noexcept;

private:
    class Piece;
    std::unique_ptr<Piece> piece_;
};

}  // namespace ositrace
