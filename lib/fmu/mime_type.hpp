// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace::fmu {

/// What `application/x-open-simulation-interface; type=SensorView; version=3.8.0` says.
struct OsiMimeType {
    std::string type_name;            ///< `SensorView`
    std::optional<MessageType> type;  ///< empty: none that is known here
    std::optional<OsiVersion> version;
    Format format;
};

/// Empty for another media type. Throws Error (unsupported) for an encoding or a layout that is not known.
[[nodiscard]] std::optional<OsiMimeType> read_osi_mime_type(std::string_view text);

}  // namespace ositrace::fmu
