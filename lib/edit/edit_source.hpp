// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <utility>

#include <ositrace/trace.hpp>

namespace ositrace {

/// Base of the edits of one source: owns the source and forwards to it.
class EditSource : public FrameSource {
public:
    explicit EditSource(std::unique_ptr<FrameSource> from) : from_(std::move(from)) {}
    [[nodiscard]] const TraceInfo& info() const noexcept override { return from_->info(); }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return from_->bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return from_->bytes_total(); }

protected:
    /// Appends to `info` the metadata and attachments that the source has learned since. Call after each read().
    void follow_records(TraceInfo& info) const;
    [[nodiscard]] FrameSource& from() noexcept { return *from_; }
    [[nodiscard]] const TraceInfo& info_of_source() const noexcept { return from_->info(); }

private:
    std::unique_ptr<FrameSource> from_;
};

/// The OSI time of a frame, from its payload if the reader did not set it, else its log time. nullopt if it has
/// neither.
[[nodiscard]] std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel);

}  // namespace ositrace
