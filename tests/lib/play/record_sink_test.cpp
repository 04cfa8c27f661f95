// SPDX-License-Identifier: MPL-2.0
#include <ositrace/player.hpp>
#include <ositrace/record_sink.hpp>

#include <catch2/catch.hpp>

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
    CHECK(error_of([&] { return Player(open_trace(file.path, as_sensor_view()), sinks, clock).run().frames; }) == "the model is gone");
    CHECK(file.folder.names() == std::set<std::string>{"run.osi", "some.osi"});
    CHECK(open_trace(file.folder / "some.osi", as_sensor_view())->frame_count() == 7);
}
