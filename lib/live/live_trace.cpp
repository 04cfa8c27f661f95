// SPDX-License-Identifier: MPL-2.0
#include <ositrace/live_trace.hpp>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

std::size_t weight(const Frame& frame) noexcept { return frame.bytes.size() + LiveLimits::bytes_per_frame; }

/// The frames of a channel that have at least a part of the map.
struct MapFrames {
    std::deque<std::uint64_t> numbers;  ///< of kept frames, ascending
    std::optional<Frame> last_dropped;
    std::uint64_t last_dropped_number = 0;
};

struct KeptChannel {
    std::deque<Frame> frames;
    std::uint64_t first = 0;          ///< number of the first kept frame
    std::array<MapFrames, 2> maps{};  ///< with stationary objects or a road; with a road

    [[nodiscard]] std::uint64_t count() const noexcept { return first + frames.size(); }
};

}  // namespace

struct LiveTrace::Store {
    LiveLimits limits;
    mutable std::mutex mutex;  // guards everything below
    mutable std::condition_variable_any arrived;
    std::vector<KeptChannel> channels;
    std::map<std::uint64_t, std::uint32_t> oldest;  ///< channels of several frames, by the index of their first one
    LiveCounts counts;
    bool closed = false;

    void add(Frame frame, MapShare share)
    {
        auto& channel = channels[frame.channel];
        frame.index = counts.received++;
        for (std::size_t i = 0; i != channel.maps.size(); ++i)
            if (share >= (i == 0 ? MapShare::objects : MapShare::road))
                channel.maps[i].numbers.push_back(channel.count());
        counts.bytes += weight(frame);
        ++counts.kept;
        channel.frames.push_back(std::move(frame));
        if (channel.frames.size() == 2) oldest.emplace(channel.frames.front().index, channel.frames.front().channel);
        while ((counts.bytes > limits.bytes || counts.kept > limits.frames) && !oldest.empty()) drop_oldest();
    }

    void drop_oldest()
    {
        const auto number = oldest.begin()->second;
        oldest.erase(oldest.begin());
        auto& channel = channels[number];
        auto frame = std::move(channel.frames.front());
        channel.frames.pop_front();
        --counts.kept;
        counts.bytes -= weight(frame);
        for (auto& map : channel.maps) {
            if (map.numbers.empty() || map.numbers.front() != channel.first) continue;
            map.numbers.pop_front();
            map.last_dropped = frame;
            map.last_dropped_number = channel.first;
        }
        ++channel.first;
        if (channel.frames.size() > 1) oldest.emplace(channel.frames.front().index, number);
    }

    /// Null: it was dropped, or has not been received.
    [[nodiscard]] const Frame* find(std::uint32_t channel, std::uint64_t i) const
    {
        const auto& kept = channels[channel];
        if (i >= kept.first && i < kept.count()) return &kept.frames[i - kept.first];
        for (const auto& map : kept.maps)
            if (map.last_dropped && map.last_dropped_number == i) return &*map.last_dropped;
        return nullptr;
    }
};

LiveTrace::LiveTrace(TraceInfo info, LiveLimits limits) : info_(std::move(info)), store_(std::make_shared<Store>())
{
    store_->limits = limits;
    store_->channels.resize(info_.channels.size());
}

LiveTrace::LiveTrace(TraceInfo info, std::shared_ptr<Store> store) : info_(std::move(info)), store_(std::move(store)) {}

LiveTrace::~LiveTrace() = default;

std::shared_ptr<LiveTrace> LiveTrace::with_channels(TraceInfo info) const
{
    {
        const std::lock_guard lock(store_->mutex);
        store_->channels.resize(std::max(store_->channels.size(), info.channels.size()));
    }
    return std::shared_ptr<LiveTrace>(new LiveTrace(std::move(info), store_));
}

void LiveTrace::append(const Frame& frame)
{
    if (frame.channel >= info_.channels.size())
        throw Error(Cause::usage, {.file = info_.file}, "there is no channel " + std::to_string(frame.channel));
    const auto& channel = info_.channels[frame.channel];
    auto copy = frame;
    // A copy: the memory that a receiver lends may be larger than its message.
    auto bytes = std::make_shared<std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
    copy.bytes = *bytes;
    copy.owner = std::move(bytes);
    copy.owner_bytes = copy.bytes.size();
    copy.payload_offset.reset();
    if (!copy.time) copy.time = readable_timestamp(copy.bytes, channel, {.frame = copy.index});
    const auto share = can_have_map(channel) ? map_share(copy.bytes, channel) : MapShare::none;
    {
        const std::lock_guard lock(store_->mutex);
        store_->add(std::move(copy), share);
    }
    store_->arrived.notify_all();
}

void LiveTrace::close()
{
    {
        const std::lock_guard lock(store_->mutex);
        store_->closed = true;
    }
    store_->arrived.notify_all();
}

LiveCounts LiveTrace::counts() const
{
    const std::lock_guard lock(store_->mutex);
    return store_->counts;
}

LiveTimes LiveTrace::times(std::uint32_t channel, std::uint64_t from) const
{
    const std::lock_guard lock(store_->mutex);
    const auto& kept = store_->channels.at(channel);
    LiveTimes times{kept.first, std::clamp(from, kept.first, kept.count()), {}};
    times.times.reserve(kept.count() - times.from);
    for (auto i = times.from; i != kept.count(); ++i) times.times.push_back(kept.frames[i - kept.first].known_time());
    return times;
}

