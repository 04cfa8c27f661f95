// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_selection.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/trace/topic_check.hpp"

namespace ositrace {

namespace {

/// Some channels of a trace, renumbered.
class SelectedTrace final : public Trace {
public:
    SelectedTrace(std::shared_ptr<const Trace> whole, const std::vector<std::uint32_t>& channels)
        : whole_(std::move(whole)), info_(whole_->info()), of_whole_(channels), places_(info_.channels.size())
    {
        info_.channels.clear();
        for (const auto channel : of_whole_) {
            places_[channel] = static_cast<std::uint32_t>(info_.channels.size());
            info_.channels.push_back(whole_->info().channels[channel]);
        }
    }

    const TraceInfo& info() const noexcept override { return info_; }
    std::optional<MapBeside> map_beside(std::uint32_t channel) const override
    {
        auto map = whole_->map_beside(in_whole(channel));
        if (map) map->frame.channel = channel;
        return map;
    }
    std::uint64_t frame_count(std::uint32_t channel) const override { return whole_->frame_count(in_whole(channel)); }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override
    {
        auto frame = whole_->frame(in_whole(channel), i);
        frame.channel = channel;
        return frame;
    }
    std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return whole_->frame_time(in_whole(channel), i);
    }
    std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return whole_->log_time(in_whole(channel), i);
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return whole_->frame_bytes(in_whole(channel), i);
    }
    FrameSizes frame_sizes(std::uint32_t channel) const override { return whole_->frame_sizes(in_whole(channel)); }
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        return whole_->frame_at(in_whole(channel), t);
    }
    std::unique_ptr<TraceReader> reader() const override;

    [[nodiscard]] std::unique_ptr<TraceReader> reader_of_whole() const { return whole_->reader(); }
    [[nodiscard]] std::optional<std::uint32_t> place_of(std::uint32_t channel) const { return places_.at(channel); }

private:
    [[nodiscard]] std::uint32_t in_whole(std::uint32_t channel) const
    {
        if (channel < of_whole_.size()) return of_whole_[channel];
        throw Error(Cause::usage, "there is no channel " + std::to_string(channel));
    }

    std::shared_ptr<const Trace> whole_;
    TraceInfo info_;
    std::vector<std::uint32_t> of_whole_;
    std::vector<std::optional<std::uint32_t>> places_;  ///< by channel of the whole
};

class SelectedReader final : public TraceReader {
public:
    explicit SelectedReader(std::shared_ptr<const SelectedTrace> trace)
        : trace_(std::move(trace)), info_(trace_->info()), reader_(trace_->reader_of_whole())
    {
    }

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override
    {
        while (reader_->read(frame, stop)) {
            info_.application_records = reader_->info().application_records;
            const auto place = trace_->place_of(frame.channel);
            if (!place) continue;
            frame.channel = *place;
            return true;
        }
        return false;
    }
    std::uint64_t bytes_consumed() const noexcept override { return reader_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return reader_->bytes_total(); }
    void seek_frame(std::uint64_t i) override { reader_->seek_frame(i); }
    void seek_time(Nanoseconds t) override { reader_->seek_time(t); }

private:
    std::shared_ptr<const SelectedTrace> trace_;
    TraceInfo info_;
    std::unique_ptr<TraceReader> reader_;
};

std::unique_ptr<TraceReader> SelectedTrace::reader() const
{
    return std::make_unique<SelectedReader>(std::static_pointer_cast<const SelectedTrace>(shared_from_this()));
}

}  // namespace

std::shared_ptr<const Trace> select_topics(std::shared_ptr<const Trace> trace, const TopicPattern& topics)
{
    const auto& all = trace->info().channels;
    std::vector<std::uint32_t> channels;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (topics.matches(all[i].topic)) channels.push_back(i);
    if (channels.empty()) throw_no_match(trace->info(), topics);
    if (channels.size() == all.size()) return trace;
    return std::make_shared<SelectedTrace>(std::move(trace), channels);
}

}  // namespace ositrace
