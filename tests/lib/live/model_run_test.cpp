// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_run.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>
#include <ositrace/scene.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

SceneOptions scene_options(std::uint64_t frames = 100)
{
    SceneOptions options;
    options.frames = frames;
    options.moving_objects = 4;
    options.reflections = 0;
    options.static_data = StaticData::never;
    return options;
}

std::shared_ptr<const Trace> sample_trace(const SceneOptions& options = scene_options())
{
    SceneSource scene(options, 1);
    const auto trace = std::make_shared<LiveTrace>(scene.info());
    for (Frame frame; scene.read(frame); frame = {}) trace->append(frame);
    return trace;
}

/// What the models of a test do, and what was done with them.
struct Models {
    std::atomic<int> made = 0;
    std::atomic<int> gone = 0;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::vector<std::vector<Nanoseconds>> steps;  ///< of each instance
    std::optional<Nanoseconds> hold_at;           ///< a step at or after this time waits until it is not set
    std::optional<Nanoseconds> fail_at;

    void set(std::optional<Nanoseconds> Models::* what, std::optional<Nanoseconds> value)
    {
        {
            const std::lock_guard lock(mutex);
            this->*what = value;
        }
        changed.notify_all();
    }
    std::vector<Nanoseconds> steps_of(std::size_t instance)
    {
        const std::lock_guard lock(mutex);
        return instance < steps.size() ? steps[instance] : std::vector<Nanoseconds>{};
    }
};

/// Returns each of its frames as it came.
class EchoModel final : public SensorModel {
public:
    EchoModel(Models& models, std::stop_token stop) : models_(models), stop_(std::move(stop)), instance_(models.made++)
    {
        const std::lock_guard lock(models_.mutex);
        models_.steps.emplace_back();
    }
    ~EchoModel() override { ++models_.gone; }
    void initialize(const TraceInfo& inputs, const PlayStart&) override
    {
        info_.channels = {inputs.channels.front()};
        info_.channels.front().topic = "echo";
    }
    const TraceInfo& outputs() const noexcept override { return info_; }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now, Nanoseconds) override
    {
        std::unique_lock lock(models_.mutex);
        models_.changed.wait(lock, stop_, [&] { return !models_.hold_at || now < *models_.hold_at; });
        if (models_.fail_at && now >= *models_.fail_at) throw Error(Cause::malformed, "echo crashed");
        models_.steps[static_cast<std::size_t>(instance_)].push_back(now);
        frames_.assign(inputs.begin(), inputs.end());
        return frames_;
    }

private:
    Models& models_;
    std::stop_token stop_;
    int instance_;
    TraceInfo info_;
    std::vector<Frame> frames_;
};

ModelRunOptions options_of(Models& models, std::shared_ptr<const Trace> input)
{
    return {.make = [&](const std::stop_token& stop) { return std::make_unique<EchoModel>(models, stop); },
            .name = "echo",
            .input = std::move(input)};
}

/// Waits until it is so, for 20 s at most.
LiveProgress::View wait_for(const ModelRun& run, const std::function<bool(const LiveProgress::View&)>& is_so)
{
    std::stop_source stop;
    std::jthread patience([&](const std::stop_token& done) {
        for (int i = 0; i != 2000 && !done.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
        stop.request_stop();
    });
    auto view = run.progress().view();
    while (!is_so(view) && !stop.stop_requested()) view = run.progress().wait(view.version, stop.get_token());
    CHECK(is_so(view));
    return view;
}

bool is_done(const LiveProgress::View& view) { return view.status.state == LiveState::ended; }

auto knows_until(Nanoseconds time)
{
    return [=](const LiveProgress::View& view) { return view.status.known_until == time; };
}

}  // namespace

TEST_CASE("a model returns a frame for every frame of the trace, at its time")
{
    const auto input = sample_trace();
    ModelRun run(
        {.make = [](const std::stop_token&) { return dummy_sensor(); }, .name = "DummySensor", .input = input});
    const auto view = wait_for(run, is_done);
    CHECK(view.status.text == "100 steps are done");
    CHECK_FALSE(view.status.known_until);
    REQUIRE(view.trace);
    CHECK(view.trace->frame_count() == 100);
    CHECK(view.trace->info().channels.front().type == MessageType::sensor_data);
    for (std::uint64_t i = 0; i != 100; ++i) CHECK(view.trace->frame_time(0, i) == input->frame_time(0, i));
}

