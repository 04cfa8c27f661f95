// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/damaged_compression.hpp"
#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

/// The frames of a damaged file, with a report of every damaged place: what all programs read with
/// OpenOptions::skip_bad_frames. A source that cannot continue ends, and the rest is reported as lost.
///
/// Of a length-prefixed file, frames are numbered as they are handed out. With DamageDepth::content those that cannot
/// be read from end to end are damage, as are frames that bytes are missing in, because a compressed frame is damaged.
/// Damaged places that touch are reported as one, when it is known what follows. Of a compressed file, frames that no
/// checksum confirms are counted.
class SalvagedFrames final : public FrameSource {
public:
    using Open = std::function<std::unique_ptr<FrameSource>(const OpenOptions&)>;
    /// Where the frames of the source are in the bytes that the log describes.
    enum class Places : std::uint8_t {
        exact,    ///< from Frame::offset on, with a length prefix
        begins,   ///< from Frame::offset on, up to the next frame
        unknown,  ///< Frame::offset counts other bytes
    };

    /// Calls `open` with options that the source must be opened with. `framed`: the file is length-prefixed. `log`: of
    /// the decompression, null without one.
    SalvagedFrames(const OpenOptions& options, bool framed, std::shared_ptr<CompressionLog> log, Places places,
                   const Open& open);

    [[nodiscard]] const TraceInfo& info() const noexcept override { return source_->info(); }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_->bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_->bytes_total(); }

private:
    /// Of a damaged compressed frame that reading has not passed.
    struct Unpassed {
        CompressionDamage damage;
        std::uint64_t kept = 0;
    };

    bool read_source(Frame& frame, const std::stop_token& stop);
    void end_with(const Error& error);
    [[nodiscard]] std::optional<Error> problem_of(const Frame& frame);
    void lose(const SkippedBytes& lost);
    void report_lost(std::optional<Nanoseconds> before);
    void read_log();
    void count_unconfirmed(std::uint64_t begin, std::uint64_t end);
    void pass_begin(std::uint64_t offset);
    void pass_damages(std::uint64_t offset, std::optional<Nanoseconds> before);
    void end();

    std::function<void(const SkippedBytes&)> on_skip_;
    DamageDepth depth_;
    bool framed_;
    Places places_;
    std::shared_ptr<CompressionLog> log_;
    std::unique_ptr<FrameSource> source_;
    std::optional<FrameVerifier> verifier_;
    bool ended_ = false;
    std::uint64_t frames_ = 0;  ///< handed out
    std::optional<Nanoseconds> last_time_;
    std::optional<SkippedBytes> lost_;      ///< to be reported when it is known what follows
    std::deque<Unpassed> unpassed_;         ///< in the order of the file
    std::uint64_t open_from_ = 0;           ///< see CompressionLog
    std::uint64_t open_frames_ = 0;         ///< that reach beyond it
    std::optional<std::uint64_t> last_at_;  ///< begin of the last frame, whose end is not known yet
};

}  // namespace ositrace
