// SPDX-License-Identifier: MPL-2.0
#include <ositrace/live_feed.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

constexpr Nanoseconds disorder = std::chrono::seconds(1);  ///< as networks and several channels cause it

bool is_same(const Channel& a, const Channel& b)
{
    const bool same_record =
        a.schema_record == b.schema_record ||
        (a.schema_record != nullptr && b.schema_record != nullptr && *a.schema_record == *b.schema_record);
    return a.topic == b.topic && a.type_name == b.type_name && a.format == b.format && same_record;
}

void wait_for(std::chrono::milliseconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

LiveFeed::LiveFeed(OpenLiveSource open, LiveFeedOptions options)
    : open_(std::move(open)), options_(std::move(options)), thread_([this](const std::stop_token& stop) { run(stop); })
{
}

LiveFeed::~LiveFeed()
{
    thread_.request_stop();
    thread_.join();
}

void LiveFeed::run(const std::stop_token& stop)
{
    set_state(LiveState::waiting, "waiting for " + options_.waits_for);
    while (!stop.stop_requested() && receive(stop)) wait_for(options_.retry_after, stop);
}

/// From opening the source to its end. Returns false if it is not to be opened again.
bool LiveFeed::receive(const std::stop_token& stop)
try {
    const auto source = open_(stop, [this] {
        ++status_.lost;
        set_state(status_.state, status_.text);
    });
    begin_source(*source);
    is_first_frame_ = true;
    set_state(LiveState::receiving, {});
    Frame frame;
    while (source->read(frame, stop)) {
        take(frame, *source);
        frame = {};  // its memory returns to the receiver
    }
    if (!stop.stop_requested()) set_state(LiveState::waiting, "the sender has gone, waiting for " + options_.waits_for);
    return true;
} catch (const Error& error) {
    if (stop.stop_requested()) return false;
    const bool is_final = error.cause() == Cause::usage || error.cause() == Cause::unsupported;
    set_state(is_final ? LiveState::failed : LiveState::waiting, error.what());
    return !is_final;
} catch (const std::exception& error) {
    set_state(LiveState::failed, error.what());
    return false;
}

void LiveFeed::begin_source(const FrameSource& source)
{
    const auto& info = source.info();
    const bool goes_on = trace_ && std::ranges::equal(trace_->info().channels, info.channels, is_same);
    if (!goes_on) begin_trace(info);
}

void LiveFeed::begin_trace(TraceInfo info)
{
    last_times_.assign(info.channels.size(), std::nullopt);
    trace_ = std::make_shared<LiveTrace>(std::move(info), options_.limits);
    progress_.set_trace(trace_);
}

void LiveFeed::take(const Frame& received, const FrameSource& source)
{
    if (source.info().channels.size() > trace_->info().channels.size()) {
        trace_ = trace_->with_channels(source.info());
        last_times_.resize(source.info().channels.size());
        progress_.set_trace(trace_);
    }
    auto frame = received;
    const auto& channel = trace_->info().channels.at(frame.channel);
    if (channel.root != nullptr)
        if (const auto time = readable_timestamp(frame.bytes, channel, {.frame = frame.index})) frame.time = time;
    if (begins_again(frame)) begin_trace(source.info());
    if (const auto time = frame.known_time())
        last_times_[frame.channel] = std::max(*time, last_times_[frame.channel].value_or(*time));
    trace_->append(frame);
    if (std::exchange(is_first_frame_, false)) {
        ++status_.starts;
        set_state(status_.state, status_.text);
    }
    progress_.frame_added();
}

bool LiveFeed::begins_again(const Frame& frame) const
{
    const auto time = frame.known_time();
    const auto& last = last_times_[frame.channel];
    if (!time || !last || *time >= *last) return false;
    const auto first_time = trace_->frame(frame.channel, trace_->first_frame(frame.channel)).known_time();
    // As unsigned: the difference of two times of a hostile sender may exceed int64.
    const auto back = static_cast<std::uint64_t>(last->count()) - static_cast<std::uint64_t>(time->count());
    return back > static_cast<std::uint64_t>(disorder.count()) || (first_time && *time <= *first_time);
}

void LiveFeed::set_state(LiveState state, std::string text)
{
    status_.last_frame = progress_.view().status.last_frame;
    status_.state = state;
    status_.text = std::move(text);
    progress_.set_status(status_);
}

}  // namespace ositrace