bool LiveTrace::wait(std::uint64_t received, std::stop_token stop) const
{
    std::unique_lock lock(store_->mutex);
    store_->arrived.wait(lock, stop, [&] { return store_->counts.received > received || store_->closed; });
    return store_->counts.received > received && !stop.stop_requested();
}

std::uint64_t LiveTrace::frame_count(std::uint32_t channel) const
{
    const std::lock_guard lock(store_->mutex);
    return store_->channels.at(channel).count();
}

std::uint64_t LiveTrace::first_frame(std::uint32_t channel) const
{
    const std::lock_guard lock(store_->mutex);
    return store_->channels.at(channel).first;
}

std::optional<std::uint64_t> LiveTrace::kept_map(std::uint32_t channel, std::uint64_t i, bool with_road) const
{
    const std::lock_guard lock(store_->mutex);
    const auto& map = store_->channels.at(channel).maps[with_road ? 1 : 0];
    const auto after = std::upper_bound(map.numbers.begin(), map.numbers.end(), i);
    if (after != map.numbers.begin()) return *std::prev(after);
    if (map.last_dropped && map.last_dropped_number <= i) return map.last_dropped_number;
    return std::nullopt;
}

Frame LiveTrace::frame(std::uint32_t channel, std::uint64_t i) const
{
    const std::lock_guard lock(store_->mutex);
    if (channel < store_->channels.size())
        if (const auto* const found = store_->find(channel, i)) return *found;
    const bool was_dropped = channel < store_->channels.size() && i < store_->channels[channel].first;
    throw Error(Cause::usage, {.file = info_.file},
                "frame " + std::to_string(i) + " of channel " + std::to_string(channel) +
                    (was_dropped ? " was dropped: the memory for live frames is full" : " has not been received"));
}

std::uint64_t LiveTrace::frame_bytes(std::uint32_t channel, std::uint64_t i) const
{
    return frame(channel, i).bytes.size();
}

FrameSizes LiveTrace::frame_sizes(std::uint32_t channel) const
{
    const std::lock_guard lock(store_->mutex);
    FrameSizes sizes;
    const auto& frames = store_->channels.at(channel).frames;
    if (!frames.empty()) sizes.smallest = frames.front().bytes.size();
    for (const auto& each : frames) {
        sizes.smallest = std::min<std::uint64_t>(sizes.smallest, each.bytes.size());
        sizes.largest = std::max<std::uint64_t>(sizes.largest, each.bytes.size());
        sizes.total += each.bytes.size();
    }
    return sizes;
}

std::optional<std::uint64_t> LiveTrace::frame_at(std::uint32_t channel, Nanoseconds t) const
{
    const std::lock_guard lock(store_->mutex);
    const auto& kept = store_->channels.at(channel);
    auto found = last_frame_until(kept.frames.size(), t, [&](std::uint64_t i) { return kept.frames[i].time; });
    if (found) *found += kept.first;
    return found;
}

class LiveTrace::Cursor final : public TraceReader {
public:
    explicit Cursor(std::shared_ptr<const LiveTrace> trace) : trace_(std::move(trace)) {}

    const TraceInfo& info() const noexcept override { return trace_->info(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (stop.stop_requested()) return false;
        const std::lock_guard lock(trace_->store_->mutex);
        const Frame* next = nullptr;
        const auto& channels = trace_->store_->channels;
        for (std::size_t i = 0; i != std::min(channels.size(), info().channels.size()); ++i) {
            const auto& frames = channels[i].frames;
            const auto found = std::ranges::lower_bound(frames, next_, {}, &Frame::index);
            if (found != frames.end() && (next == nullptr || found->index < next->index)) next = &*found;
        }
        if (next == nullptr) return false;
        frame = *next;
        next_ = frame.index + 1;
        bytes_ += frame.bytes.size();
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return bytes_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    void seek_frame(std::uint64_t i) override { next_ = i; }
    void seek_time(Nanoseconds t) override
    {
        const std::lock_guard lock(trace_->store_->mutex);
        next_ = trace_->store_->counts.received;
        for (const auto& channel : trace_->store_->channels) {
            const auto found = std::ranges::find_if(channel.frames, [&](const Frame& each) { return each.time >= t; });
            if (found != channel.frames.end()) next_ = std::min(next_, found->index);
        }
    }

private:
    std::shared_ptr<const LiveTrace> trace_;
    std::uint64_t next_ = 0;  ///< index of the next frame
    std::uint64_t bytes_ = 0;
};

std::unique_ptr<TraceReader> LiveTrace::reader() const
{
    return std::make_unique<Cursor>(std::static_pointer_cast<const LiveTrace>(shared_from_this()));
}

const LiveTrace* as_live(const Trace& trace) noexcept { return dynamic_cast<const LiveTrace*>(&trace); }

bool wait_for_frame(const Trace& trace, std::uint32_t channel, std::uint64_t i, const std::stop_token& stop)
{
    const auto* const live = as_live(trace);
    if (live == nullptr) return false;
    for (;;) {
        const auto received = live->counts().received;  // first: what arrives after it ends the wait
        if (live->frame_count(channel) > i) return true;
        if (!live->wait(received, stop)) return false;
    }
}

}  // namespace ositrace
