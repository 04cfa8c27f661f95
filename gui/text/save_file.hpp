// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>

#include <QByteArray>
#include <QString>

#include <ositrace/bytes.hpp>

namespace ositrace::gui {

[[nodiscard]] inline Bytes as_bytes(const QByteArray& array)
{
    return bytes_of({array.constData(), static_cast<std::size_t>(array.size())});
}

/// Writes a file, or replaces it; it appears complete or not at all. Returns an empty text, or the error.
[[nodiscard]] QString save_file(const QString& file, const QByteArray& content);
/// `content` is called once with what appends bytes. If it throws an Error, the file stays as it was.
[[nodiscard]] QString save_file(const QString& file,
                                const std::function<void(const std::function<void(Bytes)>& append)>& content);

}  // namespace ositrace::gui
