// SPDX-License-Identifier: MPL-2.0
// What is not OSI in an MCAP file survives every edit.
#include <array>

#include <ositrace/convert.hpp>
#include <ositrace/edit/concat.hpp>
#include <ositrace/edit/cut.hpp>
#include <ositrace/edit/rename.hpp>
#include <ositrace/edit/split.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/edit/wrap.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/lib/edit/edited.hpp"
#include "tests/lib/mcap/foreign_channel.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

Attachment attachment()
{
    Attachment map;
    map.name = "map.xodr";
    map.media_type = "application/xml";
    map.bytes = 3;
    map.read = [](const std::function<void(Bytes)>& take) { take(bytes_of("xml")); };
    return map;
}

/// Ground truth every second, the map in the first, and a foreign message half a second behind each.
void write_sample(const std::filesystem::path& file)
{
    auto info = ground_truth_info();
    info.channels.front().topic = "truth";
    info.channels.push_back(foreign_channel());
    info.metadata = {{"com.example.weather", {{"rain", "none"}}}};
    info.attachments = {attachment()};
    const auto writer = create_trace(file, info);
    for (std::uint8_t second = 0; second < 4; ++second) {
        const auto payload = time_field(second) + (second == 0 ? lane(1) : "");
        const std::string speed = "{\"v\":" + std::to_string(second) + '}';
        Frame frame;
        frame.index = 2u * second;
        frame.bytes = bytes_of(payload);
        writer->write(frame);
        frame.index = 2u * second + 1;
        frame.bytes = bytes_of(speed);
        frame.channel = 1;
        frame.log_time = frame.publish_time = std::chrono::milliseconds(1000 * second + 500);
        writer->write(frame);
    }
    writer->close();
}

std::vector<std::string> payloads_of(const Trace& trace, std::uint32_t channel)
{
    std::vector<std::string> payloads;
    for (std::uint64_t i = 0; i < trace.frame_count(channel); ++i)
        payloads.emplace_back(text_of(trace.frame(channel, i).bytes));
    return payloads;
}

/// All that is not OSI in the sample, the messages excepted.
void check_foreign(const TraceInfo& info, std::size_t channel)
{
    CHECK(info.channels[channel].topic == "speed");
    CHECK(info.channels[channel].message_encoding == "json");
    CHECK(info.channels[channel].schema_record->encoding == "jsonschema");
    CHECK(std::ranges::count(info.metadata, MetadataRecord{"com.example.weather", {{"rain", "none"}}}) == 1);
    REQUIRE(info.attachments.size() == 1);
    std::string contents;
    info.attachments[0].read([&](Bytes bytes) { contents += text_of(bytes); });
    CHECK(contents == "xml");
}

/// Writes what the edit gives and reads it back, with all that is not OSI checked but the messages.
std::shared_ptr<const Trace> written(FrameSource& edit, const std::filesystem::path& file)
{
    const auto writer = create_trace(file, converted_info(edit.info(), std::nullopt));
    static_cast<void>(convert(edit, *writer, {}));
    writer->close();
    const auto trace = open_trace(file);
    const auto& info = trace->info();
    REQUIRE(info.channels.size() == 2);
    check_foreign(info, 1);
    return trace;
}

using Payloads = std::vector<std::string>;

}  // namespace

TEST_CASE("foreign channels, metadata and attachments survive a cut")
{
    const ScratchFolder folder;
    write_sample(folder / "in.mcap");
    CutOptions options;
    options.time = TimeRange::parse("1:3");
    const auto edit = cut(open_stream(folder / "in.mcap"), options);
    const auto trace = written(*edit, folder / "out.mcap");
    CHECK(payloads_of(*trace, 0) == Payloads{time_field(1) + lane(1), time_field(2)});
    CHECK(payloads_of(*trace, 1) == Payloads{"{\"v\":1}", "{\"v\":2}"});
}

