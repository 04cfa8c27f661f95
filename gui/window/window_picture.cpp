// SPDX-License-Identifier: MPL-2.0
#include "gui/window/window_picture.hpp"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFile>
#include <QPixmap>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/scene/scene_view.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

namespace {

constexpr auto look_every = std::chrono::milliseconds(20);
constexpr auto most_patience = std::chrono::minutes(5);

/// Nothing will change any more: read to the end, shown, or it never will be.
bool is_done(ViewerWindow& window)
{
    auto& session = window.viewer().session();
    if (!session.is_complete()) return false;
    return session.channels()->empty() || (window.is_settled() && window.is_examined());
}

void wait_until_done(ViewerWindow& window)
{
    QEventLoop loop;
    QTimer look;
    QDeadlineTimer patience(most_patience);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (is_done(window) || patience.hasExpired()) loop.quit();
    });
    look.start(look_every);
    loop.exec();
    if (!is_done(window)) throw Error(Cause::io, "the trace was not read to its end within 5 minutes");
}

/// A file that is not opened is an error, even if its first messages are known; one that breaks somewhere is shown as
/// far as it goes.
void refuse_unopened(const Session& session)
{
    for (const auto& each : session.traces())
        if (!each.whole || each.trace->info().channels.empty()) throw Error(Cause::io, each.problem.toStdString());
}

}  // namespace

QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite, bool resets_camera)
try {
    const std::filesystem::path output = QFile::encodeName(file).toStdString();
    refuse_existing(output, overwrite);
    wait_until_done(window);
    if (resets_camera) {
        window.scene().reset_camera();
        wait_until_done(window);
    }
    refuse_unopened(window.viewer().session());
    if (window.viewer().is_out_of_reach()) throw Error(Cause::usage, window.viewer().problems().front().toStdString());
    write_png(window.grab().toImage(), output, overwrite);
    return {};
} catch (const Error& error) {
    return QString::fromUtf8(error.what());
}

}  // namespace ositrace::gui
