// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

namespace ositrace {

/// The wanted name, or the first of `name_2`, `name_3`, ... that is not taken. `is_taken` is called once for each, in
/// this order.
template <class IsTaken>
[[nodiscard]] std::string free_name(const std::string& wanted, IsTaken&& is_taken)
{
    auto name = wanted;
    for (unsigned i = 2; is_taken(name); ++i) name = wanted + '_' + std::to_string(i);
    return name;
}

}  // namespace ositrace
