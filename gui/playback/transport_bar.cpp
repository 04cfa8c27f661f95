// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/transport_bar.hpp"

#include <utility>

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include "gui/playback/steady_label.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/playback/transport_icons.hpp"

namespace ositrace::gui {

TransportBar::TransportBar(PlaybackController& playback, QWidget* parent) : QWidget(parent), playback_(playback)
{
    build();
    connect(to_start_, &QToolButton::clicked, &playback_, &PlaybackController::to_start);
    connect(previous_, &QToolButton::clicked, this, [this] { playback_.step(-1); });
    connect(play_, &QToolButton::clicked, &playback_, &PlaybackController::toggle);
    connect(next_, &QToolButton::clicked, this, [this] { playback_.step(1); });
    connect(to_end_, &QToolButton::clicked, &playback_, &PlaybackController::to_end);
    connect(loop_, &QToolButton::toggled, &playback_, &PlaybackController::set_loops);
    connect(rate_, &QComboBox::activated, this,
            [this](int row) { playback_.set_rate(rate_->itemData(row).toDouble()); });
    connect(mode_, &QComboBox::activated, this,
            [this](int row) { playback_.set_mode(static_cast<PlaybackMode>(row)); });
    connect(time_, &QLineEdit::returnPressed, this, &TransportBar::go_to_typed);
    connect(time_, &QLineEdit::editingFinished, this, &TransportBar::take_time);
    connect(time_, &QLineEdit::textEdited, this, [this] { say_why({}); });
    connect(&playback_, &PlaybackController::time_changed, this, &TransportBar::take_time);
    connect(&playback_, &PlaybackController::playing_changed, this, &TransportBar::draw_icons);
    connect(&playback_, &PlaybackController::settings_changed, this, &TransportBar::take_settings);
    draw_icons();
    take_settings();
    take_time();
}

QToolButton* TransportBar::button(const char* name, const QString& tip)
{
    auto* const made = new QToolButton(this);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    made->setIconSize({20, 20});
    made->setFocusPolicy(Qt::NoFocus);
    layout()->addWidget(made);
    return made;
}

void TransportBar::build()
{
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(2);
    to_start_ = button("to_start", tr("To the start (Home)"));
    previous_ = button("previous", tr("Previous message (Left)"));
    play_ = button("play", tr("Play or pause (Space)"));
    next_ = button("next", tr("Next message (Right)"));
    to_end_ = button("to_end", tr("To the end (End)"));
    loop_ = button("loop", tr("Play over and over (L); I and O choose the section"));
    loop_->setCheckable(true);
    row->addSpacing(8);
    rate_ = new QComboBox(this);
    rate_->setObjectName(QStringLiteral("rate"));
    rate_->setToolTip(tr("Speed (+ and -, 1 is real time)"));
    rate_->setFocusPolicy(Qt::NoFocus);
    for (const auto rate : PlaybackController::rates()) rate_->addItem(tr("%1x").arg(rate), rate);
    row->addWidget(rate_);
    mode_ = new QComboBox(this);
    mode_->setObjectName(QStringLiteral("mode"));
    mode_->setToolTip(tr("In real time messages may be left out where the machine is too slow"));
    mode_->setFocusPolicy(Qt::NoFocus);
    mode_->addItems({tr("real time"), tr("every message")});
    row->addWidget(mode_);
    row->addStretch(1);
    message_ = new QLabel(this);
    message_->setObjectName(QStringLiteral("message"));
    row->addWidget(message_);
    row->addSpacing(12);
    calendar_ = new QLabel(this);
    row->addWidget(calendar_);
    row->addSpacing(12);
    time_ = new QLineEdit(this);
    time_->setObjectName(QStringLiteral("time"));
    time_->setAccessibleName(tr("Time"));
    time_->setAlignment(Qt::AlignRight);
    time_->setMaximumWidth(170);
    time_->setFocusPolicy(Qt::ClickFocus);
    time_->setToolTip(
        tr("Type where to go (Ctrl+G):\n12.5 seconds,  +3 from the start,  -3 from the end,\n1500000000 ns,  #42 the "
           "message,  "
           "2021-08-18T15:05:42Z where the trace has a zero time"));
    row->addWidget(time_);
    end_ = new QLabel(this);
    end_->setObjectName(QStringLiteral("end"));
    row->addWidget(end_);
}

void TransportBar::set_zero_time(std::optional<Nanoseconds> zero_time)
{
    zero_time_ = zero_time;
    take_time();
}

void TransportBar::show_position(Nanoseconds time, std::optional<std::uint64_t> number, std::uint64_t count,
                                 bool complete)
{
    shown_time_ = time;
    take_time();
    const auto all = complete ? QString::number(count) : tr("%1...").arg(count);
    position_ =
        count == 0 ? QString() : tr("message #%1, %2 in all").arg(number ? QString::number(*number) : tr("-"), all);
    if (why_not_.isEmpty()) show_steadily(*message_, position_);
}

void TransportBar::edit_time()
{
    time_->setFocus(Qt::ShortcutFocusReason);
    time_->selectAll();
}

void TransportBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) draw_icons();
    QWidget::changeEvent(event);
}

