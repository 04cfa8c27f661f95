// SPDX-License-Identifier: MPL-2.0
// ositrace-fmu-host: the process of a model. The library starts it with two descriptors; it is not for use in a shell.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

#include "lib/fmu/host/exchange.hpp"
#include "lib/fmu/host/model_host.hpp"
#include "lib/system/child_process.hpp"
#include "lib/system/thread.hpp"

namespace ositrace::fmu {

namespace {

/// Waits for the next request of the replay. It spins if the request is expected soon or at a steady pace, because
/// waking up on another processor takes 50 us and more. On the processor of the replay spinning would delay the replay.
class RequestWaiter {
    using steady_clock = std::chrono::steady_clock;

public:
    explicit RequestWaiter(const ExchangeMemory& memory) : memory_(memory.shared()), state_(memory.state())
    {
        wake_precisely();
    }

    void wait_while_it_is(std::uint32_t old)
    {
        const auto began = steady_clock::now();
        const auto expected = last_ + pace_;
        if (!awake_until(began + awake, old) && expected > began) {
            while (state_.request.load() == old && steady_clock::now() < expected - early)
                memory_.wait_while(state_.request, old, expected - early - steady_clock::now());
            awake_until(expected + late, old);
        }
        while (state_.request.load() == old) memory_.wait_while(state_.request, old, std::chrono::hours(1));
        const auto now = steady_clock::now();
        pace_ = now - last_;
        last_ = now;
    }

private:
    static constexpr auto awake = std::chrono::microseconds(50);
    static constexpr auto early = std::chrono::microseconds(200);
    static constexpr auto late = std::chrono::microseconds(300);

    bool awake_until(steady_clock::time_point until, std::uint32_t old) const
    {
        while (state_.request.load() == old)
            if (state_.replay_processor.load(std::memory_order_relaxed) == current_processor() ||
                steady_clock::now() >= until)
                return false;
        return true;
    }

    const SharedMemory& memory_;
    const Exchange& state_;
    steady_clock::time_point last_;
    steady_clock::duration pace_{};
};

/// Messages in the memory that is shared with the replay.
class SharedExchange final : public MessageExchange {
public:
    explicit SharedExchange(ExchangeMemory& memory) : memory_(memory) {}

    Bytes input(std::size_t binary) override
    {
        const auto& slot = memory_.state().slots[binary];
        return {memory_.window(binary, slot.window), slot.size};
    }
    void no_output(std::size_t binary) override { memory_.state().slots[binary].size = 0; }
    std::size_t take_output(std::size_t binary, const void* data, std::size_t size) override
    {
        const auto done = memory_.shared().write(ExchangeMemory::window_offset(binary, 0), data, size);
        memory_.state().slots[binary] = {.size = done, .window = 0};
        return done;
    }
    void step_entered() override
    {
        memory_.state().step_entered = std::chrono::steady_clock::now().time_since_epoch().count();
    }

private:
    ExchangeMemory& memory_;
};

/// Ends this process when the one that started it has ended, and removes its temporary folder.
void watch_parent(std::string scratch)
{
    wait_for_end_of_parent();
    std::error_code ignored;
    if (!scratch.empty()) std::filesystem::remove_all(scratch, ignored);
    end_at_once(0);
}

void report(Exchange& state, const Error& error)
{
    state.failed = 1;
    state.cause = static_cast<std::uint32_t>(error.cause());
    const auto length = std::min(error.reason().size(), state.reason.size() - 1);
    std::memcpy(state.reason.data(), error.reason().data(), length);
    state.reason[length] = '\0';
}

void execute(ModelHost& host, Exchange& state, SharedExchange& exchange)
{
    state.failed = 0;
    try {
        host.execute(state.command, state.time, exchange);
    } catch (const Error& e) {
        report(state, e);
    } catch (const std::exception& e) {
        report(state, Error(Cause::malformed, std::string("threw an exception: ") + e.what()));
    } catch (...) {
        report(state, Error(Cause::malformed, "threw an exception"));
    }
}

void serve(ExchangeMemory& memory)
{
    auto& state = memory.state();
    auto setup = read_host_setup({memory.setup(), std::min<std::size_t>(state.setup_bytes, max_setup_bytes)});
    std::thread(watch_parent, setup.scratch).detach();
    ModelHost host(std::move(setup), ModelLibrary::Where::here, [](std::string_view line) {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    });
    SharedExchange exchange(memory);
    RequestWaiter waiter(memory);
    for (std::uint32_t done = 0;;) {
        waiter.wait_while_it_is(done);
        done = state.request.load();
        const auto command = state.command;
        execute(host, state, exchange);
        state.reply.store(done);
        memory.shared().wake(state.reply);
        if (command == Command::finish) return;
    }
}

}  // namespace

}  // namespace ositrace::fmu

int main()
{
    using namespace ositrace;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a line that the model prints is not lost when it crashes
    try {
        auto memory = fmu::ExchangeMemory::attach(memory_of_parent());
        fmu::serve(memory);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
