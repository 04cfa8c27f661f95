// SPDX-License-Identifier: MPL-2.0
#include "gui/states/state_view.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "gui/playback/timeline_widget.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"
#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

namespace {

constexpr int row_height = 17, field_height = 20;
constexpr int bar_margin = 2, faint_margin = 6;
constexpr int snap = 4;  // pixels beside a change within which a click seeks to it
constexpr std::size_t most_values_in_legend = 12;

/// `traffic light` of `global_ground_truth.traffic_light[id=7].classification.color`.
QString list_name(const std::string& text)
{
    const auto bracket = text.find('[');
    if (bracket == std::string::npos) return {};
    const auto dot = text.rfind('.', bracket);
    const auto begin = dot == std::string::npos ? 0 : dot + 1;
    return QString::fromStdString(text.substr(begin, bracket - begin)).replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace

using namespace timeline_sizes;

StateView::StateView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setObjectName("state_view");
    setAccessibleName(tr("States"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalScrollBar()->setSingleStep(row_height);
    viewport()->setMouseTracking(true);
    setMinimumHeight(field_height + 3 * row_height);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);  // it scrolls by itself, in any height
}

void StateView::clear()
{
    channel_.reset();
    fields_.clear();
    curves_.clear();
    texts_.clear();
    values_.clear();
    messages_ = 0;
    selected_.reset();
    list_rows();
}

void StateView::begin(OpenChannel channel, std::vector<FieldPath> fields)
{
    clear();
    channel_ = std::move(channel);
    fields_ = std::move(fields);
    values_.resize(fields_.size());
    list_rows();
}

void StateView::set_channel(OpenChannel channel)
{
    channel_ = std::move(channel);
    redraw();
}

void StateView::add(const StateUpdate& update)
{
    for (const auto& curve : update.curves) curves_.push_back({curve, {}});
    texts_.insert(texts_.end(), update.texts.begin(), update.texts.end());
    messages_ = update.messages;
    for (const auto& [place, run] : update.runs) {
        auto& curve = curves_[place];
        auto& values = values_[curve.curve.path];
        if (const auto [look, is_new] = values.try_emplace(run.bits); is_new)
            look->second = look_of(curve.curve.path, run.bits, values.size() - 1);
        if (!curve.runs.empty() && curve.runs.back().first == run.first)
            curve.runs.back() = run;
        else
            curve.runs.push_back(run);
    }
    list_rows();
}

void StateView::set_only_changes(bool only)
{
    only_changes_ = only;
    list_rows();
}

int StateView::height_of(const Row& row) { return row.curve ? row_height : field_height; }

/// By field, then by object.
void StateView::list_rows()
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i != curves_.size(); ++i)
        if (!curves_[i].runs.empty() && (!only_changes_ || curves_[i].changes(messages_))) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
        const auto& curve = curves_[i].curve;
        return std::tuple(curve.path, curve.id.value_or(0), i);
    });
    rows_.clear();
    auto next = order.begin();
    for (std::uint32_t field = 0; field != fields_.size(); ++field) {
        rows_.push_back({std::nullopt, field, 0});
        for (; next != order.end() && curves_[*next].curve.path == field; ++next) rows_.push_back({*next, field, 0});
    }
    int top = 0;
    for (auto& row : rows_) {
        row.top = top;
        top += height_of(row);
    }
    fit();
    redraw();
}

std::vector<std::uint32_t> StateView::shown() const
{
    std::vector<std::uint32_t> shown;
    for (const auto& row : rows_)
        if (row.curve) shown.push_back(*row.curve);
    return shown;
}

void StateView::fit()
{
    const int height = rows_.empty() ? 0 : rows_.back().top + height_of(rows_.back());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    const auto area = bars();
    scale_ = TimeScale(scale_.section(), area.left(), area.width());
}

void StateView::redraw()
{
    background_ = {};
    viewport()->update();
}

void StateView::set_scale(const TimeSection& section)
{
    const auto area = bars();
    scale_ = TimeScale(section, area.left(), area.width());
    redraw();
}

void StateView::set_time(Nanoseconds time)
{
    time_ = time;
    viewport()->update();
}

void StateView::select(std::optional<std::uint32_t> curve)
{
    if (std::exchange(selected_, curve) == curve) return;
    redraw();
}

