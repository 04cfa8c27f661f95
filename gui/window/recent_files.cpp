// SPDX-License-Identifier: MPL-2.0
#include "gui/window/recent_files.hpp"

#include <QFileInfo>
#include <QSettings>

namespace ositrace::gui {

namespace {

constexpr qsizetype kept = 12;
const auto key = QStringLiteral("recent_files");

}  // namespace

QStringList recent_files() { return QSettings().value(key).toStringList(); }

void add_recent_file(const QString& file)
{
    const auto path = QFileInfo(file).absoluteFilePath();
    auto files = recent_files();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(key, files.mid(0, kept));
}

void clear_recent_files() { QSettings().remove(key); }

}  // namespace ositrace::gui
