// SPDX-License-Identifier: MPL-2.0
// What the calling thread asks of the scheduler.
#pragma once

namespace ositrace {

/// Lowers its priority: others get the processor first.
void lower_thread_priority() noexcept;
/// Its sleeps end when they are to, not up to 50 us later (Linux) or at the next tick of the clock (Windows).
void wake_precisely() noexcept;
/// The number of the processor on which it runs; -1 if the system does not say.
[[nodiscard]] int current_processor() noexcept;

}  // namespace ositrace
