// SPDX-License-Identifier: MPL-2.0
#include <ositrace/version.hpp>

namespace ositrace {

std::string_view version() noexcept { return OSITRACE_VERSION; }

}  // namespace ositrace
