// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/fmu_model.hpp>

namespace ositrace::fmu {

/// A MIME type as OSMP defines it: `application/x-open-simulation-interface; type=SensorView; version=3.8.0`.
struct OsiMimeType {
    std::string type_name;            ///< `SensorView`
    std::optional<MessageType> type;  ///< empty: unknown
    std::optional<OsiVersion> version;
    Format format;
};

/// Empty for another media type. Throws Error (unsupported) for an unknown encoding or layout.
[[nodiscard]] std::optional<OsiMimeType> read_osi_mime_type(std::string_view text);

inline constexpr std::size_t max_description_bytes = std::size_t{64} << 20;

/// The contents of modelDescription.xml. `file` stays empty. Throws Error (malformed, unsupported, limit).
[[nodiscard]] FmuDescription read_model_description(std::string_view xml);

}  // namespace ositrace::fmu