/// As far right as the lanes of the timeline, if both are equally wide.
QRect StateView::bars() const
{
    return QRect(names_width, 0, std::max(1, width() - names_width - margin), viewport()->height());
}

QRect StateView::rect_of(const Row& row) const
{
    return {0, row.top - verticalScrollBar()->value(), viewport()->width(), height_of(row)};
}

QRect StateView::row_of(std::uint32_t curve) const
{
    const auto row = std::ranges::find(rows_, std::optional(curve), &Row::curve);
    return row == rows_.end() ? QRect() : rect_of(*row);
}

const StateView::Row* StateView::row_at(const QPoint& place) const
{
    auto row = std::ranges::upper_bound(rows_, place.y() + verticalScrollBar()->value(), {}, &Row::top);
    if (row == rows_.begin()) return nullptr;
    --row;
    return rect_of(*row).contains(QPoint(0, place.y())) ? &*row : nullptr;
}

std::optional<std::uint64_t> StateView::message_at(double x) const
{
    return channel_ ? channel_->last_until(scale_.time_at(x)) : std::nullopt;
}

const StateRun* StateView::run_at(std::uint32_t curve, std::uint64_t message) const
{
    const auto& runs = curves_[curve].runs;
    const auto run = std::ranges::lower_bound(runs, message, {}, &StateRun::last);
    return run == runs.end() || run->first > message ? nullptr : &*run;
}

QString StateView::text_of(std::uint32_t field, std::uint64_t bits) const
{
    const auto& leaf = fields_[field].leaf();
    if (is_lamp_off(leaf, bits)) return tr("%1, off").arg(text_of(field, with_lamp_off(bits)));
    return value_text(leaf, series_value(leaf, bits, texts_));
}

StateLook StateView::look_of(std::uint32_t field, std::uint64_t bits, std::size_t order) const
{
    const auto& leaf = fields_[field].leaf();
    if (!is_lamp_off(leaf, bits)) return gui::look_of(leaf, text_of(field, bits).toStdString(), order);
    constexpr int darkness = 200;
    auto look = look_of(field, with_lamp_off(bits), order);
    look.text = tr("%1, off").arg(look.text);
    look.colour = look.colour.darker(darkness);
    look.is_faint = true;
    return look;
}

QString StateView::value_at(std::uint32_t curve, std::uint64_t message) const
{
    const auto* const run = run_at(curve, message);
    return run == nullptr ? QString() : text_of(curves_[curve].curve.path, run->bits);
}

QString StateView::name_of_row(const StateCurve& curve) const
{
    const auto& text = curve.curve.text;
    const auto list = list_name(text);
    if (curve.curve.id) return list + QLatin1Char(' ') + QString::number(*curve.curve.id);
    if (list.isEmpty()) return QString::fromStdString(text);
    const auto open = text.find('['), close = text.find(']', open);
    return list + QLatin1Char(' ') + QString::fromStdString(text.substr(open, close - open + 1));
}

std::optional<std::uint64_t> StateView::change(std::uint64_t from, int direction) const
{
    std::optional<std::uint64_t> best;
    const auto take = [&](std::uint64_t message) {
        if (direction > 0 ? message <= from : message >= from) return;
        if (!best || (direction > 0 ? message < *best : message > *best)) best = message;
    };
    for (const auto& row : rows_) {
        if (!row.curve || (selected_ && row.curve != selected_)) continue;
        const auto& runs = curves_[*row.curve].runs;
        // A change is where a run begins, and where the object disappears.
        auto near = std::ranges::lower_bound(runs, from, {}, &StateRun::last);
        if (near != runs.begin()) --near;
        for (const auto end = runs.end() - near > 3 ? near + 3 : runs.end(); near != end; ++near) {
            take(near->first);
            if (near->last + 1 < messages_) take(near->last + 1);
        }
        if (direction < 0) {
            auto before = std::ranges::lower_bound(runs, from, {}, &StateRun::first);
            for (int i = 0; i != 2 && before != runs.begin(); ++i) {
                --before;
                take(before->first);
                take(before->last + 1);
            }
        }
    }
    return best;
}

void StateView::paintEvent(QPaintEvent*)
{
    if (background_.isNull()) paint_background();
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, background_);
    if (rows_.empty()) return;
    const auto x = scale_.x_of(time_);
    const auto area = bars();
    if (x < area.left() - 1 || x > area.right() + 1) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour_of(Tone::time, palette()), 1.5));
    painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
}

