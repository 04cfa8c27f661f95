// SPDX-License-Identifier: MPL-2.0
#include "gui/window/window_picture.hpp"

#include <chrono>
#include <filesystem>

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/scene/scene_view.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/widgets/steady_label.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

namespace {

constexpr auto check_interval = std::chrono::milliseconds(20);
constexpr auto longest_reading = std::chrono::minutes(5);

/// Nothing will change any more: everything is read and shown, or cannot be.
bool is_done(ViewerWindow& window)
{
    auto& session = window.viewer().session();
    if (!session.is_complete()) return false;
    return session.channels()->empty() || (window.is_settled() && window.is_examined());
}

void wait_until_done(ViewerWindow& window)
{
    QEventLoop loop;
    QTimer check;
    QDeadlineTimer deadline(longest_reading);
    QObject::connect(&check, &QTimer::timeout, &loop, [&] {
        if (is_done(window) || deadline.hasExpired()) loop.quit();
    });
    check.start(check_interval);
    loop.exec();
    if (!is_done(window)) throw Error(Cause::io, "the trace was not read to its end within 5 minutes");
}

}  // namespace

void prepare_window_picture(ViewerWindow& window, bool resets_camera)
{
    window.hide_work();
    wait_until_done(window);
    if (resets_camera) {
        window.scene().reset_camera();
        wait_until_done(window);
    }
    refuse_unopened(window.viewer().session());
    for (const auto& trace : window.viewer().session().traces())
        if (trace.trace->info().channels.empty()) throw Error(Cause::io, trace.problem.toStdString());
    if (window.viewer().is_out_of_reach())
        throw Error(Cause::mismatch, window.viewer().problems().front().toStdString());
}

QImage picture_of(ViewerWindow& window)
{
    fit_steady_labels(window);
    return window.grab().toImage();
}

QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite, bool resets_camera)
try {
    const std::filesystem::path output = file.toStdString();
    refuse_existing(output, overwrite);
    prepare_window_picture(window, resets_camera);
    write_png(picture_of(window), output, overwrite);
    return {};
} catch (const Error& error) {
    return QString::fromUtf8(error.what());
}

}  // namespace ositrace::gui
