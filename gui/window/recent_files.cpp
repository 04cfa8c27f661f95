// SPDX-License-Identifier: MPL-2.0
#include "gui/window/recent_files.hpp"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSettings>
#include <QStandardPaths>

#include "gui/text/save_file.hpp"

namespace ositrace::gui {

namespace {

constexpr qsizetype kept = 12;
const auto key = QStringLiteral("recent_files");
const auto address_key = QStringLiteral("recent_addresses");

void put_first(const QString& list, const QString& entry)
{
    auto entries = QSettings().value(list).toStringList();
    entries.removeAll(entry);
    entries.prepend(entry);
    QSettings().setValue(list, entries.mid(0, kept));
}

const auto about_key = QStringLiteral("about");

QDir pictures() { return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/recent"); }

QString name_for(const QString& file)
{
    return QString::fromLatin1(QCryptographicHash::hash(file.toUtf8(), QCryptographicHash::Sha1).toHex());
}

QString picture_name(const QString& file) { return name_for(file) + QStringLiteral(".png"); }

QString bookmarks_key(const QString& file)
{
    return QStringLiteral("bookmarks/") + name_for(QFileInfo(file).absoluteFilePath());
}

/// Removes the pictures of files that are no recent ones.
void tidy_pictures()
{
    QStringList names;
    for (const auto& file : recent_files()) names += picture_name(file);
    auto folder = pictures();
    for (const auto& name : folder.entryList(QDir::Files))
        if (!names.contains(name)) folder.remove(name);
}

}  // namespace

QStringList recent_files() { return QSettings().value(key).toStringList(); }

void add_recent_file(const QString& file) { put_first(key, QFileInfo(file).absoluteFilePath()); }

QJsonArray kept_bookmarks(const QString& file)
{
    return QJsonDocument::fromJson(QSettings().value(bookmarks_key(file)).toByteArray()).array();
}

void keep_bookmarks(const QString& file, const QJsonArray& bookmarks)
{
    if (bookmarks == kept_bookmarks(file)) return;
    if (bookmarks.isEmpty()) return QSettings().remove(bookmarks_key(file));
    QSettings().setValue(bookmarks_key(file), QJsonDocument(bookmarks).toJson(QJsonDocument::Compact));
}

QStringList recent_addresses() { return QSettings().value(address_key).toStringList(); }

void add_recent_address(const QString& address) { put_first(address_key, address); }

void clear_recent_files()
{
    QSettings().remove(key);
    tidy_pictures();
}

RecentPicture recent_picture(const QString& file)
{
    const QImage picture(pictures().filePath(picture_name(file)));
    if (picture.size() != recent_picture_size) return {};
    return {picture, picture.text(about_key)};
}

void keep_recent_picture(const QString& file, const QImage& scene, const QString& about)
{
    const auto folder = pictures();
    if (!recent_files().contains(file) || scene.isNull() || !folder.mkpath(QStringLiteral("."))) return;
    auto picture = scene.scaled(recent_picture_size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    picture = picture.copy(QRect(QPoint((picture.width() - recent_picture_size.width()) / 2,
                                        (picture.height() - recent_picture_size.height()) / 2),
                                 recent_picture_size));
    picture.setText(about_key, about);
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    // The welcome page has a file without a picture, too.
    if (picture.save(&png, "png")) static_cast<void>(save_file(folder.filePath(picture_name(file)), png.data()));
    tidy_pictures();
}

}  // namespace ositrace::gui
