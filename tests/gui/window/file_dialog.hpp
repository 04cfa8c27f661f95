// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <utility>

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

namespace ositrace::test {

/// Calls `act` once, with the next dialog of this type that opens.
template <class Dialog, class Act>
void when_opened(Act&& act)
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    auto* const timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, act = std::forward<Act>(act)] {
        auto* const dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || !dialog->isVisible()) return;
        timer->stop();
        timer->deleteLater();
        act(*dialog);
    });
    constexpr int look_every_ms = 20;
    timer->start(look_every_ms);
}

/// Puts a name into the file dialog that is about to open, and presses Enter.
inline void answer_file_dialog(const std::filesystem::path& name)
{
    when_opened<QFileDialog>([name](QFileDialog& dialog) {
        auto* const edit = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        edit->setText(QString::fromStdString(name.string()));
        QTest::keyClick(edit, Qt::Key_Return);
    });
}

}  // namespace ositrace::test
