// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstring>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <sched.h>

#include <ositrace/error.hpp>

#include "lib/fmu/child_process.hpp"
#include "lib/fmu/host/exchange.hpp"
#include "lib/fmu/model_runner.hpp"

namespace ositrace::fmu {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// A process that is gone answers no more: look after it this often.
constexpr auto look_after = 5ms;
constexpr auto longest_call_after_stop = 1000ms;
constexpr auto longest_end_after_stop = 10000ms;

std::string seconds_text(std::chrono::milliseconds time)
{
    auto text = std::to_string(time.count() / 1000);
    if (time.count() % 1000 != 0) text += "." + std::to_string(1000 + time.count() % 1000).substr(1);
    while (text.find('.') != std::string::npos && text.ends_with('0')) text.pop_back();
    return text + " s";
}

/// How long the end of a call is waited for, behind a stop less long.
class Patience {
public:
    Patience(std::chrono::milliseconds timeout, std::stop_token stop, std::chrono::milliseconds after_stop)
        : timeout_(timeout), stop_(std::move(stop)), after_stop_(after_stop)
    {
    }

    /// Throws a ModelGone, the rest of a sentence `did not return`, when it is over.
    void check(ChildProcess& process, const std::string& what)
    {
        const auto now = steady_clock::now();
        if (!stopped_ && stop_.stop_requested()) stopped_ = now;
        const bool stopped = stopped_ && now - *stopped_ > after_stop_;
        if (!stopped && now - began_ <= timeout_) return;
        process.kill();
        if (stopped)
            throw ModelGone(Cause::cancelled, what + " within " + seconds_text(after_stop_) + " after the stop");
        throw ModelGone(Cause::io, what + " within " + seconds_text(timeout_));
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
    ChildRunner(const HostSetup& setup, const std::filesystem::path& host_program, TakeLine take_line,
                std::stop_token stop)
        : stop_(std::move(stop)),
          binaries_(setup.binaries.size()),
          max_message_bytes_(setup.max_message_bytes),
          memory_(ExchangeMemory::create(binaries_)),
          windows_(binaries_)
    {
        const auto text = serialize(setup);
        if (text.size() > max_setup_bytes)
            throw Error(Cause::limit, "has parameters of " + std::to_string(text.size()) + " bytes");
        std::memcpy(memory_.setup(), text.data(), text.size());
        memory_.state().setup_bytes = text.size();
        process_.emplace(host_program, memory_.descriptor(), std::move(take_line));
    }

    void set_input(std::size_t binary, Bytes bytes) override
    {
        // Two windows in turn: what a step was given lives until the end of the next one.
        auto& [window, set] = windows_[binary];
        if (!std::exchange(set, true)) window ^= 1;
        if (!bytes.empty()) std::memcpy(memory_.window(binary, window), bytes.data(), bytes.size());
        memory_.state().slots[binary] = {.size = bytes.size(), .window = window};
    }

    void prepare() override { tell_processor(); }

    void run(Command command, StepTime time, std::chrono::milliseconds timeout) override
    {
        auto& state = memory_.state();
        state.command = command;
        state.time = time;
        const auto number = state.request.load() + 1;
        state.request.store(number);
        wake(state.request);
        // What ends may have files to write.
        Patience patience(timeout, stop_,
                          command == Command::finish ? longest_end_after_stop : longest_call_after_stop);
        wait_for(number, patience);
        tell_processor();
        for (auto& window : windows_) window.set = false;
        if (state.failed != 0) fail();
        if (command == Command::finish) end(patience);
    }

    Bytes output(std::size_t binary) const override
    {
        const auto size = memory_.state().slots[binary].size;  // the model's process may have written anything there
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
    void tell_processor() { memory_.state().replay_processor.store(::sched_getcpu(), std::memory_order_relaxed); }

    void wait_for(std::uint32_t number, Patience& patience)
    {
        const auto& reply = memory_.state().reply;
        while (reply.load() != number) {
            // Asleep at once: where processors are scarce the model may be waiting for this one.
            wait_while(reply, number - 1, look_after);
            if (reply.load() == number) return;
            if (const auto how = process_->ended()) {
                if (reply.load() == number) return;  // its last word, after all
                throw ModelGone(Cause::io, *how);
            }
            patience.check(*process_, "did not return");
        }
    }

    [[noreturn]] void fail() const
    {
        const auto& state = memory_.state();
        const auto length = ::strnlen(state.reason.data(), state.reason.size());
        const auto cause = state.cause <= static_cast<std::uint32_t>(Cause::usage) ? static_cast<Cause>(state.cause)
                                                                                   : Cause::malformed;
        throw Error(cause, std::string_view(state.reason.data(), length));
    }

    void end(Patience& patience)
    {
        std::optional<std::string> how;
        while (!(how = process_->ended(look_after))) patience.check(*process_, "did not end");
        if (!how->ends_with("(exit code 0)")) throw ModelGone(Cause::io, *how);
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
                                          TakeLine take_line, std::stop_token stop)
{
    return std::make_unique<ChildRunner>(setup, host_program, std::move(take_line), std::move(stop));
}

}  // namespace ositrace::fmu