void TransportBar::draw_icons()
{
    const auto colour = palette().color(QPalette::WindowText);
    to_start_->setIcon(transport_icon(TransportSign::to_start, colour));
    previous_->setIcon(transport_icon(TransportSign::previous, colour));
    play_->setIcon(transport_icon(playback_.playing() ? TransportSign::pause : TransportSign::play, colour));
    next_->setIcon(transport_icon(TransportSign::next, colour));
    to_end_->setIcon(transport_icon(TransportSign::to_end, colour));
    loop_->setIcon(transport_icon(TransportSign::loop, colour));
}

void TransportBar::take_settings()
{
    const QSignalBlocker loop(loop_);
    loop_->setChecked(playback_.loops());
    rate_->setCurrentIndex(rate_->findData(playback_.rate()));
    mode_->setCurrentIndex(static_cast<int>(playback_.mode()));
}

void TransportBar::take_time()
{
    const bool open = playback_.can_play();
    for (QWidget* const each :
         {static_cast<QWidget*>(to_start_), static_cast<QWidget*>(previous_), static_cast<QWidget*>(play_),
          static_cast<QWidget*>(next_), static_cast<QWidget*>(to_end_), static_cast<QWidget*>(time_)})
        each->setEnabled(open);
    show_steadily(*calendar_,
                  open && zero_time_ ? QString::fromStdString(utc_text(shifted(shown_time_, *zero_time_))) : QString());
    show_steadily(*end_, open ? tr(" of %1").arg(QString::fromStdString(
                                    seconds_text(playback_.extent()->to, std::chrono::milliseconds(1))))
                              : QString());
    if (time_->hasFocus()) return;  // somebody types, or is about to
    say_why({});
    time_->setText(open ? QString::fromStdString(seconds_text(shown_time_, std::chrono::milliseconds(1))) : QString());
}

/// In the place of the position, until another time is typed or none; empty: the position.
void TransportBar::say_why(const QString& why_not)
{
    if (std::exchange(why_not_, why_not) == why_not) return;
    free_size(*message_);
    if (why_not.isEmpty())
        show_steadily(*message_, position_);
    else
        message_->setText(why_not);
}

void TransportBar::go_to_typed()
{
    if (!playback_.can_play()) return;
    if (!time_->isModified()) return time_->clearFocus();  // the time that is shown, which is rounded
    const auto text = time_->text().toStdString();
    const auto typed = parse_time(text, {*playback_.extent(), zero_time_});
    if (!typed) {
        time_->selectAll();
        return say_why(is_calendar_time(text)
                           ? tr("this trace has no calendar time: 12.5, +3, -3, 1500000000 ns, #42")
                           : tr("'%1' is no time: 12.5, +3, -3, 1500000000 ns, #42").arg(time_->text()));
    }
    time_->setModified(false);
    time_->clearFocus();
    if (const auto* const time = std::get_if<Nanoseconds>(&*typed))
        playback_.seek(*time);
    else
        playback_.go_to_message(std::get<std::uint64_t>(*typed));
}

}  // namespace ositrace::gui
