// SPDX-License-Identifier: MPL-2.0
#include "gui/window/status_line.hpp"

#include <QLabel>
#include <QStatusBar>

#include "gui/playback/steady_label.hpp"

namespace ositrace::gui {

namespace {

QLabel* label(QStatusBar& bar, const QString& tip)
{
    auto* const made = new QLabel(&bar);
    made->setToolTip(tip);
    made->setMargin(3);
    bar.addPermanentWidget(made);
    return made;
}

QString milliseconds(std::chrono::nanoseconds time)
{
    return QString::number(static_cast<double>(time.count()) / 1e6, 'f', 1);
}

}  // namespace

StatusLine::StatusLine(QStatusBar& bar) : QObject(&bar), files_(new QLabel(&bar))
{
    files_->setMargin(3);
    files_->setMinimumWidth(0);
    files_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar.addWidget(files_, 1);
    section_ = label(bar, tr("A seek or a step into the section limits playing again; Shift+I removes it"));
    section_->setObjectName(QStringLiteral("section_left"));
    section_->setText(tr("section left: all is played"));
    section_->hide();
    index_ = label(bar, tr("How far the file has been looked through for the times of its messages"));
    decode_ = label(bar, tr("Reading and decoding the moment that is shown"));
    draw_ = label(bar, tr("Drawing it"));
    cache_ = label(bar, tr("Memory that keeps what was shown last"));
    renderer_ = label(bar, tr("What draws the scene"));
    renderer_->setMaximumWidth(260);
}

void StatusLine::show_files(const QString& files, const QString& details)
{
    files_->setText(files);
    files_->setToolTip(details);
}

void StatusLine::show_section(bool is_left) { section_->setVisible(is_left); }

void StatusLine::show_work(const WorkFigures& figures)
{
    const bool complete = figures.index_progress && *figures.index_progress >= 1;
    index_->setVisible(!complete);
    index_->setText(figures.index_progress ? tr("index %1 %").arg(static_cast<int>(*figures.index_progress * 100))
                                           : tr("index..."));
    show_steadily(*decode_, tr("decode %1 ms").arg(milliseconds(figures.made_in)));
    show_steadily(*draw_, tr("draw %1 ms").arg(milliseconds(figures.drawn_in)));
    show_steadily(*cache_, tr("cache %1 MB").arg(figures.cache_bytes >> 20));
    const auto renderer = renderer_->fontMetrics().elidedText(figures.renderer, Qt::ElideRight, 250);
    if (renderer != renderer_->text()) renderer_->setText(renderer);
    renderer_->setToolTip(figures.renderer);
}

}  // namespace ositrace::gui
