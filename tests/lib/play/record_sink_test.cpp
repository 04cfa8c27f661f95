// SPDX-License-Identifier: MPL-2.0
#include <ositrace/player.hpp>
#include <ositrace/record_sink.hpp>

#include <algorithm>
#include <thread>

#include "tests/catch.hpp"
#include "tests/lib/play/manual_clock.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::frames;

TEST_CASE("a recording of a whole replay is the trace again")
{
    const File file(frames(20, 1000));
    RecordSink record(file.folder / "again.osi");
    FrameSink* const sinks[] = {&record};
    ManualClock clock;
    Player(open_trace(file.path, as_sensor_view()), sinks, clock).run();
    CHECK(read_file(file.folder / "again.osi") == read_file(file.path));
    CHECK(record.frames() == 20);
    CHECK(record.bytes() == std::filesystem::file_size(file.path));
}

TEST_CASE("what was recorded lies in the .part soon, also when no frame comes any more")
{
    const File file(frames(20, 1000));
    const auto trace = open_trace(file.path, as_sensor_view());
    for (const auto* const name : {"some.osi", "some.mcap", "some.osi.zst"}) {
        RecordSink record(file.folder / name);
        record.begin(trace->info(), {});
        const auto frame = trace->frame(0, 0);
        record.take({&frame, 1}, {}, trace->info());
        const auto part = file.folder / (std::string(name) + ".part");
        CAPTURE(name);
        const auto size = [&] { return std::filesystem::file_size(part); };
        constexpr std::uintmax_t empty = 39;  // of an MCAP file that much is there at once
        for (int i = 0; i < 100 && size() <= empty; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        CHECK(size() > empty);
        record.finish();
    }
}

TEST_CASE("a replay that is stopped is finished and kept")
{
    const File file(frames(20));
    RecordSink record(file.folder / "some.osi");
    std::stop_source stop;
    struct Stopper final : FrameSink {
        std::stop_source& to_stop;
        explicit Stopper(std::stop_source& source) : to_stop(source) {}
        void take(std::span<const Frame> step, Nanoseconds, const TraceInfo&) override
        {
            if (step.front().index == 6) to_stop.request_stop();
        }
    } stopper(stop);
    FrameSink* const sinks[] = {&record, &stopper};
    ManualClock clock;
    Player(open_trace(file.path, as_sensor_view()), sinks, clock).run(stop.get_token());
    CHECK(open_trace(file.folder / "some.osi", as_sensor_view())->frame_count() == 7);
}

TEST_CASE("a replay that fails leaves what was recorded until then")
{
    const File file(frames(20));
    RecordSink record(file.folder / "some.osi");
    struct Failing final : FrameSink {
        void take(std::span<const Frame> step, Nanoseconds, const TraceInfo&) override
        {
            if (step.front().index == 6) throw Error(Cause::io, "the model is gone");
        }
    } failing;
    FrameSink* const sinks[] = {&record, &failing};
    ManualClock clock;
    CHECK(error_of([&] { return Player(open_trace(file.path, as_sensor_view()), sinks, clock).run().frames; }) ==
          "the model is gone");
    CHECK(file.folder.names() == std::set<std::string>{"run.osi", "some.osi"});
    CHECK(open_trace(file.folder / "some.osi", as_sensor_view())->frame_count() == 7);
}

TEST_CASE("a replay that fails before its first frame leaves the recording that was there")
{
    const File file(frames(20));
    const auto trace = open_trace(file.path, as_sensor_view());
    RecordSink record(file.folder / "some.osi", {.overwrite = true});
    ManualClock clock;
    SECTION("and none where none was") {}
    SECTION("as it was") { std::filesystem::copy_file(file.path, file.folder / "some.osi"); }
    const auto names = file.folder.names();
    struct Failing final : FrameSink {
        void begin(const TraceInfo&, const PlayStart&) override { throw Error(Cause::io, "the model is gone"); }
        void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override {}
    } failing;
    FrameSink* const sinks[] = {&record, &failing};
    CHECK(error_of([&] { return Player(trace, sinks, clock).run().frames; }) == "the model is gone");
    CHECK(file.folder.names() == names);
    if (names.contains("some.osi")) CHECK(read_file(file.folder / "some.osi") == read_file(file.path));
}

TEST_CASE("a recording counts what there is no place for")
{
    const File file(frames(1));
    const auto trace = open_trace(file.path, as_sensor_view());
    auto played = trace->info();
    played.channels.front().metadata.emplace("org.example.sensor", "left");
    auto info = played;
    info.metadata.push_back({"org.example", {{"site", "north"}}});
    auto frame = trace->frame(0, 0);
    frame.log_time = Nanoseconds(7);
    for (const auto* const name : {"some.osi", "some.mcap"}) {
        CAPTURE(name);
        RecordSink record(file.folder / name);
        record.begin(played, {});
        for (int i = 0; i < 3; ++i) record.take({&frame, 1}, {}, played);
        record.source_ended(info);  // the record stands behind the last frame
        record.finish();
        const bool has_a_place = record.writer()->holds_records();
        CHECK(record.result().left_out_metadata == (has_a_place ? 0 : 1));
        CHECK(record.result().left_out_channel_metadata == (has_a_place ? 0 : 1));
        CHECK(record.result().other_times == (has_a_place ? 0 : 3));
    }
}

TEST_CASE("of a recording that goes on, all but the last seconds are in its file")
{
    const auto name = GENERATE("some.osi", "some.mcap");
    const File file(frames(2));
    const auto trace = open_trace(file.path, as_sensor_view());
    RecordSink record(file.folder / name, {.chunk_compression = "none"});
    record.begin(trace->info(), {});
    const auto first = trace->frame(0, 0);
    record.take({&first, 1}, {}, trace->info());
    const auto part = file.folder / (std::string(name) + ".part");
    const auto before = std::filesystem::file_size(part);
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    record.take({&first, 1}, {}, trace->info());
    CHECK(std::filesystem::file_size(part) >= before + 2 * first.bytes.size());
    record.finish();
}

TEST_CASE("what stands behind the last frame of a stream is recorded, too")
{
    const ScratchFolder folder;
    write_file(folder / "run.osi", frames(3));
    struct Told final : FrameSource {
        explicit Told(std::unique_ptr<FrameSource> source) : from(std::move(source)), said(from->info()) {}
        const TraceInfo& info() const noexcept override { return said; }
        bool read(Frame& frame, std::stop_token stop) override
        {
            if (from->read(frame, std::move(stop))) return true;
            if (said.metadata.empty()) said.metadata.push_back({"weather", {{"rain", "none"}}});
            return false;
        }
        std::uint64_t bytes_consumed() const noexcept override { return from->bytes_consumed(); }
        std::optional<std::uint64_t> bytes_total() const noexcept override { return from->bytes_total(); }
        std::unique_ptr<FrameSource> from;
        TraceInfo said;
    } source(open_stream(folder / "run.osi", as_sensor_view()));
    RecordSink record(folder / "out.mcap");
    FrameSink* const sinks[] = {&record};
    ManualClock clock;
    Player(source, sinks, clock).run();
    const auto metadata = open_trace(folder / "out.mcap")->info().metadata;
    CHECK(std::ranges::any_of(metadata, [](const MetadataRecord& each) {
        return each.name == "weather" && each.entries.at("rain") == "none";
    }));
}

TEST_CASE("processor time of other processes that work for a sink counts")
{
    const File file(frames(3));
    struct Elsewhere final : FrameSink {
        void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override { spent += std::chrono::hours(1); }
        Nanoseconds other_processor_time() const noexcept override { return spent; }
        Nanoseconds spent = std::chrono::hours(10);
    } elsewhere;
    FrameSink* const sinks[] = {&elsewhere};
    const auto clock = monotonic_clock();
    const auto report = Player(open_trace(file.path, as_sensor_view()), sinks, *clock).run();
    const auto seconds = std::chrono::duration<double>(report.played).count();
    CHECK(report.cpu_percent * seconds / 100 == Approx(3 * 3600).epsilon(0.01));
}
