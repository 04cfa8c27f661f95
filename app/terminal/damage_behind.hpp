// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <string>

#include <ositrace/error.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// For CutOptions: damage behind the part is no error, and no secret. `messages` must outlive it.
[[nodiscard]] inline std::function<void(const Error&)> warn_of_damage_behind(Messages& messages)
{
    return [&messages](const Error& damage) {
        messages.warning(std::string(damage.what()) + "; what stands behind that was not looked at");
    };
}

}  // namespace ositrace::app
