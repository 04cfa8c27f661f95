// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/recover.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/damaged_compression.hpp"

namespace ositrace {

/// Frames of a file that was unpacked as far as it went: says between which of them something is missing, and counts
/// those that came out of a damaged compressed frame. Memory: one entry for each damage, up to a limit; behind it one
/// for all the others together.
class UnpackedFrames final : public FrameSource {
public:
    /// Borrows the source. `damages` in the order of the file; offsets of frames count in what came out.
    UnpackedFrames(FrameSource& source, std::vector<CompressionDamage> damages,
                   std::function<void(const LostBytes&)> on_loss)
        : source_(source), damages_(std::move(damages)), on_loss_(std::move(on_loss))
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return source_.info(); }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_.bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_.bytes_total(); }

private:
    void report(std::uint64_t before_frame, std::optional<Nanoseconds> before);

    FrameSource& source_;
    std::vector<CompressionDamage> damages_;
    std::function<void(const LostBytes&)> on_loss_;
    std::size_t next_ = 0;  ///< damage to be passed
    std::uint64_t frames_ = 0;
    std::uint64_t kept_ = 0;  ///< frames of its compressed frame
    std::optional<Nanoseconds> last_time_;
};

/// Notes a damage behind the others.
void add_damage(std::vector<CompressionDamage>& damages, const CompressionDamage& damage);

}  // namespace ositrace
