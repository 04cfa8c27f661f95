// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/error.hpp>

namespace ositrace::fmu {

/// An Error of the library advises options of the command line: the same with the parameters that an importer sets.
[[nodiscard]] Error with_parameter_names(const Error& error);

}  // namespace ositrace::fmu