void StateView::paint_background()
{
    background_ = QPixmap(viewport()->size() * devicePixelRatioF());
    background_.setDevicePixelRatio(devicePixelRatioF());
    background_.fill(palette().color(QPalette::Window));
    QPainter painter(&background_);
    painter.setFont(font());
    if (rows_.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("Add a field, or write the path of an enum, a bool or a text"));
        return;
    }
    painter.fillRect(bars(), palette().color(QPalette::Base));
    const QFontMetrics metrics(font());
    for (const auto& each : rows_) {
        const auto row = rect_of(each);
        if (row.bottom() < 0 || row.top() > viewport()->height()) continue;
        if (!each.curve) {
            paint_field(painter, row, each.field);
            continue;
        }
        const auto& curve = curves_[*each.curve];
        const bool is_selected = each.curve == selected_;
        const QRect name(margin, row.top(), names_width - 2 * margin, row.height());
        if (is_selected)
            painter.fillRect(QRect(0, row.top(), names_width, row.height()), palette().color(QPalette::Highlight));
        painter.setPen(palette().color(is_selected ? QPalette::HighlightedText : QPalette::WindowText));
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(name_of_row(curve), Qt::ElideLeft, name.width()));
        painter.setClipRect(bars());
        paint_curve(painter, row, curve);
        paint_texts(painter, row, curve);
        painter.setClipping(false);
    }
}

