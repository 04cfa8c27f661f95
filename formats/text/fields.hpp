// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace::text {

/// Calls `print`; an error from inside an element (`i`) or a value becomes one of that field. (An error of the message
/// itself names it.)
template <class Print>
void within_field(const FieldRow& field, const std::size_t* i, Print&& print)
{
    try {
        print();
    } catch (const Error& error) {
        auto name = std::string(field.name);
        if (i != nullptr) name += '[' + std::to_string(*i) + ']';
        throw error.within({.field = std::move(name)});
    }
}

}  // namespace ositrace::text