TEST_CASE("what is not computed is known not to be")
{
    Models models;
    models.hold_at = 3s;
    ModelRun run(options_of(models, sample_trace()));
    const auto view = wait_for(run, knows_until(3s));
    CHECK(view.status.state == LiveState::receiving);
    REQUIRE(view.trace);
    CHECK(view.trace->frame_count() == 30);
    models.set(&Models::hold_at, std::nullopt);
    CHECK(wait_for(run, is_done).trace->frame_count() == 100);
}

TEST_CASE("a seek back, or far ahead, begins a new model there")
{
    Models models;
    models.hold_at = 5s;
    auto options = options_of(models, sample_trace());
    options.from = 4'050ms;
    ModelRun run(options);
    wait_for(run, knows_until(5s));
    CHECK(models.steps_of(0).front() == Nanoseconds(4s));
    SECTION("back")
    {
        run.show_time(1'020ms, true);
        wait_for(run, [&](const auto& view) { return models.made == 2 && view.status.known_until == 5s; });
        CHECK(models.steps_of(1).front() == Nanoseconds(1s));
    }
    SECTION("what is known needs none")
    {
        models.set(&Models::hold_at, 9s);
        wait_for(run, knows_until(9s));
        models.set(&Models::hold_at, 5s);
        run.show_time(4s, true);  // it is there
        CHECK(models.made == 1);
        models.set(&Models::hold_at, std::nullopt);
        wait_for(run, is_done);
        run.show_time(9'900ms, true);
        CHECK(models.made == 1);
    }
    SECTION("a little ahead waits, as playing does")
    {
        run.show_time(6s, true);
        run.show_time(9s, false);
        CHECK(models.made == 1);
        run.show_time(9s, true);
        wait_for(run, [&](const auto&) { return models.made == 2; });
        models.set(&Models::hold_at, std::nullopt);
        const auto view = wait_for(run, is_done);
        CHECK(models.steps_of(1).front() == Nanoseconds(9s));
        CHECK(view.trace->frame_count() == 10);
        CHECK(models.gone == 2);
    }
}

TEST_CASE("a model that fails leaves what it returned, and a seek begins it anew")
{
    Models models;
    models.fail_at = 2s;
    ModelRun run(options_of(models, sample_trace()));
    const auto failed = wait_for(run, [](const auto& view) { return view.status.state == LiveState::failed; });
    CHECK(failed.status.text == "echo crashed");
    CHECK(failed.status.known_until == Nanoseconds(2s));
    CHECK(failed.trace->frame_count() == 20);
    run.show_time(1s, true);  // it is there
    CHECK(models.made == 1);
    models.set(&Models::fail_at, std::nullopt);
    run.show_time(3s, true);
    CHECK(wait_for(run, is_done).trace->frame_count() == 70);
}

TEST_CASE("a model waits rather than that outputs are dropped before they are shown")
{
    Models models;
    auto options = options_of(models, sample_trace());
    options.limits.frames = 10;
    ModelRun run(options);
    wait_for(run, knows_until(1s));
    run.show_time(0s, false);
    for (int tenths = 1; tenths != 90; ++tenths) {
        const auto time = Nanoseconds(100ms) * tenths;
        run.show_time(time, false);
        const auto view = wait_for(run, knows_until(time + 1s));
        const auto shown = view.trace->frame_at(0, time);
        REQUIRE(shown);
        CHECK(view.trace->frame_time(0, *shown) == time);
        CHECK(view.trace->counts().kept <= 10);
    }
    CHECK(models.made == 1);
}

TEST_CASE("a recording has everything from the first frame on, whatever is shown")
{
    const ScratchFolder scratch;
    Models models;
    auto options = options_of(models, sample_trace());
    options.limits.frames = 10;
    options.record = scratch / "echo.mcap";
    ModelRun run(options);
    run.show_time(7s, true);
    const auto view = wait_for(run, is_done);
    CHECK(view.status.text == "100 steps are done, 100 messages are recorded in " + (scratch / "echo.mcap").string());
    CHECK(models.made == 1);
    CHECK(open_trace(scratch / "echo.mcap")->frame_count() == 100);
}

TEST_CASE("a run ends while its model is held")
{
    Models models;
    models.hold_at = 0s;
    {
        ModelRun run(options_of(models, sample_trace()));
        wait_for(run, knows_until(0s));
    }
    CHECK(models.gone == 1);
}
