// SPDX-License-Identifier: MPL-2.0
#include "gui/export/video_dialog.hpp"

#include <filesystem>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "gui/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int least_pixels = 16, most_pixels = 16384;

QSpinBox* pixel_box(const char* name, int pixels)
{
    auto* const box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(least_pixels, most_pixels);
    box->setValue(pixels);
    return box;
}

QLineEdit* line(const char* name, const QString& text)
{
    auto* const edit = new QLineEdit(text);
    edit->setObjectName(QLatin1String(name));
    return edit;
}

QString section_text(const TimeSection& section)
{
    return QStringLiteral("%1 to %2")
        .arg(seconds_text(section.from, std::chrono::milliseconds(1)),
             seconds_text(section.to, std::chrono::milliseconds(1)));
}

}  // namespace

VideoDialog::VideoDialog(const Offer& offer, QWidget* parent) : QDialog(parent), offer_(offer)
{
    setObjectName(QStringLiteral("video_dialog"));
    setWindowTitle(tr("Export a video"));
    build();
    update_summary();
}

void VideoDialog::build()
{
    what_ = new QComboBox;
    what_->setObjectName(QStringLiteral("video_what"));
    what_->addItem(tr("Scene"), false);
    what_->addItem(tr("Whole window"), true);
    section_ = new QComboBox;
    section_->setObjectName(QStringLiteral("video_section"));
    if (offer_.section) section_->addItem(tr("Section: %1").arg(section_text(*offer_.section)), true);
    section_->addItem(tr("Everything: %1").arg(section_text(offer_.whole)), false);
    fps_ = line("video_fps", QStringLiteral("30"));
    rate_ = line("video_rate", QString::number(offer_.rate));
    rate_->setToolTip(tr("Trace seconds per second of the video: 1 is real time, 0.1 slow motion"));
    width_ = pixel_box("video_width", offer_.scene.width());
    height_ = pixel_box("video_height", offer_.scene.height());
    file_ = line("video_file", offer_.file);
    file_->setMinimumWidth(320);
    file_->setToolTip(
        tr("A file .mp4, .mkv, .mov or .webm, which ffmpeg encodes; or a folder, or a pattern such as "
           "scene_%04d.png, for PNG files"));
    auto* const choose = new QPushButton(tr("Choose..."));
    connect(choose, &QPushButton::clicked, this, &VideoDialog::choose_file);
    summary_ = new QLabel;
    summary_->setObjectName(QStringLiteral("video_summary"));
    summary_->setWordWrap(true);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("Export"));

    auto* const size = new QHBoxLayout;
    size->addWidget(width_);
    size->addWidget(new QLabel(QStringLiteral("x")));
    size->addWidget(height_);
    size->addStretch(1);
    auto* const file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(choose);
    auto* const form = new QFormLayout;
    form->addRow(tr("Show"), what_);
    form->addRow(tr("Time"), section_);
    form->addRow(tr("Frames per second"), fps_);
    form->addRow(tr("Speed"), rate_);
    form->addRow(tr("Size"), size);
    form->addRow(tr("File or folder"), file);
    auto* const all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(summary_);
    all->addWidget(buttons_);

    connect(what_, &QComboBox::currentIndexChanged, this, [this] {
        const bool is_window = what_->currentData().toBool();
        const auto shown = is_window ? offer_.window : offer_.scene;
        width_->setValue(shown.width());
        height_->setValue(shown.height());
        width_->setEnabled(!is_window);
        height_->setEnabled(!is_window);
    });
    connect(section_, &QComboBox::currentIndexChanged, this, &VideoDialog::update_summary);
    for (auto* const each : {fps_, rate_, file_})
        connect(each, &QLineEdit::textChanged, this, &VideoDialog::update_summary);
    connect(buttons_, &QDialogButtonBox::accepted, this, &VideoDialog::ask_to_replace);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

std::optional<VideoTimes> VideoDialog::times() const
{
    const auto fps = parse_frames_per_second(fps_->text().trimmed().toStdString());
    const auto rate = parse_video_rate(rate_->text().trimmed().toStdString());
    if (!fps || !rate) return std::nullopt;
    return VideoTimes{.section = section_->currentData().toBool() ? *offer_.section : offer_.whole,
                      .frames_per_second = *fps,
                      .rate = *rate};
}

/// Why the video cannot be written; empty: nothing is wrong.
QString VideoDialog::problem() const
{
    const auto wanted = times();
    if (!parse_frames_per_second(fps_->text().trimmed().toStdString()))
        return tr("Frames per second: a number from 0.01 to 1000, or 30000/1001");
    if (!wanted) return tr("Speed: a number from 0.001 to 1000");
    if (wanted->count() > VideoTimes::max_frames)
        return tr("More than %1. Select a section, a higher speed or fewer frames per second.")
            .arg(count_text(VideoTimes::max_frames, "frame"));
    if (file_->text().isEmpty() || file_->text() == QLatin1String("-")) return tr("Choose a file or a folder");
    if (const auto why = why_no_video_name(file_->text()); !why.isEmpty()) return why;
    if (needs_ffmpeg(file_->text()) && QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty())
        return tr("ffmpeg, which encodes videos, is not in PATH. Install it, or write PNG files into a folder.");
    return {};
}

void VideoDialog::update_summary()
{
    const auto why = problem();
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(why.isEmpty());
    if (!why.isEmpty()) return summary_->setText(why);
    const auto wanted = *times();
    const auto frames = wanted.count();
    summary_->setText(tr("%1, %2 s of video")
                          .arg(count_text(frames, "frame"))
                          .arg(static_cast<double>(frames) / wanted.frames_per_second, 0, 'f', 2));
}

void VideoDialog::choose_file()
{
    const auto file = QFileDialog::getSaveFileName(this, tr("Save the video"), file_->text(),
                                                   tr("Videos (*.mp4 *.mkv *.mov *.webm);;PNG files (*.png)"), nullptr,
                                                   QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty()) file_->setText(file);
}

void VideoDialog::ask_to_replace()
{
    const std::filesystem::path file = QFile::encodeName(file_->text()).toStdString();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return accept();
    const auto question = std::filesystem::is_directory(file, ignored)
                              ? tr("%1 exists. Replace the frames in it?").arg(file_->text())
                              : tr("%1 exists. Replace it?").arg(file_->text());
    if (QMessageBox::question(this, windowTitle(), question) == QMessageBox::Yes) accept();
}

VideoRequest VideoDialog::request() const
{
    const auto wanted = *times();
    return {.whole_window = what_->currentData().toBool(),
            .times = wanted,
            .target = {.file = file_->text(),
                       .frames_per_second = fps_->text().trimmed(),
                       .frames = wanted.count(),
                       .overwrite = true},
            .size = {width_->value(), height_->value()}};
}

}  // namespace ositrace::gui
