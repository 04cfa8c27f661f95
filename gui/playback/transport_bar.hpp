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

/// The buttons of a player: start, step, play, end, loop, rate, mode, and the time, which can be edited.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    /// `playback` must outlive it.
    explicit TransportBar(PlaybackController& playback, QWidget* parent = nullptr);
    /// Calendar time of t = 0, if the trace contains it.
    void set_zero_time(std::optional<Nanoseconds> zero_time);
    /// The time on the screen, and the message of the active channel there: its number and the number of messages.
    /// `number`: in the active channel, of `count`; `in_file`: see number_in_file().
    void show_position(Nanoseconds time, std::optional<std::uint64_t> number, std::uint64_t count, bool complete,
                       std::optional<std::uint64_t> in_file = {});
    void edit_time();

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* button(const char* name, const QString& tip);
    void build();
    void draw_icons();
    void show_settings();
    void show_time();
    void show_refusal(const QString& refusal);
    void go_to_typed();

    PlaybackController& playback_;
    std::optional<Nanoseconds> zero_time_;
    Nanoseconds shown_time_{};
    QString position_;
    QString refusal_;  ///< why the typed time was refused; empty: it was not
    QToolButton* to_start_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* next_ = nullptr;
    QToolButton* to_end_ = nullptr;
    QToolButton* live_ = nullptr;
    QToolButton* loop_ = nullptr;
    QComboBox* rate_ = nullptr;
    QComboBox* mode_ = nullptr;
    QLabel* message_ = nullptr;
    QLabel* calendar_ = nullptr;
    QLineEdit* time_ = nullptr;
    QLabel* end_ = nullptr;
};

}  // namespace ositrace::gui
