// SPDX-License-Identifier: MPL-2.0
// Traces with a map, and of a map.
#include <vector>

#include <ositrace/trace_map.hpp>

#include "lib/length_prefixed/spooled_trace.hpp"
#include "lib/open_drive/open_drive_stream.hpp"

namespace ositrace {

namespace {

class TraceWithMap final : public Trace {
public:
    TraceWithMap(std::shared_ptr<const Trace> trace, std::shared_ptr<const TraceMap> map)
        : trace_(std::move(trace)), map_(std::move(map))
    {
        for (const auto& channel : trace_->info().channels) frames_.push_back(map_frame(*map_, channel));
    }

    const TraceInfo& info() const noexcept override { return trace_->info(); }
    std::uint64_t frame_count(std::uint32_t channel) const override { return trace_->frame_count(channel); }
    std::uint64_t first_frame(std::uint32_t channel) const override { return trace_->first_frame(channel); }
    std::optional<std::uint64_t> kept_map(std::uint32_t channel, std::uint64_t i, bool with_road) const override
    {
        return trace_->kept_map(channel, i, with_road);
    }
    std::optional<MapBeside> map_beside(std::uint32_t channel) const override
    {
        if (channel >= frames_.size() || !frames_[channel]) return std::nullopt;
        return MapBeside{*frames_[channel], map_->document.name, map_->document.origin == MapOrigin::given};
    }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override { return trace_->frame(channel, i); }
    std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->frame_time(channel, i);
    }
    std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->log_time(channel, i);
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->frame_bytes(channel, i);
    }
    FrameSizes frame_sizes(std::uint32_t channel) const override { return trace_->frame_sizes(channel); }
    std::optional<std::uint64_t> record_bytes() const override { return trace_->record_bytes(); }
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        return trace_->frame_at(channel, t);
    }
    std::optional<TimeBounds> indexed_times(std::uint32_t channel) const override
    {
        return trace_->indexed_times(channel);
    }
    std::vector<TracePlace> places(std::uint64_t apart) const override { return trace_->places(apart); }
    std::unique_ptr<TraceReader> reader() const override { return trace_->reader(); }

private:
    std::shared_ptr<const Trace> trace_;
    std::shared_ptr<const TraceMap> map_;
    std::vector<std::optional<Frame>> frames_;  ///< by channel
};

}  // namespace

std::shared_ptr<const Trace> with_map(std::shared_ptr<const Trace> trace, std::shared_ptr<const TraceMap> map)
{
    return map ? std::make_shared<TraceWithMap>(std::move(trace), std::move(map)) : trace;
}

std::shared_ptr<const Trace> trace_of(const TraceMap& map) { return spooled_trace(*stream_of(map), {}); }

}  // namespace ositrace
