// SPDX-License-Identifier: MPL-2.0
#include <ositrace/catalog.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/time_steps.hpp"

namespace ositrace {

namespace {

/// What the first and the last frame of a channel state besides their times.
class EndsOfChannel {
public:
    explicit EndsOfChannel(CatalogChannel& row) : row_(row) {}

    void add(const Frame& frame, bool first)
    {
        const auto& channel = row_.channel;
        if (!channel.root) return;
        note_version(osi_version_of(frame.bytes, channel));
        for_each_ground_truth(MessageView(frame.bytes, *channel.root, channel.format),
                              [&](const MessageView& truth) { add_ground_truth(truth, first); });
    }

private:
    void add_ground_truth(const MessageView& truth, bool first)
    {
        note_version(osi_version_of(truth));
        if (first) {
            row_.static_data = row_.static_data.value_or(false) || has_static_data(truth);
            const auto host = FieldPath::compile(truth.table(), "host_vehicle_id.value").get(truth);
            if (const auto* const id = std::get_if<std::uint64_t>(&host)) row_.host = *id;
        }
        add_positions(truth);
    }

    void add_positions(const MessageView& truth)
    {
        constexpr auto kept = FieldPath::Unset::kept;
        std::vector<Value> x, y;
        FieldPath::compile(truth.table(), "moving_object[*].base.position.x").collect(truth, x, kept);
        FieldPath::compile(truth.table(), "moving_object[*].base.position.y").collect(truth, y, kept);
        for (std::size_t i = 0; i != std::min(x.size(), y.size()); ++i) {
            const auto* const at_x = std::get_if<double>(&x[i]);
            const auto* const at_y = std::get_if<double>(&y[i]);
            if (at_x && at_y && std::isfinite(*at_x) && std::isfinite(*at_y)) note_position(*at_x, *at_y);
        }
    }

    void note_position(double x, double y)
    {
        auto& bounds = row_.bounds;
        if (!bounds) bounds = PositionBounds{x, x, y, y};
        bounds = PositionBounds{std::min(bounds->x_min, x), std::max(bounds->x_max, x), std::min(bounds->y_min, y),
                                std::max(bounds->y_max, y)};
    }

    void note_version(const std::optional<OsiVersion>& version)
    {
        auto& versions = row_.osi_versions;
        if (!version) return;
        const auto place = std::ranges::lower_bound(versions, *version);
        if (place == versions.end() || *place != *version) versions.insert(place, *version);
    }

    CatalogChannel& row_;
};

class EntryMaker {
public:
    explicit EntryMaker(const Trace& trace) : trace_(trace) {}

    CatalogEntry run(const std::stop_token& stop)
    {
        const auto& channels = trace_.info().channels;
        for (std::uint32_t i = 0; i != channels.size(); ++i) {
            if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = trace_.info().file}, "cancelled");
            entry_.channels.push_back({.channel = channels[i]});
            add(entry_.channels.back(), i);
        }
        if (channels.empty()) read_whole(stop);
        try {
            entry_.places = trace_.places(catalog_place_bytes);
        } catch (const Error& error) {
            note(error);
        }
        return std::move(entry_);
    }

private:
    void add(CatalogChannel& row, std::uint32_t channel)
    {
        try {
            row.frames = trace_.frame_count(channel);
        } catch (const Error& error) {
            note(error);
            row.frames = error.where().frame.value_or(0);
        }
        row.times = trace_.indexed_times(channel);
        timed_ = row.frames;
        if (row.times) {
            if (!ends_have_log_times(row, channel)) read_times(row, channel);
            const auto stated = row.channel.metadata.find(std::string(osi_metadata::channel_osi_version_key));
            if (stated != row.channel.metadata.end())
                if (const auto version = release_in(stated->second)) row.osi_versions.push_back(*version);
        } else if (row.frames != 0) {
            read_ends(row, channel);
            read_times(row, channel);
        }
        row.rate_hz = rate_of(timed_, row.times);
    }

