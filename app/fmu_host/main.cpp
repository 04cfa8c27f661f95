// SPDX-License-Identifier: MPL-2.0
// ositrace-fmu-host: the process that a model runs in. Started by the library with two descriptors, no use from a
// shell.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

#include <linux/close_range.h>
#include <poll.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "app/fmu_host/request_waiter.hpp"
#include "app/fmu_host/shared_exchange.hpp"
#include "lib/fmu/host/descriptors.hpp"
#include "lib/fmu/host/exchange.hpp"

namespace ositrace::fmu {

namespace {

/// Ends this process with the one that started it, however that ended, and removes the folder that nobody else will.
void watch_parent(std::string scratch)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are the model's
    pollfd lifeline{.fd = lifeline_descriptor, .events = 0, .revents = 0};
    while (::poll(&lifeline, 1, -1) <= 0) {
    }
    std::error_code ignored;
    if (!scratch.empty()) std::filesystem::remove_all(scratch, ignored);
    ::_exit(0);
}

void tell(Exchange& state, const Error& error)
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
        tell(state, e);
    } catch (const std::exception& e) {
        tell(state, Error(Cause::malformed, std::string("threw an exception: ") + e.what()));
    } catch (...) {
        tell(state, Error(Cause::malformed, "threw an exception"));
    }
}

void serve(ExchangeMemory& memory)
{
    auto& state = memory.state();
    auto setup = read_host_setup({memory.setup(), std::min<std::size_t>(state.setup_bytes, max_setup_bytes)});
    std::thread(watch_parent, setup.scratch).detach();
    ModelHost host(std::move(setup), SharedLibrary::Where::here, [](std::string_view line) {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    });
    SharedExchange exchange(memory);
    RequestWaiter waiter(state);
    for (std::uint32_t done = 0;;) {
        waiter.wait_while_it_is(done);
        done = state.request.load();
        const auto command = state.command;
        execute(host, state, exchange);
        state.reply.store(done);
        wake(state.reply);
        if (command == Command::finish) return;
    }
}

}  // namespace

}  // namespace ositrace::fmu

int main()
{
    using namespace ositrace;
    ::close_range(fmu::first_foreign_descriptor, ~0U, 0);  // the program's files are none of the model's business
    std::setvbuf(stdout, nullptr, _IOLBF, 0);              // a line that the model prints is not lost when it crashes
    try {
        auto memory = fmu::ExchangeMemory::attach(fmu::memory_descriptor);
        fmu::serve(memory);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
