// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QStringList>

namespace ositrace::gui {

/// The recently opened files, the latest first, stored in the user's settings.
[[nodiscard]] QStringList recent_files();
/// The addresses of live sources that were opened, the latest first.
[[nodiscard]] QStringList recent_addresses();
void add_recent_address(const QString& address);
void add_recent_file(const QString& file);
void clear_recent_files();

}  // namespace ositrace::gui
