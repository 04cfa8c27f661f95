// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

namespace ositrace::gui::test {

/// Puts a name into the file dialog that is about to open, and presses Enter.
inline void answer_file_dialog(const std::filesystem::path& name)
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QTimer::singleShot(500, qApp, [name] {
        auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        auto* const edit = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        edit->setText(QString::fromStdString(name.string()));
        QTest::keyClick(edit, Qt::Key_Return);
    });
}

}  // namespace ositrace::gui::test
