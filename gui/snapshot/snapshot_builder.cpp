// SPDX-License-Identifier: MPL-2.0
#include "gui/snapshot/snapshot_builder.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "gui/compare/comparison.hpp"

namespace ositrace::gui {

bool have_same_channels(const Snapshot* a, const Snapshot* b)
{
    if (a == nullptr || b == nullptr) return a == b;
    return std::ranges::equal(a->channels, b->channels, {}, &ShownFrame::channel, &ShownFrame::channel);
}

std::size_t Snapshot::bytes() const noexcept
{
    std::size_t total = sizeof(*this) + channels.size() * sizeof(ShownFrame) + (picture ? picture->bytes() : 0);
    for (const auto& each : channels)
        total += each.frame ? std::max(each.frame->bytes.size(), each.frame->owner_bytes) : 0;
    return total + (comparison ? comparison->bytes() : 0);
}

std::shared_ptr<const Snapshot> SnapshotCache::find(const SnapshotKey& key)
{
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->snapshot;
}

void SnapshotCache::keep(const SnapshotKey& key, std::shared_ptr<const Snapshot> snapshot)
{
    const auto bytes = snapshot->bytes();
    if (bytes > budget_ / 2 || by_key_.contains(key)) return;
    by_use_.push_front({key, std::move(snapshot), bytes});
    by_key_.emplace(key, by_use_.begin());
    bytes_ += bytes;
    while (bytes_ > budget_) {
        bytes_ -= by_use_.back().bytes;
        by_key_.erase(by_use_.back().key);
        by_use_.pop_back();
    }
}

void SnapshotCache::clear() noexcept
{
    by_key_.clear();
    by_use_.clear();
    bytes_ = 0;
}

namespace {

/// If only every stride-th time is known, searches for the message between two known ones.
std::uint64_t exact_number(const OpenChannel& channel, std::uint64_t number, Nanoseconds t)
try {
    const auto end = std::min(number + channel.times->stride, channel.times->count);
    while (number + 1 < end) {
        const auto time = channel.trace->frame_time(channel.in_trace, number + 1);
        if (!time || shifted(*time, channel.shift) > t) break;
        ++number;
    }
    return number;
} catch (const Error&) {
    return number;  // reading the message reports the error
}

/// Frames of a container with chunks keep their whole chunk alive: a cache of them would hold the file. A chunk that is
/// little larger than its frame is not copied.
Frame detached(Frame frame, const Trace& trace)
{
    const bool owns_little_more = frame.owner_bytes != 0 && frame.owner_bytes / 2 <= frame.bytes.size();
    if (!trace.info().container.chunks || owns_little_more) return frame;
    auto bytes = std::make_shared<std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
    frame.bytes = *bytes;
    frame.owner = std::move(bytes);
    frame.owner_bytes = frame.bytes.size();
    return frame;
}

/// The error as shown on the screen.
std::string error_text(const std::exception& error)
{
    if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
    return "there is not enough memory to show this message";
}

void read_into(ShownFrame& shown, const OpenChannel& channel)
try {
    shown.frame = detached(channel.trace->frame(channel.in_trace, shown.number), *channel.trace);
} catch (const std::exception& error) {
    shown.problem = error_text(error);
}

/// A snapshot of all channels without messages.
std::shared_ptr<const Snapshot> empty_snapshot(const SnapshotRequest& request, const std::string& why)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->time = request.time;
    snapshot->generation = request.generation;
    for (const auto& each : *request.channels)
        snapshot->channels.push_back({.channel = each.channel, .problem = why, .name = each.name});
    snapshot->picture = std::make_shared<const Picture>();
    return snapshot;
}

}  // namespace

SnapshotKey key_of(const SnapshotRequest& request, const std::vector<std::optional<std::uint64_t>>& numbers)
{
    SnapshotKey key;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        const auto is_past = numbers[i] && channel.is_past(*numbers[i], request.time);
        const auto absent = ~std::uint64_t{0} - (channel.is_unknown(request.time) ? 1 : 0);
        key.push_back(numbers[i] ? 4 * *numbers[i] + (channel.shown ? 1 : 0) + (is_past ? 2 : 0) : absent);
    }
    key.push_back(static_cast<std::uint64_t>(request.trail.count()));
    return key;
}

