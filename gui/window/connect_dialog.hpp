// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QDialog>

#include <ositrace/live_trace.hpp>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace ositrace::gui {

/// Asks for the address of a live source, as `osiplay` takes it, and for the memory of its messages.
class ConnectDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectDialog(QWidget& parent);
    [[nodiscard]] QString address() const;
    [[nodiscard]] LiveLimits limits() const;
    /// Beside what is open.
    [[nodiscard]] bool is_additional() const;
    /// Closes the dialog if the address is valid, else shows why it is not.
    void accept() override;

private:
    QComboBox* address_ = nullptr;
    QSpinBox* megabytes_ = nullptr;
    QCheckBox* additional_ = nullptr;
    QLabel* problem_ = nullptr;
};

}  // namespace ositrace::gui
