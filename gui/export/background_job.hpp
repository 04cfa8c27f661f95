// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

#include <QObject>
#include <QPointer>
#include <QProgressDialog>
#include <QString>
#include <QTimer>

class QWidget;

namespace ositrace::gui {

/// The part of a job that is done, 0 to 1; below 0: unknown.
using JobProgress = std::atomic<double>;

/// Runs work on a separate thread. A dialog shows the progress and can stop it; the window stays usable. Deletes itself
/// at the end. GUI thread.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    /// Returns the line that is shown at the end. Throws what stops it.
    using Work = std::function<QString(const std::stop_token& stop, JobProgress& progress)>;

    /// `title`: `Export drive.mp4`. A child of `parent`: its destruction stops the work and waits for it.
    BackgroundJob(const QString& title, Work work, QWidget& parent);
    ~BackgroundJob() override;

signals:
    /// The line of the work, or why it ended early.
    void ended(const QString& line);
    /// Before ended(): the work has failed. A person who stops it knows that.
    void failed(const QString& why);

private:
    void run(const Work& work, const std::stop_token& stop);
    Q_INVOKABLE void finish(const QString& line, bool has_failed);

    QPointer<QProgressDialog> dialog_;  ///< also a child of the parent
    QTimer shows_;
    JobProgress progress_{0};
    std::jthread thread_;  ///< the last member, so that it ends first
};

}  // namespace ositrace::gui