std::vector<std::optional<std::uint64_t>> numbers_at(const SnapshotRequest& request)
{
    std::vector<std::optional<std::uint64_t>> numbers;
    for (std::size_t i = 0; i != request.channels->size(); ++i) {
        const auto& channel = (*request.channels)[i];
        auto number = channel.last_until(request.time);
        if (number && channel.times->stride > 1) number = exact_number(channel, *number, request.time);
        if (request.pinned && request.pinned->source == i && request.pinned->number >= channel.times->first &&
            request.pinned->number < channel.times->count)
            number = request.pinned->number;
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<SnapshotRequest> next_request(const SnapshotRequest& request, int direction)
{
    const auto numbers = numbers_at(request);
    std::optional<Nanoseconds> next;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        std::optional<Nanoseconds> time;
        if (direction > 0) {
            const auto number = numbers[i] ? *numbers[i] + 1 : channel.times->first;
            if (number < channel.times->count) time = channel.time_of(number);
            if (time && (!next || *time < *next)) next = time;
        } else if (numbers[i] && *numbers[i] > channel.times->first) {
            time = channel.time_of(*numbers[i] - 1);
            if (!next || *time > *next) next = time;
        }
    }
    if (!next || *next == request.time) return std::nullopt;
    auto moved = request;
    moved.time = *next;
    moved.pinned.reset();
    return moved;
}

std::shared_ptr<const Snapshot> SnapshotBuilder::build(const SnapshotRequest& request)
try {
    begin(request);
    auto snapshot = built(request);
    if (request.with_next) snapshot->next = next_of(*snapshot, request);
    return snapshot;
} catch (const std::exception& error) {
    cache_.clear();  // the error may be a lack of memory
    return empty_snapshot(request, error_text(error));
}

/// Not after a pause of the channels, in which nobody knows how things moved.
std::optional<Snapshot::Next> SnapshotBuilder::next_of(const Snapshot& snapshot, SnapshotRequest request)
{
    constexpr auto longest = std::chrono::seconds(1);
    std::optional<Nanoseconds> since;
    for (const auto& each : snapshot.channels)
        if (each.frame && !each.is_past) since = std::max(since.value_or(each.time), each.time);
    const auto following = next_request(request, 1);
    if (!since || !following || following->time - *since > longest || following->time <= *since) return std::nullopt;
    request = *following;
    return Snapshot::Next{built(request)->picture, *since, request.time};
}

/// The snapshot in the cache is another one.
std::shared_ptr<Snapshot> SnapshotBuilder::built(const SnapshotRequest& request)
{
    const auto begun = std::chrono::steady_clock::now();
    const auto numbers = numbers_at(request);
    const auto key = key_of(request, numbers);
    if (const auto kept = cache_.find(key)) {
        auto again = std::make_shared<Snapshot>(*kept);
        again->time = request.time;
        again->generation = request.generation;
        again->build_time = std::chrono::steady_clock::now() - begun;
        return again;
    }
    const auto snapshot = read(request, numbers);
    snapshot->key = key;
    snapshot->picture = picture_of(*snapshot, request);
    snapshot->comparison = comparisons_.make(*snapshot, *request.channels, request.compared);
    snapshot->build_time = std::chrono::steady_clock::now() - begun;
    largest_ = std::max(largest_, snapshot->bytes());
    if (!snapshot->comparison || snapshot->comparison->is_final)
        cache_.keep(key, request.with_next ? std::make_shared<const Snapshot>(*snapshot) : snapshot);
    return snapshot;
}

bool SnapshotBuilder::build_ahead(const SnapshotRequest& request)
{
    if (largest_ > cache_.budget() / 8) return false;
    [[maybe_unused]] const auto built = build(request);
    return true;
}

std::shared_ptr<Snapshot> SnapshotBuilder::read(const SnapshotRequest& request,
                                                const std::vector<std::optional<std::uint64_t>>& numbers)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->time = request.time;
    snapshot->generation = request.generation;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        auto& shown = snapshot->channels.emplace_back();
        shown.channel = channel.channel;
        shown.name = channel.name;
        if (!numbers[i]) {
            shown.problem = channel.absence(request.time);
            continue;
        }
        shown.number = *numbers[i];
        shown.time = channel.time_of(*numbers[i]);
        shown.is_past = channel.is_past(*numbers[i], request.time);
        read_into(shown, channel);
        if (shown.frame && shown.frame->time && channel.times->stride > 1)
            shown.time = shifted(*shown.frame->time, channel.shift);
    }
    return snapshot;
}

std::shared_ptr<const Picture> SnapshotBuilder::picture_of(const Snapshot& snapshot, const SnapshotRequest& request)
try {
    const auto& channels = *request.channels;
    std::vector<Trails> trails(channels.size());
    std::vector<std::optional<MapFinder::Found>> maps(channels.size());
    std::vector<PictureSource> sources;
    for (std::size_t i = 0; i != channels.size(); ++i) {
        const auto& shown = snapshot.channels[i];
        PictureSource source{.channel = shown.channel.get(), .is_past = shown.is_past, .shown = channels[i].shown};
        if (shown.frame) {
            source.frame = &*shown.frame;
            maps[i] = maps_[i].find(channels[i].in_trace, shown.number, *shown.frame);
        }
        if (shown.frame && request.trail > Nanoseconds(0) && channels[i].shown) {
            const auto since = channels[i].last_until(shown.time - request.trail);
            trails[i] = trails_[i].find(channels[i].in_trace, since ? *since + 1 : 0, shown.number);
            source.trails = &trails[i];
        }
        if (maps[i]) {
            source.statics = &maps[i]->frame;
            source.statics_number = maps[i]->number;
            source.statics_name = maps[i]->beside;
            source.statics_replace = maps[i]->replaces;
        }
        sources.push_back(source);
    }
    return pictures_.make(sources);
} catch (const std::exception& error) {
    auto empty = std::make_shared<Picture>();
    empty->notes.push_back({0, PictureNote::Kind::broken, error_text(error)});
    return empty;
}

void SnapshotBuilder::begin(const SnapshotRequest& request)
{
    const auto& channels = request.channels;
    if (compared_ != request.compared) cache_.clear();
    compared_ = request.compared;
    const auto is_same = [](const Source& source, const OpenChannel& channel) {
        return source.trace == channel.trace && source.shift == channel.shift;
    };
    if (std::equal(sources_.begin(), sources_.end(), channels->begin(), channels->end(), is_same)) return;
    cache_.clear();
    sources_.clear();  // if building them fails, the maps belong to no channels
    maps_.clear();
    trails_.clear();
    largest_ = 0;
    std::vector<Source> sources;
    for (const auto& each : *channels) {
        sources.push_back({each.trace, each.shift});
        maps_.emplace_back(each.trace);
        trails_.emplace_back(each.trace);
    }
    sources_ = std::move(sources);
}

}  // namespace ositrace::gui
