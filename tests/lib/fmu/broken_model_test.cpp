// SPDX-License-Identifier: MPL-2.0
// Models that crash, hang or lie. Each is one clear line, and the process lives on.
#include <cstdlib>
#include <stop_token>
#include <thread>

#include <sys/wait.h>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

struct Outcome {
    std::string error;
    std::size_t returned = 0;  ///< frames before it
};

/// Of 20 steps with a model that behaves so from step 17 on.
Outcome outcome_of(int fmi, const std::string& behaviour, Said* said = nullptr)
{
    auto options = options_for({{"behaviour", behaviour}, {"at", "17"}}, said);
    options.timeout = behaviour == "hang" || behaviour == "spin" ? std::chrono::milliseconds(1s) : 1min;
    ReplayedModel replay(test_model(fmi), options);
    Outcome outcome;
    outcome.error = error_of([&] {
        replay.begin();
        while (replay.steps() < 20) outcome.returned += replay.step().size();
        replay.model().finish();
        return 0;
    });
    return outcome;
}

struct Case {
    const char* behaviour;
    const char* error;  ///< behind the name of the model
    bool fmi3_says_the_same = true;
};

const Case cases[] = {
    {"crash", "crashed (SIGSEGV) at frame 17"},
    {"abort", "crashed (SIGABRT) at frame 17"},
    {"exit", "ended its own process (exit code 3) at frame 17"},
    {"hang", "did not return within 1 s at frame 17"},
    {"spin", "did not return within 1 s at frame 17"},
    {"throw", "threw an exception: thrown by the model at frame 17"},
    {"dangling",
     "returned 100 bytes in OSMPSensorDataOut, of which 0 can be read: its pointer or its size is wrong at frame 17"},
    {"oversized",
     "returned 2147483647 bytes in OSMPSensorDataOut, which exceeds the limit of 536870912 bytes at frame 17"},
    {"negative", "returned -5 bytes in OSMPSensorDataOut at frame 17"},
    {"wrong_type", "returned 22 bytes in OSMPSensorDataOut that are not SensorData but SensorView at frame 17"},
    {"discard", "answered fmi2DoStep with 'discard' at frame 17", false},
    {"error", "answered fmi2DoStep with 'error' at frame 17", false},
    {"fatal", "answered fmi2DoStep with 'fatal' at frame 17", false},
};

}  // namespace

TEST_CASE("a model that breaks at frame 17 is one line, and the frames before it are there", "[fmu]")
{
    for (const auto& c : cases) {
        CAPTURE(c.behaviour);
        const auto outcome = outcome_of(2, c.behaviour);
        CHECK(outcome.error == std::string("test_model_fmi2 ") + c.error);
        CHECK(outcome.returned == 17);
    }
}

TEST_CASE("a model of FMI 3 that breaks says the same", "[fmu]")
{
    for (const auto& c : cases) {
        if (!c.fmi3_says_the_same) continue;
        CAPTURE(c.behaviour);
        const auto outcome = outcome_of(3, c.behaviour);
        CHECK(outcome.error == std::string("test_model_fmi3 ") + c.error);
        CHECK(outcome.returned == 17);
    }
    CHECK(outcome_of(3, "discard").error == "test_model_fmi3 answered fmi3DoStep with 'discard' at frame 17");
}

TEST_CASE("what fmi3DoStep says besides its status is believed or refused, never passed over", "[fmu]")
{
    const Case flags[] = {
        {"event",
         "needs event handling after fmi3DoStep: it is stepped without event mode (eventModeUsed = false) at frame 17"},
        {"terminate", "requested the end of the simulation at frame 17"},
        {"early", "returned early from fmi3DoStep, although early return is not allowed at frame 17"},
        {"nan_time", "returned NaN as the time that fmi3DoStep has reached at frame 17"},
    };
    for (const auto& c : flags) {
        CAPTURE(c.behaviour);
        const auto outcome = outcome_of(3, c.behaviour);
        CHECK(outcome.error == std::string("test_model_fmi3 ") + c.error);
        CHECK(outcome.returned == 17);
    }
}

TEST_CASE("bytes that are no message are refused", "[fmu]")
{
    const auto outcome = outcome_of(2, "garbage");
    CHECK(outcome.error.starts_with("test_model_fmi2 returned 14 bytes in OSMPSensorDataOut that are not SensorData"));
    CHECK(outcome.error.ends_with(" at frame 17"));
    CHECK(outcome.returned == 17);
}

TEST_CASE("a buffer that ends before its size does is refused", "[fmu]")
{
    const auto outcome = outcome_of(2, "half_dangling");
    CHECK(outcome.error.starts_with("test_model_fmi2 returned 100000000 bytes in OSMPSensorDataOut, of which "));
    CHECK(outcome.error.ends_with(" can be read: its pointer or its size is wrong at frame 17"));
}

