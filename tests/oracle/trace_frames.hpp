// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace oracle {

/// A real trace, cut into frames by the eight lines that the format takes: nothing of the library is trusted here.
struct RealTrace {
    std::string_view name;
    std::string_view type;  ///< full name
    std::vector<std::vector<std::byte>> frames;
};

/// The traces in ../shared/traces; empty where the folder is absent.
std::vector<RealTrace> real_traces();

}  // namespace oracle
