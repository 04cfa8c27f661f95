// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <ositrace/edit/static.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Limits of a piece; 0: no limit. A piece has at least one frame.
struct SplitOptions {
    std::uint64_t every_frames = 0;  ///< of each channel
    std::uint64_t every_bytes = 0;   ///< of all payloads
    Nanoseconds every_time{};        ///< from the first time of the trace; a time without frames is no piece
    /// Insert static data of earlier frames into the first frame of each channel in a piece, if it lacks them, and
    /// write the first message of a map channel before the first frame.
    bool carry_static = true;
    std::function<void(const CarriedPart&)> on_carry = {};
};

/// Splits a trace into consecutive pieces: `while (splitter.next()) write(splitter.piece());`. Every piece has all
/// metadata and attachments. Frames keep the numbers of the source. Memory: one frame and the static data of each
/// channel.
class OSITRACE_API Splitter {
public:
    Splitter(std::unique_ptr<FrameSource> from, SplitOptions options);
    Splitter(const Splitter&) = delete;
    Splitter& operator=(const Splitter&) = delete;
    ~Splitter();

    /// Advances to the next piece and skips the unread frames of the current one. False if there are no more frames.
    [[nodiscard]] bool next(std::stop_token stop = {});
    /// The piece; valid until next().
    [[nodiscard]] FrameSource& piece() noexcept;
    /// `every_time`: has a frame a time? Without times, all frames are one piece.
    [[nodiscard]] bool has_times() const noexcept;

private:
    class Piece;
    std::unique_ptr<Piece> piece_;
};

}  // namespace ositrace
