// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QImage>
#include <QJsonArray>
#include <QSize>
#include <QStringList>

namespace ositrace::gui {

/// The recently opened files, the latest first, stored in the user's settings.
[[nodiscard]] QStringList recent_files();
/// The addresses of live sources that were opened, the latest first.
[[nodiscard]] QStringList recent_addresses();
void add_recent_address(const QString& address);
void add_recent_file(const QString& file);
void clear_recent_files();

inline constexpr QSize recent_picture_size{192, 108};
/// What a recent file looked like when it was last shown.
struct RecentPicture {
    QImage picture;  ///< of recent_picture_size; null: there is none
    QString about;   ///< `GroundTruth, 14.3 s`
};
[[nodiscard]] RecentPicture recent_picture(const QString& file);
/// Kept in the user's cache while the file is a recent one; does nothing for other files.
void keep_recent_picture(const QString& file, const QImage& scene, const QString& about);

/// The bookmarks of a trace, stored in the user's settings; empty: it has none.
[[nodiscard]] QJsonArray kept_bookmarks(const QString& file);
void keep_bookmarks(const QString& file, const QJsonArray& bookmarks);

}  // namespace ositrace::gui
