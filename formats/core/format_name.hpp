// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/encoding.hpp>

namespace ositrace {

/// For people: `protobuf`, `flatbuffers (layout declared)`
[[nodiscard]] inline std::string name_of(Format format)
{
    std::string name(row_of(format.encoding).name);
    if (format.encoding == Encoding::flatbuffers) name.append(" (layout ").append(name_of(format.layout)).append(")");
    return name;
}

}  // namespace ositrace
