// SPDX-License-Identifier: MPL-2.0
// What a picture or a video of the scene or the window is to be: asked in a dialog.
#pragma once

#include <optional>

#include <QDialog>
#include <QSize>
#include <QString>

#include <ositrace/palette.hpp>

#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ositrace::gui {

struct PictureRequest {
    bool whole_window = false;
    QSize size;                 ///< of the scene, in pixels of the picture; a window keeps its own
    double scale = 1;           ///< of text and lines in the scene
    Theme theme = Theme::dark;  ///< of the scene
    bool caption = true;        ///< files and time at the top of the scene
    QString file;
};

/// Asks for what a picture shows and where it is written.
class PictureDialog : public QDialog {
    Q_OBJECT
public:
    /// `offer`: what the fields contain at first, the scene as it is shown. `window`: its size in pixels.
    PictureDialog(const PictureRequest& offer, QSize window, QWidget* parent = nullptr);
    /// Valid after the dialog was accepted.
    [[nodiscard]] PictureRequest request() const;

private:
    void build();
    [[nodiscard]] QString file_name() const;
    void take_preset();
    void update();
    void choose_file();

    PictureRequest offer_;
    QSize window_;
    QComboBox* what_ = nullptr;
    QComboBox* preset_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QDoubleSpinBox* scale_ = nullptr;
    QComboBox* theme_ = nullptr;
    QCheckBox* caption_ = nullptr;
    QLineEdit* file_ = nullptr;
    QLabel* problem_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
};

struct VideoRequest {
    bool whole_window = false;
    VideoTimes times;
    VideoTarget target;
    QSize size;  ///< of the scene; a window keeps its own
};

/// Asks for what a video shows and where it is written.
class VideoDialog : public QDialog {
    Q_OBJECT
public:
    /// What the fields contain at first.
    struct Offer {
        TimeSection whole;
        std::optional<TimeSection> section;  ///< selected on the timeline
        double rate = 1;
        QSize scene, window;
        QString file;
    };
    explicit VideoDialog(const Offer& offer, QWidget* parent = nullptr);
    /// Valid after the dialog was accepted.
    [[nodiscard]] VideoRequest request() const;

private:
    void build();
    void update_summary();
    void choose_file();
    void ask_to_replace();
    [[nodiscard]] std::optional<VideoTimes> times() const;
    [[nodiscard]] QString problem() const;

    Offer offer_;
    QComboBox* what_ = nullptr;
    QComboBox* section_ = nullptr;
    QLineEdit* fps_ = nullptr;
    QLineEdit* rate_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QLineEdit* file_ = nullptr;
    QLabel* summary_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
};

}  // namespace ositrace::gui
