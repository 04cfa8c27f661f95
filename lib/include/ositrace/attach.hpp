// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// A file as an attachment: under its name without folders, with its time of modification (since 1970) as creation
/// time; the media type comes from the extensions that are usual beside traces. Its contents are read when it is
/// written. Throws Error (io).
[[nodiscard]] OSITRACE_API Attachment attachment_of(const std::filesystem::path& file);

}  // namespace ositrace
