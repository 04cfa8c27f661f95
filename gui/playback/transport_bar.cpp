// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/transport_bar.hpp"

#include <cstdint>
#include <utility>

#include <QColor>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QSignalBlocker>
#include <QToolButton>

#include "gui/playback/time_text.hpp"
#include "gui/text/quantity.hpp"
#include "gui/widgets/steady_label.hpp"

namespace ositrace::gui {

namespace {

enum class TransportSign : std::uint8_t { to_start, previous, play, pause, next, to_end, live, loop };

constexpr QColor live_colour(0xe0, 0x3a, 0x2e);

constexpr int pixels = 96;  // drawn large, scaled down
constexpr double unit = pixels / 24.0;

QPainterPath triangle(double left, double right)
{
    QPainterPath path;
    path.moveTo(left, 5);
    path.lineTo(right, 12);
    path.lineTo(left, 19);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double left, double width)
{
    QPainterPath path;
    path.addRect(left, 5, width, 14);
    return path;
}

QPainterPath shape_of(TransportSign sign)
{
    switch (sign) {
    case TransportSign::to_start: return bar(4, 2.5) + triangle(13, 7) + triangle(20, 14);
    case TransportSign::previous: return bar(5, 2.5) + triangle(18, 9);
    case TransportSign::play: return triangle(6, 20);
    case TransportSign::pause: return bar(6, 4) + bar(14, 4);
    case TransportSign::next: return triangle(6, 15) + bar(16.5, 2.5);
    case TransportSign::to_end: return triangle(4, 10) + triangle(11, 17) + bar(17.5, 2.5);
    case TransportSign::live: {
        QPainterPath dot;
        dot.addEllipse(QPointF(12, 12), 6, 6);
        return dot;
    }
    case TransportSign::loop: break;
    }
    return {};
}

void draw_loop(QPainter& painter, const QColor& colour)
{
    painter.setPen(QPen(colour, 2.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(5, 5, 14, 14), 40 * 16, 290 * 16);
    QPainterPath head;
    head.moveTo(13, 4);
    head.lineTo(20, 8);
    head.lineTo(19, 1);
    head.closeSubpath();
    painter.fillPath(head, colour);
}

QPixmap drawn(TransportSign sign, const QColor& colour)
{
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(unit, unit);
    if (sign == TransportSign::loop)
        draw_loop(painter, colour);
    else
        painter.fillPath(shape_of(sign), colour);
    return pixmap;
}

/// Drawn, so that it suits every theme and pixel density.
QIcon transport_icon(TransportSign sign, const QColor& colour)
{
    QIcon icon(drawn(sign, colour));
    auto faint = colour;
    faint.setAlphaF(0.3F);
    icon.addPixmap(drawn(sign, faint), QIcon::Disabled);
    return icon;
}

}  // namespace

TransportBar::TransportBar(PlaybackController& playback, QWidget* parent) : QWidget(parent), playback_(playback)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    build();
    connect(to_start_, &QToolButton::clicked, &playback_, &PlaybackController::to_start);
    connect(previous_, &QToolButton::clicked, this, [this] { playback_.step(-1); });
    connect(play_, &QToolButton::clicked, &playback_, &PlaybackController::toggle);
    connect(next_, &QToolButton::clicked, this, [this] { playback_.step(1); });
    connect(to_end_, &QToolButton::clicked, &playback_, &PlaybackController::to_end);
    connect(live_, &QToolButton::clicked, &playback_, &PlaybackController::go_live);
    connect(loop_, &QToolButton::toggled, &playback_, &PlaybackController::set_loops);
    connect(rate_, &QComboBox::activated, this,
            [this](int row) { playback_.set_rate(rate_->itemData(row).toDouble()); });
    connect(mode_, &QComboBox::activated, this,
            [this](int row) { playback_.set_mode(static_cast<PlaybackMode>(row)); });
    connect(time_, &QLineEdit::returnPressed, this, &TransportBar::go_to_typed);
    connect(time_, &QLineEdit::editingFinished, this, &TransportBar::show_time);
    connect(time_, &QLineEdit::textEdited, this, [this] { show_refusal({}); });
    connect(&playback_, &PlaybackController::time_changed, this, &TransportBar::show_time);
    connect(&playback_, &PlaybackController::playing_changed, this, &TransportBar::draw_icons);
    connect(&playback_, &PlaybackController::settings_changed, this, &TransportBar::show_settings);
    draw_icons();
    show_settings();
    show_time();
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
    live_ = button("live", tr("Live: to the last message, and follow it (Shift+End)"));
    live_->setText(tr("Live"));
    live_->setCheckable(true);
    live_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    live_->hide();
    loop_ = button("loop", tr("Loop (L); I and O set the section"));
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
    mode_->setToolTip(tr("In real time, messages are dropped if the computer is too slow"));
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
        tr("Type a time (Ctrl+G):\n12.5 seconds,  +3 from the start,  -3 from the end,\n1500000000 ns,  #42 the "
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
    show_time();
}

void TransportBar::show_position(Nanoseconds time, std::optional<std::uint64_t> number, std::uint64_t count,
                                 bool complete, std::optional<std::uint64_t> in_file)
{
    shown_time_ = time;
    show_time();
    const auto place = complete ? tr("message #%1, %2 in total") : tr("message #%1, %2 so far");
    position_ = count == 0 ? QString() : place.arg(number ? QString::number(*number) : tr("-")).arg(count);
    if (in_file) position_ += tr(" of its channel; frame %1 of the file").arg(*in_file);
    if (refusal_.isEmpty()) show_steadily(*message_, position_);
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
    play_->setIcon(
        transport_icon(playback_.playing() || playback_.live() ? TransportSign::pause : TransportSign::play, colour));
    live_->setIcon(transport_icon(TransportSign::live, playback_.live() ? live_colour : colour));
    live_->setChecked(playback_.live());
    next_->setIcon(transport_icon(TransportSign::next, colour));
    to_end_->setIcon(transport_icon(TransportSign::to_end, colour));
    loop_->setIcon(transport_icon(TransportSign::loop, colour));
}

void TransportBar::show_settings()
{
    const QSignalBlocker loop(loop_);
    loop_->setChecked(playback_.loops());
    rate_->setCurrentIndex(rate_->findData(playback_.rate()));
    mode_->setCurrentIndex(static_cast<int>(playback_.mode()));
    live_->setVisible(playback_.grows());
}

void TransportBar::show_time()
{
    const bool open = playback_.can_play();
    for (QWidget* const each :
         {static_cast<QWidget*>(to_start_), static_cast<QWidget*>(live_), static_cast<QWidget*>(previous_),
          static_cast<QWidget*>(play_), static_cast<QWidget*>(next_), static_cast<QWidget*>(to_end_),
          static_cast<QWidget*>(time_)})
        each->setEnabled(open);
    show_steadily(*calendar_,
                  open && zero_time_ ? QString::fromStdString(utc_text(shifted(shown_time_, *zero_time_))) : QString());
    show_steadily(
        *end_, open ? tr(" of %1").arg(seconds_text(playback_.extent()->to, std::chrono::milliseconds(1))) : QString());
    if (time_->hasFocus()) return;  // the user edits the time
    show_refusal({});
    time_->setText(open ? seconds_text(shown_time_, std::chrono::milliseconds(1)) : QString());
}

/// Shown instead of the position until the typed time changes; empty: shows the position.
void TransportBar::show_refusal(const QString& refusal)
{
    if (std::exchange(refusal_, refusal) == refusal) return;
    free_size(*message_);
    if (refusal.isEmpty())
        show_steadily(*message_, position_);
    else
        message_->setText(refusal);
}

void TransportBar::go_to_typed()
{
    if (!playback_.can_play()) return;
    if (!time_->isModified()) return time_->clearFocus();  // unchanged: the shown time, which is rounded
    const auto text = time_->text().toStdString();
    const auto typed = parse_time(text, {*playback_.extent(), zero_time_});
    if (!typed) {
        time_->selectAll();
        return show_refusal(is_calendar_time(text)
                                ? tr("this trace has no calendar time. Use 12.5, +3, -3, 1500000000 ns or #42.")
                                : tr("'%1' is not a time. Use 12.5, +3, -3, 1500000000 ns or #42.").arg(time_->text()));
    }
    time_->setModified(false);
    time_->clearFocus();
    if (const auto* const time = std::get_if<Nanoseconds>(&*typed))
        playback_.seek(*time);
    else
        playback_.go_to_message(std::get<std::uint64_t>(*typed));
}

}  // namespace ositrace::gui
