// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/step_log.hpp"

#include <algorithm>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

StepLog::StepLog(const Ports& ports)
{
    const auto& file = ports.text(performance_log_name);
    if (file.empty()) return;
    PerformanceLogOptions options{.model_identity = std::string(this_kind().name), .messages = {}, .overwrite = true};
    for (const auto& variable : ports.variables().all()) {
        references_.push_back(variable.reference);
        message_numbers_.push_back(0);
        if (!variable.type || (variable.causality != Causality::input && variable.causality != Causality::output))
            continue;
        const std::string name(row_of(*variable.type).full_name);
        auto known = std::find(options.messages.begin(), options.messages.end(), name);
        if (known == options.messages.end()) known = options.messages.insert(known, name);
        message_numbers_.back() = static_cast<std::uint32_t>(known - options.messages.begin());
    }
    log_.emplace(file, options);
}

}  // namespace ositrace::fmu
