// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QWidget>

#include "gui/playback/playback_controller.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace ositrace::gui {

/// The buttons of a player: start, step, play, end, loop, rate, every message, and the time, which can be typed.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    /// `playback` must outlive it.
    explicit TransportBar(PlaybackController& playback, QWidget* parent = nullptr);
    /// Calendar time of t = 0, where the trace states it.
    void set_zero_time(std::optional<Nanoseconds> zero_time);
    /// What is on the screen: its time, and of the active channel the number of the message and how many there are.
    void show_position(Nanoseconds time, std::optional<std::uint64_t> number, std::uint64_t count, bool complete);
    void edit_time();

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* button(const char* name, const QString& tip);
    void build();
    void draw_icons();
    void take_settings();
    void take_time();
    void say_why(const QString& why_not);
    void go_to_typed();

    PlaybackController& playback_;
    std::optional<Nanoseconds> zero_time_;
    Nanoseconds shown_time_{};
    QString position_;
    QString why_not_;  ///< one goes to what was typed; empty: nothing was refused
    QToolButton* to_start_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* next_ = nullptr;
    QToolButton* to_end_ = nullptr;
    QToolButton* loop_ = nullptr;
    QComboBox* rate_ = nullptr;
    QComboBox* mode_ = nullptr;
    QLabel* message_ = nullptr;
    QLabel* calendar_ = nullptr;
    QLineEdit* time_ = nullptr;
    QLabel* end_ = nullptr;
};

}  // namespace ositrace::gui
