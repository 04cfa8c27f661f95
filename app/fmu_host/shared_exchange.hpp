// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include <unistd.h>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/exchange.hpp"
#include "lib/fmu/host/model_host.hpp"

namespace ositrace::fmu {

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
        // The kernel reads the model's memory: where we would crash, it stops.
        auto offset = ExchangeMemory::window_offset(binary, 0);
        std::size_t done = 0;
        while (done < size) {
            const auto count = ::pwrite(memory_.descriptor(), static_cast<const char*>(data) + done, size - done,
                                        static_cast<off_t>(offset));
            if (count <= 0) break;
            done += static_cast<std::size_t>(count);
            offset += static_cast<std::size_t>(count);
        }
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

}  // namespace ositrace::fmu
