// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QDialog>
#include <QSize>
#include <QString>

#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ositrace::gui {

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
