// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// A file as an attachment. Its name has no folders, its creation time is the modification time of the file, its media
/// type follows from the extension. The contents are read when the attachment is written. Throws Error (missing, io).
[[nodiscard]] OSITRACE_API Attachment attachment_of(const std::filesystem::path& file);

}  // namespace ositrace