/// The name of the field, and the meaning of the colours.
void StateView::paint_field(QPainter& painter, const QRect& row, std::uint32_t field) const
{
    painter.fillRect(row, palette().color(QPalette::Button));
    QFont bold(font());
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::ButtonText));
    const QFontMetrics metrics(bold);
    const auto shown = QString::fromStdString(fields_[field].text());
    const auto room = std::max(names_width, row.width() / 3);
    const auto text = metrics.elidedText(shown, Qt::ElideLeft, room - 2 * margin);
    painter.drawText(row.adjusted(margin, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    painter.setFont(font());
    int x = std::max(names_width, margin + metrics.horizontalAdvance(text) + 2 * margin);
    const QFontMetrics plain(font());
    std::size_t shown_values = 0;
    for (const auto& [bits, look] : values_[field]) {
        const bool is_last = shown_values++ == most_values_in_legend;
        const auto label = is_last ? tr("and %1 more").arg(values_[field].size() - most_values_in_legend) : look.text;
        const int width = plain.horizontalAdvance(label);
        if (x + 14 + width > row.right()) break;
        const int inset = look.is_faint ? faint_margin + 1 : bar_margin + 3;
        if (!is_last) painter.fillRect(QRect(x, row.top() + inset, 10, row.height() - 2 * inset), look.colour);
        painter.setPen(palette().color(QPalette::ButtonText));
        painter.drawText(QRect(x + 14, row.top(), width + 2, row.height()), Qt::AlignVCenter | Qt::AlignLeft, label);
        x += 14 + width + 12;
        if (is_last) break;
    }
}

/// Pixel by pixel: of several runs in a pixel the shortest is drawn, so that a short pulse is never hidden.
void StateView::paint_curve(QPainter& painter, const QRect& row, const StateCurve& curve) const
{
    constexpr int most_compared = 64;
    const auto area = bars();
    const auto& runs = curve.runs;
    const auto end = channel_->extent().value_or(TimeSection{}).to;
    const auto& looks = values_[curve.curve.path];
    for (int x = area.left(); x <= area.right(); ++x) {
        const auto from = message_at(x);
        const auto to = channel_->last_until(shifted(scale_.time_at(x + 1), Nanoseconds(-1)));
        if (!to || scale_.time_at(x) >= end) continue;
        const auto first = from.value_or(0);
        auto run = std::ranges::lower_bound(runs, first, {}, &StateRun::last);
        const StateRun* shortest = nullptr;
        for (int i = 0; i != most_compared && run != runs.end() && run->first <= std::max(*to, first); ++i, ++run)
            if (shortest == nullptr || run->last - run->first < shortest->last - shortest->first) shortest = &*run;
        if (shortest == nullptr) continue;
        const auto& look = looks.at(shortest->bits);
        const int inset = look.is_faint ? faint_margin : bar_margin;
        painter.fillRect(x, row.top() + inset, 1, row.height() - 2 * inset, look.colour);
    }
}

/// The name of the value in each bar that has room for it.
void StateView::paint_texts(QPainter& painter, const QRect& row, const StateCurve& curve) const
{
    const auto area = bars();
    const QFontMetrics metrics(font());
    const auto from = message_at(area.left()).value_or(0);
    const auto end = scale_.time_at(area.right() + 1);
    for (auto run = std::ranges::lower_bound(curve.runs, from, {}, &StateRun::last); run != curve.runs.end(); ++run) {
        const auto begins = channel_->time_of(run->first);
        if (begins >= end) break;
        const auto left = std::max<double>(area.left(), scale_.x_of(begins));
        const auto right = std::min<double>(area.right(), scale_.x_of(channel_->end_of(run->last)));
        constexpr double least_width = 16;
        if (right - left < least_width) {
            // Nothing has room until here: the next candidate begins a few pixels later.
            const auto later = message_at(left + least_width / 4);
            if (later && *later > run->last + 1) {
                const auto next = std::ranges::lower_bound(run, curve.runs.end(), *later, {}, &StateRun::last);
                if (next != run) run = std::prev(next);
            }
            continue;
        }
        const auto& shown = values_[curve.curve.path].at(run->bits);
        if (shown.is_faint || metrics.horizontalAdvance(shown.text) + 8 > right - left) continue;
        painter.setPen(text_colour_on(shown.colour));
        painter.drawText(QRectF(left + 4, row.top(), right - left - 4, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         shown.text);
    }
}

void StateView::resizeEvent(QResizeEvent*)
{
    fit();
    redraw();
}

void StateView::scrollContentsBy(int, int) { redraw(); }

void StateView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
    QAbstractScrollArea::changeEvent(event);
}

void StateView::mousePressEvent(QMouseEvent* event)
{
    const auto* const row = row_at(event->pos());
    if (event->button() != Qt::LeftButton || row == nullptr || !channel_) return;
    const auto curve = row->curve;
    if (curve) {
        select(*curve);
        emit curve_selected(*curve);
    }
    const auto x = event->position().x();
    if (x < names_width - margin) return;
    if (curve) {
        std::optional<std::pair<double, std::uint64_t>> nearest;
        const auto& runs = curves_[*curve].runs;
        const auto from = message_at(x - snap).value_or(0);
        for (auto run = std::ranges::lower_bound(runs, from, {}, &StateRun::last); run != runs.end(); ++run) {
            const auto away = scale_.x_of(channel_->time_of(run->first)) - x;
            if (away > snap) break;
            if (away >= -snap && (!nearest || std::abs(away) < nearest->first)) nearest = {std::abs(away), run->first};
        }
        if (nearest) return emit message_requested(nearest->second);
    }
    emit time_requested(scale_.time_at(x));
}

void StateView::wheelEvent(QWheelEvent* event)
{
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier);
    if (!zooms || event->position().x() < names_width) return QAbstractScrollArea::wheelEvent(event);
    emit zoom_requested(std::pow(1.2, event->angleDelta().y() / 120.0), scale_.time_at(event->position().x()));
    event->accept();
}

void StateView::contextMenuEvent(QContextMenuEvent* event)
{
    const auto* const row = row_at(event->pos());
    if (row == nullptr) return;
    QMenu menu;
    menu.addAction(tr("Remove this field"), this, [this, field = row->field] { emit field_removed(field); });
    menu.exec(event->globalPos());
}

bool StateView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tip_at(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString StateView::tip_at(const QPoint& place) const
{
    const auto* const row = row_at(place);
    if (row == nullptr) return {};
    if (!row->curve) return QString::fromStdString(fields_[row->field].text());
    const auto curve = *row->curve;
    const auto text = QString::fromStdString(curves_[curve].curve.text);
    const auto message = message_at(place.x());
    const auto* const run = message && place.x() >= names_width ? run_at(curve, *message) : nullptr;
    if (run == nullptr) return text;
    const auto from = channel_->time_of(run->first), to = channel_->end_of(run->last);
    return tr("%1\n%2\n%3 to %4, messages #%5 to #%6")
        .arg(text, text_of(curves_[curve].curve.path, run->bits), seconds_text(from, std::chrono::milliseconds(1)),
             seconds_text(to, std::chrono::milliseconds(1)))
        .arg(run->first)
        .arg(run->last);
}

}  // namespace ositrace::gui
