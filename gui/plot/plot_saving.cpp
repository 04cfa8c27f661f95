// SPDX-License-Identifier: MPL-2.0
// Pictures and values of plots as files.
#include <utility>

#include <QBuffer>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>

#include <ositrace/error.hpp>

#include "gui/plot/plot_data.hpp"
#include "gui/plot/plot_view.hpp"
#include "gui/plot/svg_device.hpp"
#include "gui/text/save_file.hpp"

namespace ositrace::gui {

void PlotView::add_save_actions(QMenu& menu)
{
    menu.addAction(tr("Save picture as PNG..."), this, [this] { ask_and_save(tr("Save the plot"), "png"); });
    menu.addAction(tr("Save picture as SVG..."), this, [this] { ask_and_save(tr("Save the plot"), "svg"); });
    menu.addAction(tr("Save visible values as CSV..."), this, [this] { ask_and_save(tr("Save the values"), "csv"); });
}

void PlotView::ask_and_save(const QString& title, const QString& suffix)
{
    QFileDialog dialog(this, title, {}, QStringLiteral("*.") + suffix);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(QStringLiteral("plot.") + suffix);
    if (dialog.exec() != QDialog::Accepted) return;
    const auto file = dialog.selectedFiles().front();
    if (suffix == QLatin1String("csv")) return save_csv(file);
    tell(suffix == QLatin1String("png") ? save_png(file) : save_svg(file));
}

void PlotView::tell(const QString& problem)
{
    if (problem.isEmpty()) return;
    auto* const box = new QMessageBox(QMessageBox::Warning, tr("Save"), problem, QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

QString PlotView::save_png(const QString& file) const
{
    constexpr int scale = 2;  // so that it can be printed
    QImage image(size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paint(painter, size());
    painter.end();
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return save_file(file, png);
}

QString PlotView::save_svg(const QString& file) const
{
    SvgDevice device(size());
    QPainter painter(&device);
    paint(painter, size());
    painter.end();
    return save_file(file, device.svg());
}

/// A long trace takes some seconds.
void PlotView::save_csv(const QString& file)
{
    std::vector<PlotLine> lines;
    for (const auto& each : lines_)
        if (each.data && !each.is_hidden) lines.push_back(each);
    writer_ = std::jthread([this, file, lines = std::move(lines), section = visible_](const std::stop_token& stop) {
        const auto problem = save_file(file, [&](const auto& append) {
            const auto write = [&](const QByteArray& piece) {
                append(as_bytes(piece));
                return true;
            };
            write_csv(lines, section, write, stop);
            if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
        });
        if (stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            this,
            [this, file, problem] {
                tell(problem);
                emit written(file, problem);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace ositrace::gui
