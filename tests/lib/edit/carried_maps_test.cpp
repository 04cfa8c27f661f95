// SPDX-License-Identifier: MPL-2.0
// The message of a map channel, which is carried into every part of a trace.
#include <ositrace/edit/cut.hpp>
#include <ositrace/edit/split.hpp>
#include <ositrace/trace_map.hpp>

#include "tests/catch.hpp"
#include "tests/lib/edit/edited.hpp"

using namespace ositrace;
using Lines = std::vector<std::string>;

namespace {

/// The seconds 0, 1, ... of a channel, and a map in another one: before frame number `map_at`, at time 0.
class MapTrace final : public FrameSource {
public:
    MapTrace(std::uint64_t frames, std::uint64_t map_at) : frames_(frames), map_at_(map_at), info_(ground_truth_info())
    {
        info_.channels[0].topic = "/ground_truth";
        Channel map;
        map.topic = "/ground_truth_map";
        map.type_name = "osi3.MapAsamOpenDrive";
        info_.channels.push_back(map);
    }

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token) override
    {
        const bool is_map = next_ == map_at_ && !has_map_;
        if (next_ == frames_ && !is_map) return false;
        has_map_ = has_map_ || is_map;
        payload_ = is_map ? "map" : time_field(static_cast<std::uint8_t>(next_));
        frame = {};
        frame.bytes = bytes_of(payload_);
        frame.channel = is_map ? 1 : 0;
        frame.index = index_++;
        frame.log_time = frame.publish_time = is_map ? Nanoseconds(0) : std::chrono::seconds(next_++);
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    std::uint64_t frames_, map_at_;
    std::uint64_t next_ = 0, index_ = 0;
    bool has_map_ = false;
    std::string payload_;  // the reader keeps it only until the next frame
    TraceInfo info_;
};

/// `map 2`, `frame 2`: what a source gives, with the seconds of the log time.
Lines lines_of(FrameSource& source)
{
    Lines lines;
    for (Frame frame; source.read(frame, {});)
        lines.push_back((is_map_channel(source.info().channels[frame.channel]) ? "map " : "frame ") +
                        std::to_string(frame.log_time->count() / 1'000'000'000));
    return lines;
}

Lines cut_lines(std::uint64_t map_at, CutOptions options)
{
    return lines_of(*cut(std::make_unique<MapTrace>(5, map_at), std::move(options)));
}

std::vector<Lines> pieces(std::uint64_t map_at, SplitOptions options, std::uint64_t frames = 5)
{
    Splitter splitter(std::make_unique<MapTrace>(frames, map_at), std::move(options));
    std::vector<Lines> all;
    while (splitter.next()) all.push_back(lines_of(splitter.piece()));
    return all;
}

}  // namespace

TEST_CASE("the map of a channel goes into every section, before its first frame")
{
    for (const auto map_at : {0, 1, 2}) {
        CutOptions options;
        options.frames = {3, 5};
        CHECK(cut_lines(static_cast<std::uint64_t>(map_at), options) == Lines{"map 2", "frame 2", "frame 3"});
        options.frames = {};
        options.time = TimeRange::parse("2:4");
        CHECK(cut_lines(static_cast<std::uint64_t>(map_at), options) == Lines{"map 2", "frame 2", "frame 3"});
    }
    CutOptions thin;
    thin.every = 2;
    CHECK(cut_lines(0, thin) == Lines{"map 0", "frame 0", "frame 2", "frame 4"});
}

TEST_CASE("a map after the section is carried, too, and one without a frame is not")
{
    CutOptions options;
    options.frames = {1, 3};
    CHECK(cut_lines(5, options) == Lines{"frame 1", "frame 2", "map 2"});
    options.frames = {9, 10};
    CHECK(cut_lines(0, options).empty());
    options.frames = {};
    options.topic = TopicPattern("map");
    CHECK(cut_lines(3, options) == Lines{"map 0"});
    options.topic = TopicPattern("truth$");
    options.every = 4;
    CHECK(cut_lines(3, options) == Lines{"frame 0", "frame 4"});
}

TEST_CASE("a map that was carried is reported, and with --static drop it is a frame like others")
{
    std::vector<CarriedPart> parts;
    CutOptions options;
    options.on_carry = [&](const CarriedPart& part) { parts.push_back(part); };
    CHECK(cut_lines(0, options).size() == 6);
    CHECK(parts.empty());
    options.time = TimeRange::parse("3:");
    CHECK(cut_lines(0, options) == Lines{"map 3", "frame 3", "frame 4"});
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].channel == 1);
    CHECK(parts[0].frame == 0);
    CHECK(parts[0].fields.empty());
    options.carry_static = false;
    CHECK(cut_lines(0, options) == Lines{"frame 3", "frame 4"});
}

TEST_CASE("every piece has the map, which is no frame of it")
{
    SplitOptions options;
    options.every_frames = 2;
    CHECK(pieces(0, options) ==
          std::vector<Lines>{{"map 0", "frame 0", "frame 1"}, {"map 2", "frame 2", "frame 3"}, {"map 4", "frame 4"}});
    CHECK(pieces(3, options) ==
          std::vector<Lines>{{"frame 0", "frame 1"}, {"frame 2", "map 3", "frame 3"}, {"map 4", "frame 4"}});
    CHECK(pieces(5, options).back() == Lines{"frame 4", "map 4"});
    CHECK(pieces(0, options, 0) == std::vector<Lines>{{"map 0"}});
    options.carry_static = false;
    CHECK(pieces(0, options)[1] == Lines{"frame 2", "frame 3"});
    options = {};
    options.every_time = std::chrono::seconds(3);
    CHECK(pieces(1, options)[1] == Lines{"map 3", "frame 3", "frame 4"});
}
