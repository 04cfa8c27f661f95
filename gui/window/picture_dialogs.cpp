// SPDX-License-Identifier: MPL-2.0
#include "gui/window/picture_dialogs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "gui/screenshot/png_file.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int least_pixels = 16, most_pixels = 16384;
/// Settings: of the last picture that was saved.
constexpr QLatin1String last_preset("picture_preset"), last_theme("picture_theme");

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

QHBoxLayout* row_of_size(QSpinBox* width, QSpinBox* height)
{
    auto* const row = new QHBoxLayout;
    row->addWidget(width);
    row->addWidget(new QLabel(QStringLiteral("x")));
    row->addWidget(height);
    row->addStretch(1);
    return row;
}

/// Asks whether what exists is replaced.
bool may_write(QDialog& dialog, const QString& name)
{
    const std::filesystem::path file = name.toStdString();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return true;
    const auto question = std::filesystem::is_directory(file, ignored)
                              ? QDialog::tr("%1 exists. Replace the frames in it?").arg(name)
                              : QDialog::tr("%1 exists. Replace it?").arg(name);
    return QMessageBox::question(&dialog, dialog.windowTitle(), question) == QMessageBox::Yes;
}

/// A size for a picture, with text that can be read when the picture fills a screen of that size.
struct SizePreset {
    const char* name;
    QSize size;
    double scale;
};

constexpr std::array size_presets{
    SizePreset{"Slide: 1920 x 1080", {1920, 1080}, 2},
    SizePreset{"Slide, twice as sharp: 3840 x 2160", {3840, 2160}, 4},
    SizePreset{"Half of a slide: 960 x 1080", {960, 1080}, 2},
    SizePreset{"Document: 2400 x 1600", {2400, 1600}, 2.5},
};

}  // namespace

PictureDialog::PictureDialog(const PictureRequest& offer, QSize window, QWidget* parent)
    : QDialog(parent), offer_(offer), window_(window)
{
    setObjectName(QStringLiteral("picture_dialog"));
    setWindowTitle(tr("Save a picture"));
    build();
    update();
}

void PictureDialog::build()
{
    what_ = new QComboBox;
    what_->setObjectName(QStringLiteral("picture_what"));
    what_->addItem(tr("Scene"), false);
    what_->addItem(tr("Whole window"), true);
    preset_ = new QComboBox;
    preset_->setObjectName(QStringLiteral("picture_preset"));
    preset_->addItem(tr("As shown: %1 x %2").arg(offer_.size.width()).arg(offer_.size.height()));
    for (const auto& each : size_presets) preset_->addItem(tr(each.name));
    width_ = pixel_box("picture_width", offer_.size.width());
    height_ = pixel_box("picture_height", offer_.size.height());
    scale_ = new QDoubleSpinBox;
    scale_->setObjectName(QStringLiteral("picture_scale"));
    scale_->setRange(0.5, 8);
    scale_->setDecimals(2);
    scale_->setSingleStep(0.25);
    scale_->setPrefix(QStringLiteral("x "));
    scale_->setValue(offer_.scale);
    theme_ = new QComboBox;
    theme_->setObjectName(QStringLiteral("picture_theme"));
    theme_->addItem(tr("Dark"));
    theme_->addItem(tr("Light"));
    theme_->setCurrentIndex(offer_.theme == Theme::dark ? 0 : 1);
    caption_ = new QCheckBox(tr("File and time at the top"));
    caption_->setObjectName(QStringLiteral("picture_caption"));
    caption_->setChecked(offer_.caption);
    file_ = line("picture_file", offer_.file);
    file_->setMinimumWidth(320);
    auto* const choose = new QPushButton(tr("Choose..."));
    problem_ = new QLabel;
    problem_->setWordWrap(true);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);

    auto* const file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(choose);
    auto* const form = new QFormLayout;
    form->addRow(tr("Show"), what_);
    form->addRow(tr("For"), preset_);
    form->addRow(tr("Pixels"), row_of_size(width_, height_));
    form->addRow(tr("Text and lines"), scale_);
    form->addRow(tr("Theme"), theme_);
    form->addRow({}, caption_);
    form->addRow(tr("File"), file);
    auto* const all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(problem_);
    all->addWidget(buttons_);

    connect(what_, &QComboBox::currentIndexChanged, this, [this] {
        take_preset();
        update();
    });
    connect(preset_, &QComboBox::currentIndexChanged, this, &PictureDialog::take_preset);
    connect(file_, &QLineEdit::textChanged, this, &PictureDialog::update);
    connect(choose, &QPushButton::clicked, this, &PictureDialog::choose_file);
    connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
        if (!may_write(*this, file_name())) return;
        QSettings settings;
        settings.setValue(last_preset, preset_->currentIndex());
        settings.setValue(last_theme, theme_->currentIndex());
        accept();
    });
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const QSettings settings;
    preset_->setCurrentIndex(std::clamp(settings.value(last_preset).toInt(), 0, preset_->count() - 1));
    if (settings.contains(last_theme)) theme_->setCurrentIndex(settings.value(last_theme).toInt() == 0 ? 0 : 1);
}

/// With `.png` if it has no suffix.
QString PictureDialog::file_name() const
{
    const auto name = file_->text();
    return QFileInfo(name).suffix().isEmpty() ? name + QStringLiteral(".png") : name;
}

/// Its pixels and scale; those of the window for the whole window.
void PictureDialog::take_preset()
{
    SizePreset taken{nullptr, what_->currentData().toBool() ? window_ : offer_.size, offer_.scale};
    if (const auto row = preset_->currentIndex(); row != 0 && !what_->currentData().toBool())
        taken = size_presets[static_cast<std::size_t>(row - 1)];
    width_->setValue(taken.size.width());
    height_->setValue(taken.size.height());
    scale_->setValue(taken.scale);
}

void PictureDialog::update()
{
    const bool is_window = what_->currentData().toBool();
    const std::array<QWidget*, 6> of_scene{preset_, width_, height_, scale_, theme_, caption_};
    for (auto* const each : of_scene) each->setEnabled(!is_window);
    const auto name = file_->text();
    const bool is_png = is_png_name(name.toStdString());
    problem_->setText(name.isEmpty() ? tr("Choose a file") : is_png ? QString() : tr("The name must end in .png"));
    problem_->setVisible(!problem_->text().isEmpty());
    buttons_->button(QDialogButtonBox::Save)->setEnabled(problem_->text().isEmpty());
}

void PictureDialog::choose_file()
{
    const auto file = QFileDialog::getSaveFileName(this, windowTitle(), file_->text(), tr("Pictures (*.png)"), nullptr,
                                                   QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty()) file_->setText(file);
}

PictureRequest PictureDialog::request() const
{
    return {.whole_window = what_->currentData().toBool(),
            .size = {width_->value(), height_->value()},
            .scale = scale_->value(),
            .theme = theme_->currentIndex() == 0 ? Theme::dark : Theme::light,
            .caption = caption_->isChecked(),
            .file = file_name()};
}

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

    auto* const file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(choose);
    auto* const form = new QFormLayout;
    form->addRow(tr("Show"), what_);
    form->addRow(tr("Time"), section_);
    form->addRow(tr("Frames per second"), fps_);
    form->addRow(tr("Speed"), rate_);
    form->addRow(tr("Size"), row_of_size(width_, height_));
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
    if (may_write(*this, file_->text())) accept();
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
