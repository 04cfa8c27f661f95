// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "app/bench/structs/struct_codec.hpp"

namespace ositrace::bench {

/// How structs get from one process to another.
enum class Transport : std::uint8_t {
    pipe,           ///< a write() for every struct, with its size before it
    shared_memory,  ///< a ring of 64 buffers, two semaphores
};

/// A child process that parses what this one serialises. It ends with the object, or with this process.
class ProcessExchange {
public:
    /// Starts the child, which creates its own codec. `structs` must outlive it. Throws Error (io).
    ProcessExchange(const StructRow& row, Transport transport, std::span<const SensorData> structs);
    ProcessExchange(const ProcessExchange&) = delete;
    ProcessExchange& operator=(const ProcessExchange&) = delete;
    ~ProcessExchange();

    /// Sends all structs `passes` times and waits until they are parsed; returns the bytes. Throws Error (io) if the
    /// child ends, Error (malformed) if it cannot parse one, and those of the codec.
    std::size_t run(std::size_t passes);

    /// What the child has parsed: the last struct at each place.
    [[nodiscard]] std::span<const SensorData> received() const noexcept;
    /// Processor time of the last run, in nanoseconds.
    [[nodiscard]] double sender_time() const noexcept { return sender_time_; }
    [[nodiscard]] double receiver_time() const noexcept;

private:
    struct Shared;
    class Child;
    void send(std::size_t size);
    void wait(void* semaphore) const;

    Transport transport_;
    std::span<const SensorData> structs_;
    std::unique_ptr<StructCodec> codec_;
    Shared* shared_;
    int pipe_ = -1;  ///< the end to write to
    int child_ = -1;
    std::uint32_t place_ = 0;  ///< in the ring
    double sender_time_ = 0;
};

}  // namespace ositrace::bench
