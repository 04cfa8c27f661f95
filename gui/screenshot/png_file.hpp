// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include <QByteArray>
#include <QImage>

namespace ositrace::gui {

enum class PngSpeed : std::uint8_t {
    small,  ///< the compression of Qt
    fast,   ///< the fastest compression: half of the time (32 ms for 59 ms at 1280x720), a tenth larger
};

/// Equal images give equal bytes. Throws Error (unsupported).
[[nodiscard]] QByteArray png_of(const QImage& image, PngSpeed speed);

/// False for the suffix of another picture format.
[[nodiscard]] bool is_png_name(const std::filesystem::path& file);

/// Throws Error (exists) if the file exists and must not be replaced. `-`: standard output.
void refuse_existing(const std::filesystem::path& file, bool overwrite);

/// The file appears complete or not at all. Throws Error (exists, io, usage: not is_png_name).
void write_png(const QImage& image, const std::filesystem::path& file, bool overwrite);

}  // namespace ositrace::gui
