// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/exchange.hpp"

#include <new>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

ExchangeMemory ExchangeMemory::create(std::size_t binaries)
try {
    ExchangeMemory memory(SharedMemory(window_offset(binaries, 0)));
    new (memory.memory_.begin()) Exchange{.binaries = static_cast<std::uint32_t>(binaries)};
    return memory;
} catch (const Error& error) {
    throw Error(Cause::io, "cannot share memory with the model: " + error.reason());
}

ExchangeMemory ExchangeMemory::attach(SharedMemory memory)
{
    if (memory.size() < window_offset(0, 0)) throw Error(Cause::malformed, "the shared memory is too small");
    ExchangeMemory exchange(std::move(memory));
    if (exchange.state().layout != Exchange::current_layout)
        throw Error(Cause::mismatch, "ositrace-fmu-host is of another build than the program that runs it");
    return exchange;
}

}  // namespace ositrace::fmu