TEST_CASE("a model that breaks before its first step says when", "[fmu]")
{
    const auto begun = [](std::map<std::string, std::string> parameters) {
        ReplayedModel replay(test_model(2), options_for(std::move(parameters)));
        return error_of([&] {
            replay.begin();
            return 0;
        });
    };
    CHECK(begun({{"behaviour", "crash_in_initialization"}}) ==
          "test_model_fmi2 crashed (SIGSEGV) while it was initialised");
    ::setenv("TEST_MODEL_CRASHES_WHEN_LOADED", "1", 1);
    CHECK(begun({}) == "test_model_fmi2 crashed (SIGSEGV) while it was loaded");
    ::unsetenv("TEST_MODEL_CRASHES_WHEN_LOADED");
}

TEST_CASE("a stop ends a model that does not return, whatever its timeouts say", "[fmu]")
{
    struct Case {
        const char* behaviour;
        const char* error;
    };
    for (const auto& c :
         {Case{"hang", "did not return within 1 s after the stop at frame 17"},
          Case{"hang_in_initialization", "did not return within 1 s after the stop while it was initialised"}}) {
        CAPTURE(c.behaviour);
        std::stop_source stop;
        auto options = options_for({{"behaviour", c.behaviour}, {"at", "17"}});
        options.timeout = 60s;
        options.stop = stop.get_token();
        ReplayedModel replay(test_model(2), options);
        const auto began = std::chrono::steady_clock::now();
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(500ms);
            stop.request_stop();
        });
        CHECK(error_of([&] { return replay.play(20); }) == std::string("test_model_fmi2 ") + c.error);
        CHECK(std::chrono::steady_clock::now() - began < 20s);
    }
}

TEST_CASE("a stop does not end a model that returns", "[fmu]")
{
    std::stop_source stop;
    auto options = options_for({});
    options.stop = stop.get_token();
    ReplayedModel replay(test_model(2), options);
    replay.begin();
    stop.request_stop();
    CHECK(replay.step().size() == 1);
    replay.model().finish();
}

TEST_CASE("nothing of a model is called behind its 'fatal'", "[fmu]")
{
    for (const int fmi : {2, 3}) {
        ReplayedModel replay(test_model(fmi), options_for({{"behaviour", "fatal"}, {"at", "1"}}));
        replay.begin();
        replay.step();
        CHECK(error_of([&] { return replay.step().size(); }) == "test_model_fmi" + std::to_string(fmi) +
                                                                    " answered fmi" + std::to_string(fmi) +
                                                                    "DoStep with 'fatal' at frame 1");
        replay.model().finish();  // it aborts when it is asked to terminate or freed
    }
}

TEST_CASE("a model that crashes when it is to finish has returned everything", "[fmu]")
{
    const auto outcome = outcome_of(2, "crash_at_the_end");
    CHECK(outcome.error == "test_model_fmi2 crashed (SIGSEGV) while it was terminated");
    CHECK(outcome.returned == 20);
}

TEST_CASE("a model that is gone says so at the next step, and can be finished", "[fmu]")
{
    ReplayedModel replay(test_model(2), options_for({{"behaviour", "crash"}, {"at", "1"}}));
    replay.begin();
    replay.step();
    CHECK(error_of([&] { return replay.step().size(); }) == "test_model_fmi2 crashed (SIGSEGV) at frame 1");
    CHECK(error_of([&] { return replay.step().size(); }) == "test_model_fmi2 is no longer running");
    replay.model().finish();
}

TEST_CASE("closed outputs and children left behind disturb nobody", "[fmu]")
{
    CHECK(outcome_of(2, "close_output").returned == 20);
    Said said;
    CHECK(outcome_of(2, "print_without_end", &said).returned == 20);
    CHECK(said.lines() == std::vector<std::string>{"half a linehalf a linehalf a line"});
    const auto began = std::chrono::steady_clock::now();
    CHECK(outcome_of(2, "leave_child").error.empty());
    CHECK(std::chrono::steady_clock::now() - began < 10s);
}

TEST_CASE("no process of a model is left behind", "[fmu]")
{
    static_cast<void>(outcome_of(2, "hang"));
    static_cast<void>(outcome_of(2, "crash"));
    {
        ReplayedModel(test_model(2), options_for({})).begin();
    }
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no child, running or dead
}

TEST_CASE("a host program that is not there, or is none, is named", "[fmu]")
{
    const auto begun = [](const char* program) {
        auto options = options_for({});
        options.host_program = program;
        ReplayedModel replay(test_model(2), options);
        return error_of([&] {
            replay.begin();
            return 0;
        });
    };
    CHECK(begun("/no/such/host") ==
          "test_model_fmi2 needs the program ositrace-fmu-host, which is missing (no such file: "
          "/no/such/host). Set OSITRACE_FMU_HOST to its path.");
    CHECK(begun("/bin/true") == "test_model_fmi2 ended its own process (exit code 0) while it was loaded");
}
