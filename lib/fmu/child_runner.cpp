// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/fmu/host/exchange.hpp"
#include "lib/fmu/model_runner.hpp"
#include "lib/system/child_process.hpp"
#include "lib/system/process.hpp"
#include "lib/system/thread.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::fmu {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto check_interval = 5ms;  ///< of whether the process has ended while a reply is awaited
constexpr auto longest_call_after_stop = 1000ms;
constexpr auto longest_end_after_stop = 10000ms;

std::vector<std::filesystem::path> usual_places()
{
    const auto host_name = program_name("ositrace-fmu-host");
    const auto program = this_program();
    const auto folder = program.parent_path();
    std::vector<std::filesystem::path> places;
    if (!program.empty())
        places = {folder / host_name, folder.parent_path() / OSITRACE_LIBEXECDIR / "ositrace" / host_name};
    places.emplace_back(std::filesystem::path(OSITRACE_FULL_LIBEXECDIR) / "ositrace" / host_name);
    return places;
}

std::filesystem::path find_host_program(const std::filesystem::path& requested)
{
    auto places = usual_places();
    if (const char* const named = std::getenv("OSITRACE_FMU_HOST"); named != nullptr && *named != '\0')
        places = {named};
    if (!requested.empty()) places = {requested};
    std::string missing;
    for (const auto& place : places) {
        if (is_program(place)) return place;
        missing += (missing.empty() ? "" : ", ") + place.string();
    }
    throw Error(Cause::io, "needs the program ositrace-fmu-host, which is missing (no such file: " + missing +
                               "). Set OSITRACE_FMU_HOST to its path.");
}

/// Limits the wait for a call; the limit after a stop is shorter.
class Patience {
public:
    Patience(std::chrono::milliseconds timeout, std::stop_token stop, std::chrono::milliseconds after_stop)
        : timeout_(timeout), stop_(std::move(stop)), after_stop_(after_stop)
    {
    }

    /// Kills the process and throws ModelGone if a limit has passed. `what` (`did not return`) follows the name of the
    /// model.
    void check(ChildProcess& process, const std::string& what)
    {
        const auto now = steady_clock::now();
        if (!stopped_ && stop_.stop_requested()) stopped_ = now;
        const bool stopped = stopped_ && now - *stopped_ > after_stop_;
        if (!stopped && now - began_ <= timeout_) return;
        process.kill();
        if (stopped)
            throw ModelGone(Cause::cancelled, what + " within " + exact_seconds_text(after_stop_) + " after the stop");
        throw ModelGone(Cause::io, what + " within " + exact_seconds_text(timeout_));
    }

private:
    steady_clock::time_point began_ = steady_clock::now();
    std::chrono::milliseconds timeout_;
    std::stop_token stop_;
    std::chrono::milliseconds after_stop_;
    std::optional<steady_clock::time_point> stopped_;
};

class ChildRunner final : public ModelRunner {
public:
    ChildRunner(const HostSetup& setup, const std::filesystem::path& host_program, OnLine on_line, std::stop_token stop)
        : stop_(std::move(stop)),
          binaries_(setup.binaries.size()),
          max_message_bytes_(setup.max_message_bytes),
          memory_(ExchangeMemory::create(binaries_)),
          windows_(binaries_)
    {
        const auto text = serialize(setup);
        if (text.size() > max_setup_bytes)
            throw Error(Cause::limit, "the parameters, " + std::to_string(text.size()) +
                                          " bytes, exceed the limit of " + std::to_string(max_setup_bytes) + " bytes");
        std::memcpy(memory_.setup(), text.data(), text.size());
        memory_.state().setup_bytes = text.size();
        const auto program = find_host_program(host_program);
        try {
            process_.emplace(program, memory_.shared(), std::move(on_line));
        } catch (const Error& error) {
            throw Error(Cause::io, "cannot get a process of its own: " + error.reason());
        }
    }

    void set_input(std::size_t binary, Bytes bytes) override
    {
        // Two windows in turn: the input of a step lives until the end of the next one.
        auto& [window, set] = windows_[binary];
        if (!std::exchange(set, true)) window ^= 1;
        if (!bytes.empty()) std::memcpy(memory_.window(binary, window), bytes.data(), bytes.size());
        memory_.state().slots[binary] = {.size = bytes.size(), .window = window};
    }

    void prepare() override { publish_processor(); }

    void run(Command command, StepTime time, std::chrono::milliseconds timeout) override
    {
        auto& state = memory_.state();
        state.command = command;
        state.time = time;
        const auto number = state.request.load() + 1;
        state.request.store(number);
        memory_.shared().wake(state.request);
        // A model that finishes may have files to write.
        Patience patience(timeout, stop_,
                          command == Command::finish ? longest_end_after_stop : longest_call_after_stop);
        wait_for(number, patience);
        publish_processor();
        for (auto& window : windows_) window.set = false;
        if (state.failed != 0) fail();
        if (command == Command::finish) await_end(patience);
    }

    Bytes output(std::size_t binary) const override
    {
        const auto size = memory_.state().slots[binary].size;  // unverified: the process of the model writes it
        if (size > max_message_bytes_ || size > window_bytes) return {};
        return {memory_.window(binary, 0), size};
    }
    std::chrono::nanoseconds step_entered() const noexcept override
    {
        return std::chrono::nanoseconds(memory_.state().step_entered);
    }
    std::chrono::nanoseconds other_processor_time() const noexcept override { return process_->processor_time(); }
    std::uint64_t peak_process_bytes() const noexcept override { return process_->peak_bytes(); }

private:
    void publish_processor() { memory_.state().replay_processor.store(current_processor(), std::memory_order_relaxed); }

    void wait_for(std::uint32_t number, Patience& patience)
    {
        const auto& reply = memory_.state().reply;
        while (reply.load() != number) {
            // Sleeps at once: the model may need this processor.
            memory_.shared().wait_while(reply, number - 1, check_interval);
            if (reply.load() == number) return;
            if (const auto end = process_->ended()) {
                if (reply.load() == number) return;  // it replied before it ended
                throw ModelGone(Cause::io, end->text);
            }
            patience.check(*process_, "did not return");
        }
    }

    [[noreturn]] void fail() const
    {
        const auto& state = memory_.state();
        const auto* const end = std::find(state.reason.begin(), state.reason.end(), '\0');
        const auto cause = state.cause <= static_cast<std::uint32_t>(Cause::usage) ? static_cast<Cause>(state.cause)
                                                                                   : Cause::malformed;
        throw Error(cause, std::string_view(state.reason.begin(), end));
    }

    void await_end(Patience& patience)
    {
        std::optional<ProcessEnd> end;
        while (!(end = process_->ended(check_interval))) patience.check(*process_, "did not end");
        if (!end->is_success) throw ModelGone(Cause::io, end->text);
    }

    std::stop_token stop_;
    std::size_t binaries_;
    std::size_t max_message_bytes_;
    ExchangeMemory memory_;
    struct Window {
        std::uint32_t which = 0;
        bool set = false;  ///< since the last command
    };
    std::vector<Window> windows_;
    std::optional<ChildProcess> process_;
};

}  // namespace

std::unique_ptr<ModelRunner> run_in_child(const HostSetup& setup, const std::filesystem::path& host_program,
                                          OnLine on_line, std::stop_token stop)
{
    return std::make_unique<ChildRunner>(setup, host_program, std::move(on_line), std::move(stop));
}

}  // namespace ositrace::fmu
