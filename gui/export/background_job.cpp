// SPDX-License-Identifier: MPL-2.0
#include "gui/export/background_job.hpp"

#include <exception>
#include <utility>

#include <QMetaObject>

#include "lib/system/thread.hpp"

namespace ositrace::gui {

namespace {

constexpr int steps = 1000, show_ms = 100, appears_ms = 300;

}  // namespace

BackgroundJob::BackgroundJob(const QString& title, Work work, QWidget& parent)
    : QObject(&parent), dialog_(new QProgressDialog(title, tr("Stop"), 0, steps, &parent))
{
    dialog_->setObjectName(QStringLiteral("export_progress"));
    dialog_->setWindowTitle(tr("Export"));
    dialog_->setAutoClose(false);
    dialog_->setAutoReset(false);
    dialog_->setMinimumDuration(appears_ms);
    dialog_->setValue(0);
    connect(dialog_, &QProgressDialog::canceled, this, [this] {
        dialog_->setLabelText(tr("Stopping..."));
        thread_.request_stop();
    });
    shows_.setInterval(show_ms);
    connect(&shows_, &QTimer::timeout, this, [this] {
        const double progress = progress_;
        dialog_->setRange(0, progress < 0 ? 0 : steps);
        if (progress >= 0) dialog_->setValue(static_cast<int>(progress * steps));
    });
    shows_.start();
    thread_ = std::jthread([this, work = std::move(work)](const std::stop_token& stop) { run(work, stop); });
}

BackgroundJob::~BackgroundJob()
{
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    if (dialog_) dialog_->deleteLater();
}

void BackgroundJob::run(const Work& work, const std::stop_token& stop)
{
    lower_thread_priority();
    QString line;
    bool has_failed = false;
    try {
        line = work(stop, progress_);
    } catch (const std::exception& error) {
        has_failed = !stop.stop_requested();
        line = has_failed ? QString::fromUtf8(error.what()) : tr("The export was stopped: nothing was written");
    }
    QMetaObject::invokeMethod(this, "finish", Qt::QueuedConnection, Q_ARG(QString, line), Q_ARG(bool, has_failed));
}

void BackgroundJob::finish(const QString& line, bool has_failed)
{
    shows_.stop();
    dialog_->hide();
    if (has_failed) emit failed(line);
    emit ended(line);
    deleteLater();
}

}  // namespace ositrace::gui
