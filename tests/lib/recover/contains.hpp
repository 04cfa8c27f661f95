// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

/// Are all frames there, in their order? Others may stand between them: damaged bytes that still are a message.
inline bool contains(const std::vector<std::string>& found, const std::vector<std::string>& wanted)
{
    auto at = found.begin();
    for (const auto& frame : wanted) {
        at = std::find(at, found.end(), frame);
        if (at == found.end()) return false;
        ++at;
    }
    return true;
}