TEST_CASE("a channel without messages is in a part of the trace")
{
    const ScratchFolder folder;
    auto info = ground_truth_info();
    info.channels.push_back(foreign_channel());
    const auto writer = create_trace(folder / "in.mcap", info);
    const auto payloads = std::to_array({time_field(0), time_field(1), time_field(2)});
    Frame frame;
    for (const auto& payload : payloads) {
        frame.bytes = bytes_of(payload);
        writer->write(frame);
        ++frame.index;
    }
    writer->close();
    for (const auto range : {FrameRange{0, 1}, FrameRange{1, 3}}) {
        CutOptions options;
        options.frames = range;
        const auto edit = cut(*open_indexed(folder / "in.mcap"), options);
        CHECK(edit->info().channels.size() == 2);
    }
    CHECK(open_source(folder / "in.mcap")->info().channels.size() == 2);
}

TEST_CASE("foreign channels, metadata and attachments survive static expand and wrap")
{
    const ScratchFolder folder;
    write_sample(folder / "in.mcap");
    StaticCounts counts;
    const auto expanded = expand_static(open_stream(folder / "in.mcap"), counts);
    const auto whole = written(*expanded, folder / "whole.mcap");
    CHECK(payloads_of(*whole, 0).back() == time_field(3) + lane(1));
    CHECK(payloads_of(*whole, 1).size() == 4);
    const auto wrapped = wrap_ground_truth(open_stream(folder / "in.mcap"), {});
    const auto views = written(*wrapped, folder / "views.mcap");
    CHECK(views->info().channels[0].type == MessageType::sensor_view);
    CHECK(views->info().channels[0].schema_record->name == "osi3.SensorView");
    CHECK(payloads_of(*views, 1).size() == 4);
}

TEST_CASE("equal metadata and attachments are there once when a trace goes on, and all its channels are shifted")
{
    const ScratchFolder folder;
    write_sample(folder / "in.mcap");
    ConcatOptions options;
    options.retime = true;
    const auto edit = concat({folder / "in.mcap", folder / "in.mcap"}, {}, options);
    const auto trace = written(*edit, folder / "out.mcap");
    CHECK(trace->frame_count(0) == 8);
    CHECK(trace->frame_count(1) == 8);
    for (std::uint64_t i = 1; i < 8; ++i) {
        CHECK(*trace->frame(0, i).time > *trace->frame(0, i - 1).time);
        CHECK(*trace->frame(1, i).log_time > *trace->frame(1, i - 1).log_time);
    }
}

TEST_CASE("foreign channels, metadata and attachments are in every piece")
{
    const ScratchFolder folder;
    write_sample(folder / "in.mcap");
    SplitOptions options;
    options.every_frames = 2;
    Splitter splitter(open_stream(folder / "in.mcap"), options);
    for (const char* name : {"1.mcap", "2.mcap"}) {
        REQUIRE(splitter.next());
        const auto trace = written(splitter.piece(), folder / name);
        CHECK(payloads_of(*trace, 0).front().ends_with(lane(1)));
        CHECK(trace->frame_count(1) == 2);
    }
    CHECK_FALSE(splitter.next());
}

TEST_CASE("a foreign channel can be split off, with its messages, schema, metadata and attachments as they are")
{
    const ScratchFolder folder;
    write_sample(folder / "in.mcap");
    CutOptions only;
    only.channel = 1;
    const auto piece = cut(open_stream(folder / "in.mcap"), only);
    NamingSource named(*piece);
    const auto writer = create_trace(folder / "out.mcap", converted_info(named.info(), std::nullopt));
    static_cast<void>(convert(named, *writer, {}));
    writer->close();
    const auto trace = open_trace(folder / "out.mcap");
    REQUIRE(trace->info().channels.size() == 1);
    check_foreign(trace->info(), 0);
    CHECK(payloads_of(*trace, 0) == Payloads{"{\"v\":0}", "{\"v\":1}", "{\"v\":2}", "{\"v\":3}"});
    CHECK(trace->frame(0, 3).log_time == Nanoseconds(3'500'000'000));
    CHECK(trace->frame(0, 3).publish_time == Nanoseconds(3'500'000'000));
    REQUIRE(named.summary().channels.size() == 1);
    CHECK(named.summary().channels.front().frames == 4);
    CHECK_THROWS_AS(name_by_content(named.summary(), "in.mcap"), Error);  // the standard has no name for it
}
