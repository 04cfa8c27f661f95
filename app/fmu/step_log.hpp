// SPDX-License-Identifier: MPL-2.0
// The performance log of an instance: only written if the parameter names a file.
#pragma once

#include <optional>
#include <vector>

#include <ositrace/performance_log.hpp>

#include "app/fmu/ports.hpp"

namespace ositrace::fmu {

class StepLog {
public:
    /// Replaces the file of the parameter `performance_log`. Throws Error (io).
    explicit StepLog(const Ports& ports);

    /// `place`: of the message's variable. Throws Error (io).
    void add(PerformanceEvent event, Nanoseconds now, std::size_t place, std::size_t bytes)
    {
        if (log_) log_->add(event, now, message_numbers_[place], references_[place], bytes);
    }
    void close()
    {
        if (log_) log_->close();
    }

private:
    std::optional<PerformanceLog> log_;
    std::vector<std::uint32_t> message_numbers_;  ///< by place
    std::vector<std::uint32_t> references_;       ///< by place
};

}  // namespace ositrace::fmu