    /// A trace without channels has no frames, or its file breaks before the first one: its reader says so.
    void read_whole(const std::stop_token& stop)
    {
        try {
            const auto reader = trace_.reader();
            for (Frame frame; reader->read(frame, stop);) {
            }
        } catch (const Error& error) {
            note(error);
        }
    }

    void read_ends(CatalogChannel& row, std::uint32_t channel)
    {
        EndsOfChannel ends(row);
        for (const auto number : {std::uint64_t{0}, row.frames - 1}) try {
                ends.add(trace_.frame(channel, number), number == 0);
            } catch (const Error& error) {
                note(error);
            }
    }

    /// Are the log times of the first and the last frame their timestamps? Frames without one have log times.
    bool ends_have_log_times(const CatalogChannel& row, std::uint32_t channel)
    try {
        if (row.frames == 0 || !has_timestamp(row.channel)) return true;
        return std::ranges::all_of(std::array{std::uint64_t{0}, row.frames - 1}, [&](std::uint64_t number) {
            const auto time = trace_.frame_time(channel, number);
            return !time || time == trace_.log_time(channel, number);
        });
    } catch (const Error& error) {
        note(error);
        return true;
    }

    /// Of all frames: the last one has not the last time where a recording begins again.
    void read_times(CatalogChannel& row, std::uint32_t channel)
    {
        const bool has_log_times = row.times.has_value();
        timed_ = 0;
        row.times.reset();
        for (std::uint64_t i = 0; i != row.frames; ++i) try {
                auto time = trace_.frame_time(channel, i);
                if (!time && has_log_times) time = trace_.log_time(channel, i);
                if (!time) continue;
                include_time(row.times, *time);
                ++timed_;
            } catch (const Error& error) {
                note(error);
            }
    }

    void note(const Error& error)
    {
        if (!is_damage(error) && error.cause() != Cause::unsupported) throw error;
        if (!entry_.damage) entry_.damage = error.what();
    }

    const Trace& trace_;
    CatalogEntry entry_;
    std::uint64_t timed_ = 0;  ///< frames of the channel at hand that have a time
};

/// `2024-06-18` of a text that begins with these digits, with or without hyphens; else empty.
std::string date_in(std::string_view text)
{
    std::string digits;
    for (const char c : text) {
        if (c == '-' && (digits.size() == 4 || digits.size() == 6)) continue;
        if (c < '0' || c > '9') break;
        digits += c;
    }
    if (digits.size() != 8) return {};
    const auto month = std::stoi(digits.substr(4, 2)), day = std::stoi(digits.substr(6));
    if (month < 1 || month > 12 || day < 1 || day > 31) return {};
    return digits.substr(0, 4) + '-' + digits.substr(4, 2) + '-' + digits.substr(6);
}

}  // namespace

CatalogEntry catalog_entry(const Trace& trace, std::stop_token stop) { return EntryMaker(trace).run(stop); }

PathFacts facts_of_path(const std::filesystem::path& file)
{
    PathFacts facts{.campaign = {}, .date = date_in(file.filename().string())};
    for (auto folder = file.parent_path(); folder.has_filename(); folder = folder.parent_path()) {
        const auto name = folder.filename().string();
        const auto date = date_in(name);
        if (facts.date.empty()) facts.date = date;
        if (date.empty() && facts.campaign.empty() && name != "." && name != "..") facts.campaign = name;
    }
    return facts;
}

bool is_catalog_table(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::string begin(catalog_begin_bytes, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return begins_catalog_table(std::string_view(begin).substr(0, static_cast<std::size_t>(in.gcount())));
}

bool begins_catalog_table(std::string_view begin)
{
    begin = begin.substr(0, begin.find('\n'));
    const auto size = begin.find("\", \"size\": "), changed = begin.find(", \"mtime_ns\": ");
    return begin.starts_with("{\"path\": \"") && size < changed && changed != std::string::npos;
}

}  // namespace ositrace
