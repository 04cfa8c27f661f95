// SPDX-License-Identifier: MPL-2.0
// The memory that a replay and the process of a model share: one block of state, the setup, and two windows for each
// message.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/model_host.hpp"
#include "lib/system/shared_memory.hpp"

namespace ositrace::fmu {

/// A model with more OSI messages is refused; the OSMP example has four. Each needs address space (two windows), but no
/// memory until it is written: 1024 messages need 4 of the 128 TiB of a process.
inline constexpr std::size_t max_binaries = 1024;
inline constexpr std::size_t block_bytes = std::size_t{64} << 10;
inline constexpr std::size_t max_setup_bytes = std::size_t{4} << 20;
/// Room for the largest possible message. Only written pages need memory.
inline constexpr std::size_t window_bytes = std::size_t{1} << 31;

/// The state block. One side writes it at a time: the replay until it increments `request`, then the model's process
/// until it sets `reply` to the same number.
struct Exchange {
    static constexpr std::uint32_t current_layout =
        0x46'4d'00'04;  ///< increment it with every change of this file or of HostSetup
    struct Slot {
        std::uint64_t size = 0;
        std::uint32_t window = 0;  ///< 0 or 1
    };

    std::uint32_t layout = current_layout;
    std::uint32_t binaries = 0;
    std::uint64_t setup_bytes = 0;

    alignas(64) std::atomic<std::uint32_t> request{0};
    alignas(64) std::atomic<std::uint32_t> reply{0};
    alignas(64) std::atomic<std::int32_t> replay_processor{
        -1};  ///< the processor that the replay last ran on; it writes this at any time

    alignas(64) Command command = Command::load;
    StepTime time;
    std::int64_t step_entered = 0;  ///< ns of CLOCK_MONOTONIC
    std::uint32_t failed = 0;
    std::uint32_t cause = 0;
    std::array<char, 2048> reason{};
    std::array<Slot, max_binaries + 1> slots{};  ///< the last one for the scalar outputs
};
static_assert(sizeof(Exchange) <= block_bytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// A mapping of the whole memory.
class ExchangeMemory {
public:
    /// Creates a new memory. Throws Error (io).
    [[nodiscard]] static ExchangeMemory create(std::size_t binaries);
    /// Takes the memory that another process created. Throws Error if it is not one, or of another build.
    [[nodiscard]] static ExchangeMemory attach(SharedMemory memory);

    [[nodiscard]] const SharedMemory& shared() const noexcept { return memory_; }
    [[nodiscard]] Exchange& state() const noexcept { return *reinterpret_cast<Exchange*>(memory_.begin()); }
    [[nodiscard]] std::byte* setup() const noexcept { return memory_.begin() + block_bytes; }
    [[nodiscard]] std::byte* window(std::size_t binary, std::uint32_t which) const noexcept
    {
        return memory_.begin() + window_offset(binary, which);
    }
    /// Offset in the memory.
    [[nodiscard]] static std::size_t window_offset(std::size_t binary, std::uint32_t which) noexcept
    {
        return block_bytes + max_setup_bytes + (2 * binary + which) * window_bytes;
    }

private:
    explicit ExchangeMemory(SharedMemory memory) : memory_(std::move(memory)) {}

    SharedMemory memory_;
};

}  // namespace ositrace::fmu
