// SPDX-License-Identifier: MPL-2.0
#include <ositrace/live_feed.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/scene.hpp>

#include "tests/catch.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// What a scripted source does, one after the other.
struct Act {
    enum Kind : std::uint8_t { frame, add_channel, end, fail } kind = frame;
    std::uint64_t number = 0;  ///< of the frame of the scene
    std::uint32_t channel = 0;
};

struct Script {
    SceneOptions options;
    Scene scene;
    TraceInfo info;
    std::mutex mutex;
    std::condition_variable_any more;
    std::deque<Act> acts;
    std::atomic<int> opened = 0;

    Script() : options(scene_options()), scene(options), info(scene.info()) { info.file = "script"; }
    static SceneOptions scene_options()
    {
        SceneOptions options;
        options.type = MessageType::ground_truth;
        options.moving_objects = 2;
        options.reflections = 0;
        options.static_data = StaticData::never;
        return options;
    }
    void add(const std::vector<Act>& added)
    {
        {
            const std::lock_guard lock(mutex);
            acts.insert(acts.end(), added.begin(), added.end());
        }
        more.notify_all();
    }
    void frames(std::uint64_t from, std::uint64_t to)
    {
        std::vector<Act> added;
        for (auto i = from; i != to; ++i) added.push_back({Act::frame, i, 0});
        add(added);
    }
    OpenLiveSource opens()
    {
        return [this](const std::stop_token&, const std::function<void()>&) { return open(); };
    }
    std::unique_ptr<FrameSource> open();
};

