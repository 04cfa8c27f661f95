// SPDX-License-Identifier: MPL-2.0
#include "gui/session/moment_maker.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

/// Where times are thinned out, the message is searched for between two that are known.
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
    return number;  // reading it says why
}

/// Frames of a container with chunks keep their whole chunk alive: a cache of them would hold the file. A chunk that is
/// little more than its frame stays as it is.
Frame on_its_own(Frame frame, const Trace& trace)
{
    const bool owns_little_more = frame.owner_bytes != 0 && frame.owner_bytes / 2 <= frame.bytes.size();
    if (trace.info().container != "mcap" || owns_little_more) return frame;
    auto bytes = std::make_shared<std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
    frame.bytes = *bytes;
    frame.owner = std::move(bytes);
    frame.owner_bytes = frame.bytes.size();
    return frame;
}

/// As it stands on the screen.
std::string words_of(const std::exception& error)
{
    if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
    return "there is not enough memory to show this message";
}

void read_into(ShownFrame& shown, const OpenChannel& channel)
try {
    shown.frame = on_its_own(channel.trace->frame(channel.in_trace, shown.number), *channel.trace);
} catch (const std::exception& error) {
    shown.problem = words_of(error);
}

/// All channels without their messages.
std::shared_ptr<const Moment> unmade(const MomentRequest& request, const std::string& why)
{
    auto moment = std::make_shared<Moment>();
    moment->time = request.time;
    moment->generation = request.generation;
    for (const auto& each : *request.channels)
        moment->channels.push_back({.channel = each.channel, .problem = why, .name = each.name});
    moment->picture = std::make_shared<const Picture>();
    return moment;
}

}  // namespace

MomentKey key_of(const MomentRequest& request, const std::vector<std::optional<std::uint64_t>>& numbers)
{
    MomentKey key;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        const auto is_past = numbers[i] && channel.is_past(*numbers[i], request.time);
        key.push_back(numbers[i] ? 4 * *numbers[i] + (channel.shown ? 1 : 0) + (is_past ? 2 : 0) : ~std::uint64_t{0});
    }
    return key;
}

std::vector<std::optional<std::uint64_t>> numbers_at(const MomentRequest& request)
{
    std::vector<std::optional<std::uint64_t>> numbers;
    for (std::size_t i = 0; i != request.channels->size(); ++i) {
        const auto& channel = (*request.channels)[i];
        auto number = channel.last_until(request.time);
        if (number && channel.times->stride > 1) number = exact_number(channel, *number, request.time);
        if (request.pinned && request.pinned->source == i && request.pinned->number < channel.times->count)
            number = request.pinned->number;
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<MomentRequest> next_request(const MomentRequest& request, int direction)
{
    const auto numbers = numbers_at(request);
    std::optional<Nanoseconds> next;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        std::optional<Nanoseconds> time;
        if (direction > 0) {
            const auto number = numbers[i] ? *numbers[i] + 1 : 0;
            if (number < channel.times->count) time = channel.time_of(number);
            if (time && (!next || *time < *next)) next = time;
        } else if (numbers[i] && *numbers[i] > 0) {
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

std::shared_ptr<const Moment> MomentMaker::make(const MomentRequest& request)
try {
    const auto begun = std::chrono::steady_clock::now();
    begin(request.channels);
    const auto numbers = numbers_at(request);
    const auto key = key_of(request, numbers);
    if (const auto kept = cache_.find(key)) {
        auto again = std::make_shared<Moment>(*kept);
        again->time = request.time;
        again->generation = request.generation;
        again->made_in = std::chrono::steady_clock::now() - begun;
        return again;
    }
    const auto moment = read(request, numbers);
    moment->key = key;
    moment->picture = picture_of(*moment, *request.channels);
    moment->made_in = std::chrono::steady_clock::now() - begun;
    largest_ = std::max(largest_, moment->bytes());
    cache_.keep(key, moment);
    return moment;
} catch (const std::exception& error) {
    cache_.clear();  // memory may be what is missing
    return unmade(request, words_of(error));
}

bool MomentMaker::make_ahead(const MomentRequest& request)
{
    if (largest_ > cache_.budget() / 8) return false;
    [[maybe_unused]] const auto made = make(request);
    return true;
}

std::shared_ptr<Moment> MomentMaker::read(const MomentRequest& request,
                                          const std::vector<std::optional<std::uint64_t>>& numbers)
{
    auto moment = std::make_shared<Moment>();
    moment->time = request.time;
    moment->generation = request.generation;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        const auto& channel = (*request.channels)[i];
        auto& shown = moment->channels.emplace_back();
        shown.channel = channel.channel;
        shown.name = channel.name;
        if (!numbers[i]) continue;
        shown.number = *numbers[i];
        shown.time = channel.time_of(*numbers[i]);
        shown.is_past = channel.is_past(*numbers[i], request.time);
        read_into(shown, channel);
        if (shown.frame && shown.frame->time && channel.times->stride > 1)
            shown.time = shifted(*shown.frame->time, channel.shift);
    }
    return moment;
}

std::shared_ptr<const Picture> MomentMaker::picture_of(const Moment& moment, const OpenChannels& channels)
try {
    std::vector<std::optional<MapFinder::Found>> maps(channels.size());
    std::vector<PictureSource> sources;
    for (std::size_t i = 0; i != channels.size(); ++i) {
        const auto& shown = moment.channels[i];
        PictureSource source{.channel = shown.channel.get(), .is_past = shown.is_past, .shown = channels[i].shown};
        if (shown.frame) {
            source.frame = &*shown.frame;
            maps[i] = maps_[i].find(channels[i].in_trace, shown.number, *shown.frame);
        }
        if (maps[i]) {
            source.statics = &maps[i]->frame;
            source.statics_number = maps[i]->number;
        }
        sources.push_back(source);
    }
    return pictures_.make(sources);
} catch (const std::exception& error) {
    auto empty = std::make_shared<Picture>();
    empty->notes.push_back({0, PictureNote::Kind::broken, words_of(error)});
    return empty;
}

void MomentMaker::begin(const std::shared_ptr<const OpenChannels>& channels)
{
    const auto is_same = [](const Source& source, const OpenChannel& channel) {
        return source.trace == channel.trace && source.shift == channel.shift;
    };
    if (std::equal(sources_.begin(), sources_.end(), channels->begin(), channels->end(), is_same)) return;
    cache_.clear();
    sources_.clear();  // while something is missing, the maps belong to nothing
    maps_.clear();
    largest_ = 0;
    std::vector<Source> sources;
    for (const auto& each : *channels) {
        sources.push_back({each.trace, each.shift});
        maps_.emplace_back(each.trace);
    }
    sources_ = std::move(sources);
}

}  // namespace ositrace::gui
