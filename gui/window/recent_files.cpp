// SPDX-License-Identifier: MPL-2.0
#include "gui/window/recent_files.hpp"

#include <QFileInfo>
#include <QSettings>

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

}  // namespace

QStringList recent_files() { return QSettings().value(key).toStringList(); }

void add_recent_file(const QString& file) { put_first(key, QFileInfo(file).absoluteFilePath()); }

QStringList recent_addresses() { return QSettings().value(address_key).toStringList(); }

void add_recent_address(const QString& address) { put_first(address_key, address); }

void clear_recent_files() { QSettings().remove(key); }

}  // namespace ositrace::gui
