// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <utility>

#include <ositrace/error.hpp>

/// The whole message of the Error that `action` ends with; empty when it does not.
template <class Action>
std::string error_of(Action&& action)
{
    try {
        static_cast<void>(std::forward<Action>(action)());
    } catch (const ositrace::Error& e) {
        return e.what();
    }
    return {};
}
