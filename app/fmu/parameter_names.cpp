// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/parameter_names.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ositrace::fmu {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> names{{
    {"--overwrite", "the parameter 'overwrite'"},
    {"--type", "the parameter 'message_type'"},
    {"--skip-bad-frames", "the parameter 'skip_damage'"},
}};

}  // namespace

Error with_parameter_names(const Error& error)
{
    auto reason = error.reason();
    for (const auto& [option, parameter] : names)
        if (const auto place = reason.find(option); place != std::string::npos)
            reason.replace(place, option.size(), parameter);
    return error.reworded(reason);
}

}  // namespace ositrace::fmu
