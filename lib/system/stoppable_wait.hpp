// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>

#include "lib/system/file.hpp"

namespace ositrace {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  ///< empty: none

[[nodiscard]] inline bool passed(const Deadline& deadline)
{
    return deadline && *deadline <= std::chrono::steady_clock::now();
}

enum class Waited : std::uint8_t { ready, timed_out, stopped };

class Socket;
enum class Ready : std::uint8_t { to_read, to_write };

/// Waits for one thing or the time; a stop request ends the wait at once. One thread at a time.
class StoppableWait {
public:
    /// Throws Error (io) when the system has nothing left to wait with.
    StoppableWait();

    /// Reads at least one byte of a pipe, a device or a terminal, when there is one. 0 = the end, or a stop was
    /// requested. Throws Error (io) with `name`.
    std::size_t read(const FileHandle& from, std::span<std::byte> into, const std::stop_token& stop,
                     const std::filesystem::path& name);
    /// Until the socket is ready or has failed. Include lib/system/socket.hpp to call it.
    Waited wait(const Socket& socket, Ready ready, const Deadline& deadline, const std::stop_token& stop);
    /// Until the deadline has passed, for ever without one; never `ready`.
    Waited pause(const Deadline& deadline, const std::stop_token& stop);

private:
    FileHandle stopped_;  ///< is set by a stop request: an eventfd, or an event of Windows
};

}  // namespace ositrace
