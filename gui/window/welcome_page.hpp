// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;

namespace ositrace::gui {

/// The central page while there is no scene: how to open a trace, the recent files with their pictures, or why nothing
/// can be shown.
class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);
    void list_recent();
    /// Empty lists: nothing is open.
    void show_state(const QStringList& opening, const QStringList& problems, bool waits = false);

signals:
    void open_requested();
    void connect_requested();
    void sample_requested();
    void file_chosen(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* title_ = nullptr;
    QLabel* text_ = nullptr;
    QWidget* choices_ = nullptr;  ///< hidden while a trace opens
    QGridLayout* recent_ = nullptr;
};

}  // namespace ositrace::gui
