// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <utility>

#include <ositrace/trace.hpp>

namespace ositrace {

/// What every edit of one source has in common: it owns the source and says what the source says, unless it knows
/// better.
class EditSource : public FrameSource {
public:
    explicit EditSource(std::unique_ptr<FrameSource> from) : from_(std::move(from)) {}
    [[nodiscard]] const TraceInfo& info() const noexcept override { return from_->info(); }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return from_->bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return from_->bytes_total(); }

protected:
    [[nodiscard]] FrameSource& from() noexcept { return *from_; }
    [[nodiscard]] const TraceInfo& info_of_source() const noexcept { return from_->info(); }

private:
    std::unique_ptr<FrameSource> from_;
};

/// May channels and records come with frames to be read, or behind them? An MCAP stream tells what it has met; a cursor
/// knows all.
[[nodiscard]] bool may_grow(const FrameSource& source) noexcept;

/// The OSI time of a frame, from its payload where nobody read it; the log time of a message that has none. nullopt
/// when there is neither.
[[nodiscard]] std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel);

}  // namespace ositrace
