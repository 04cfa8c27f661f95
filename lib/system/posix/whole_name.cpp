// SPDX-License-Identifier: MPL-2.0
#include "lib/system/whole_name.hpp"

#include <system_error>

namespace ositrace {

std::filesystem::path whole_name(const std::filesystem::path& file)
{
    return std::filesystem::absolute(file).lexically_normal();
}

std::filesystem::path real_name(const std::filesystem::path& file)
{
    std::error_code failed;
    auto real = std::filesystem::weakly_canonical(file, failed);
    return failed ? file : real;
}

}  // namespace ositrace
