// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "lib/io/file_handle.hpp"

namespace ositrace {

/// Waiting on a descriptor that a stop token ends at once. One thread at a time.
class InterruptibleWait {
public:
    /// Throws Error (io) when the system gives no event descriptor.
    InterruptibleWait();

    /// Until `descriptor` can be read (or has ended); false = a stop was requested.
    bool readable(int descriptor, const std::stop_token& stop);
    /// Until the time has passed; false = a stop was requested.
    bool pause(std::chrono::milliseconds time, const std::stop_token& stop);

private:
    bool wait(int descriptor, int timeout_ms, const std::stop_token& stop);
    FileHandle event_;
};

}  // namespace ositrace
