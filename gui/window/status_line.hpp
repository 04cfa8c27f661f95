// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <optional>

#include <QObject>
#include <QString>

class QLabel;
class QStatusBar;

namespace ositrace::gui {

/// What the status bar says of the work behind the screen.
struct WorkFigures {
    std::optional<double> index_progress;  ///< empty: nobody knows; 1: complete
    std::chrono::nanoseconds made_in{};    ///< the moment that is shown
    std::chrono::nanoseconds drawn_in{};
    std::size_t cache_bytes = 0;
    QString renderer;
};

/// The file on the left; index, decode and draw times, cache and renderer on the right.
class StatusLine : public QObject {
    Q_OBJECT
public:
    explicit StatusLine(QStatusBar& bar);
    void show_files(const QString& files, const QString& details);
    void show_section(bool is_left);
    void show_work(const WorkFigures& figures);

private:
    QLabel* files_ = nullptr;
    QLabel* section_ = nullptr;
    QLabel* index_ = nullptr;
    QLabel* decode_ = nullptr;
    QLabel* draw_ = nullptr;
    QLabel* cache_ = nullptr;
    QLabel* renderer_ = nullptr;
};

}  // namespace ositrace::gui
