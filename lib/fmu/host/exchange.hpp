// SPDX-License-Identifier: MPL-2.0
// The memory that a replay and the process of a model share: one block of state, the setup, and two windows for each
// message.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <ositrace/bytes.hpp>

#include "lib/fmu/host/model_host.hpp"

namespace ositrace::fmu {

/// More OSI messages than this are refused; the OSMP example has four. Each takes address space (two windows), but no
/// memory before it is written: 1024 take 4 TiB of the 128 that a process has.
inline constexpr std::size_t max_binaries = 1024;
inline constexpr std::size_t block_bytes = std::size_t{64} << 10;
inline constexpr std::size_t max_setup_bytes = std::size_t{4} << 20;
/// Room for the largest message there can be. Only what is written takes memory.
inline constexpr std::size_t window_bytes = std::size_t{1} << 31;

/// The state block. Written by one side at a time: by the replay until it counts `request` up, then by the model's
/// process until it sets `reply` to the same number.
struct Exchange {
    static constexpr std::uint32_t current_layout =
        0x46'4d'00'04;  ///< to be counted up with every change of this file or of HostSetup
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
        -1};  ///< that the replay was last seen on; written by it at any time

    alignas(64) Command command = Command::load;
    StepTime time;
    std::int64_t step_entered = 0;  ///< ns of CLOCK_MONOTONIC
    std::uint32_t failed = 0;
    std::uint32_t cause = 0;
    std::array<char, 2048> reason{};
    std::array<Slot, max_binaries + 1> slots{};  ///< and one for the scalar outputs
};
static_assert(sizeof(Exchange) <= block_bytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// A mapping of all of it.
class ExchangeMemory {
public:
    /// A new one, zeroed and sealed: its size is fixed, so that no access goes beyond its end.
    [[nodiscard]] static ExchangeMemory create(std::size_t binaries);
    /// The one that another process made. Throws Error when it is none, or of another build.
    [[nodiscard]] static ExchangeMemory attach(int descriptor);
    ExchangeMemory(ExchangeMemory&& other) noexcept;
    ExchangeMemory& operator=(ExchangeMemory&&) = delete;
    ~ExchangeMemory();

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] Exchange& state() const noexcept { return *reinterpret_cast<Exchange*>(base_); }
    [[nodiscard]] std::byte* setup() const noexcept { return base_ + block_bytes; }
    [[nodiscard]] std::byte* window(std::size_t binary, std::uint32_t which) const noexcept
    {
        return base_ + window_offset(binary, which);
    }
    /// Offset in the file of the descriptor.
    [[nodiscard]] static std::size_t window_offset(std::size_t binary, std::uint32_t which) noexcept
    {
        return block_bytes + max_setup_bytes + (2 * binary + which) * window_bytes;
    }

private:
    ExchangeMemory(int descriptor, std::size_t binaries);

    int descriptor_ = -1;
    std::byte* base_ = nullptr;
    std::size_t size_ = 0;
};

/// Waits until the word is no longer `old`, at most so long; spurious returns happen. Between processes.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds at_most) noexcept;
void wake(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace ositrace::fmu
