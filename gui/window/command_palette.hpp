// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace ositrace::gui {

class Commands;

/// Finds a command by a part of its name; Enter does it.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    /// `commands` must outlive it.
    explicit CommandPalette(const Commands& commands, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void list(const QString& words);
    void choose();

    const Commands& commands_;
    QLineEdit* words_ = nullptr;
    QListWidget* found_ = nullptr;
};

}  // namespace ositrace::gui
