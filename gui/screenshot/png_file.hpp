// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <QImage>

namespace ositrace::gui {

/// Not one that promises another kind of picture.
[[nodiscard]] bool is_png_name(const std::filesystem::path& file);

/// Throws Error (exists) for a file that is there and may not be replaced. `-`: standard output.
void refuse_existing(const std::filesystem::path& file, bool overwrite);

/// The file appears complete, under its name, or not at all. Throws Error (exists, io, usage: no is_png_name).
void write_png(const QImage& image, const std::filesystem::path& file, bool overwrite);

}  // namespace ositrace::gui
