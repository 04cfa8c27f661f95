// SPDX-License-Identifier: MPL-2.0
#include "gui/text/save_file.hpp"

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>

namespace ositrace::gui {

QString save_file(const QString& file, const QByteArray& content)
{
    return save_file(file, [&](const auto& append) { append(as_bytes(content)); });
}

QString save_file(const QString& file, const std::function<void(const std::function<void(Bytes)>& append)>& content)
try {
    write_file(file.toStdString(), true, content);
    return {};
} catch (const Error& error) {
    return QString::fromUtf8(error.what());
}

}  // namespace ositrace::gui