class ScriptedSource final : public FrameSource {
public:
    explicit ScriptedSource(Script& script) : script_(script), info_(script.info) {}
    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override
    {
        while (true) {
            Act act;
            {
                std::unique_lock lock(script_.mutex);
                if (!script_.more.wait(lock, stop, [&] { return !script_.acts.empty(); })) return false;
                act = script_.acts.front();
                script_.acts.pop_front();
            }
            if (act.kind == Act::end) return false;
            if (act.kind == Act::fail) throw Error(Cause::malformed, "a message of nothing");
            if (act.kind == Act::add_channel) {
                info_.channels.push_back(info_.channels.front());
                info_.channels.back().topic = "added";
                continue;
            }
            script_.scene.frame(act.number, payload_);
            frame = {};
            frame.bytes = payload_.bytes();
            frame.channel = act.channel;
            return true;
        }
    }
    std::uint64_t bytes_consumed() const noexcept override { return 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    Script& script_;
    TraceInfo info_;
    ByteBuffer payload_;
};

std::unique_ptr<FrameSource> Script::open()
{
    ++opened;
    return std::make_unique<ScriptedSource>(*this);
}

/// Waits until it is so, for 20 s at most.
LiveProgress::View wait_for(const LiveFeed& feed, const std::function<bool(const LiveProgress::View&)>& is_so)
{
    std::stop_source stop;
    std::jthread patience([&](const std::stop_token& done) {
        for (int i = 0; i != 2000 && !done.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
        stop.request_stop();
    });
    auto view = feed.progress().view();
    while (!is_so(view) && !stop.stop_requested()) view = feed.progress().wait(view.version, stop.get_token());
    CHECK(is_so(view));
    return view;
}

auto has(std::uint64_t received)
{
    return [=](const LiveProgress::View& view) { return view.trace && view.trace->counts().received == received; };
}

}  // namespace

TEST_CASE("a feed says what it waits for, receives, and says that the sender has gone")
{
    Script script;
    LiveFeed feed(script.opens(), {.waits_for = "the script", .retry_after = 1h});
    script.frames(0, 3);
    const auto view = wait_for(feed, has(3));
    CHECK(view.status.state == LiveState::receiving);
    CHECK(view.status.last_frame);
    CHECK(view.trace->frame_time(0, 2) == Nanoseconds(200ms));
    script.add({{Act::end}});
    const auto gone =
        wait_for(feed, [](const auto& each) { return each.status.state == LiveState::waiting && each.trace; });
    CHECK(gone.status.text == "the sender has gone, waiting for the script");
    CHECK(gone.trace == view.trace);
}

TEST_CASE("the next sender continues the trace if its time goes on")
{
    Script script;
    LiveFeed feed(script.opens(), {.retry_after = 1ms});
    script.frames(0, 5);
    const auto before = wait_for(feed, has(5)).trace;
    script.add({{Act::end}});
    script.frames(5, 8);
    const auto view = wait_for(feed, [](const auto& each) { return each.status.starts == 2 && has(8)(each); });
    CHECK(view.trace == before);
    CHECK(script.opened == 2);
}

TEST_CASE("a sender that begins again begins a new trace")
{
    Script script;
    LiveFeed feed(script.opens(), {.retry_after = 1ms});
    script.frames(0, 5);
    const auto before = wait_for(feed, has(5)).trace;
    const bool same_sender = GENERATE(true, false);
    if (!same_sender) script.add({{Act::end}});
    script.frames(0, 2);
    const auto view = wait_for(feed, has(2));
    CHECK(view.trace != before);
    CHECK(before->frame_count() == 5);
    CHECK(view.trace->frame_time(0, 1) == Nanoseconds(100ms));
}

TEST_CASE("a little disorder begins nothing")
{
    Script script;
    LiveFeed feed(script.opens(), {.retry_after = 1ms});
    script.frames(0, 20);
    script.add({{Act::frame, 15, 0}, {Act::frame, 10, 0}, {Act::frame, 20, 0}});
    const auto view = wait_for(feed, has(23));
    CHECK(view.trace->frame_time(0, 21) == Nanoseconds(1s));
    script.add({{Act::frame, 9, 0}});
    CHECK(wait_for(feed, has(1)).trace->frame_time(0, 0) == Nanoseconds(900ms));
}

TEST_CASE("a channel that is added later is in the next trace, with all frames")
{
    Script script;
    LiveFeed feed(script.opens(), {.retry_after = 1ms});
    script.frames(0, 2);
    const auto before = wait_for(feed, has(2)).trace;
    script.add({{Act::add_channel}, {Act::frame, 2, 1}, {Act::frame, 3, 0}});
    const auto view = wait_for(feed, has(4));
    CHECK(view.trace != before);
    CHECK(view.trace->info().channels.size() == 2);
    CHECK(view.trace->frame_count(0) == 3);
    CHECK(view.trace->frame_count(1) == 1);
}

TEST_CASE("a damaged message is reported, and the source opened again")
{
    Script script;
    LiveFeed feed(script.opens(), {.retry_after = 1ms});
    script.frames(0, 2);
    wait_for(feed, has(2));
    script.add({{Act::fail}});
    const auto view = wait_for(feed, [&](const auto&) { return script.opened == 2; });
    CHECK(view.status.starts == 1);
    script.frames(2, 3);
    wait_for(feed, [](const auto& each) { return each.status.starts == 2 && has(3)(each); });
    CHECK(script.opened == 2);
}

TEST_CASE("what can never be opened is tried once")
{
    int tries = 0;
    LiveFeed feed(
        [&](const std::stop_token&, const std::function<void()>&) -> std::unique_ptr<FrameSource> {
            ++tries;
            throw Error(Cause::usage, "no such thing");
        },
        {.retry_after = 1ms});
    const auto view = wait_for(feed, [](const auto& each) { return each.status.state == LiveState::failed; });
    CHECK(view.status.text == "no such thing");
    CHECK(tries == 1);
}

TEST_CASE("a flood is received within the limit")
{
    Script script;
    LiveFeed feed(script.opens(), {.limits = {.bytes = 50'000}, .retry_after = 1ms});
    script.frames(0, 3000);
    const auto view = wait_for(feed, has(3000));
    const auto counts = view.trace->counts();
    CHECK(counts.bytes <= 50'000);
    CHECK(view.trace->first_frame(0) == 3000 - counts.kept);
    CHECK(view.trace->frame_time(0, 2999) == Nanoseconds(100ms) * 2999);
}
