// SPDX-License-Identifier: MPL-2.0
// What can be done with a channel, and what a layout keeps of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QColorDialog>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QJsonArray>
#include <QMenu>
#include <QPixmap>

#include "gui/channels/channel_panel.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

struct NamedColour {
    const char* name;
    std::uint32_t rgb;
};

/// Readable on both backgrounds.
constexpr NamedColour channel_colours[] = {{"Blue", 0x3b9dff},   {"Orange", 0xf08c1a}, {"Green", 0x3fb24f},
                                           {"Red", 0xe5484d},    {"Violet", 0xa36bd8}, {"Turquoise", 0x18a999},
                                           {"Yellow", 0xd8b400}, {"Pink", 0xe0559a}};
constexpr std::array opacities{100, 75, 50, 25, 10};
constexpr QLatin1String channels_member("channels"), name_member("name"), colour_member("colour"),
    opacity_member("opacity"), offset_member("offset_ns");
constexpr qsizetype most_stored = 1000;

QIcon swatch_of(std::uint32_t rgb)
{
    QPixmap pixmap(12, 12);
    pixmap.fill(QColor::fromRgb(rgb));
    return pixmap;
}

}  // namespace

void ChannelPanel::contextMenuEvent(QContextMenuEvent* event)
{
    const auto* const row = itemAt(event->pos());
    if (row == nullptr || row->parent() == nullptr) return;
    QMenu menu;
    fill_menu(menu, source_of(*row));
    menu.exec(event->globalPos());
}

void ChannelPanel::fill_menu(QMenu& menu, std::uint32_t source)
{
    const auto& channel = (*session_.channels())[source];
    const auto add_check = [&](QMenu& to, const QString& text, bool is_checked, const auto& apply) {
        auto* const action = to.addAction(text);
        action->setCheckable(true);
        action->setChecked(is_checked);
        connect(action, &QAction::triggered, this, apply);
        return action;
    };
    add_check(menu, tr("Show in the scene"), channel.shown,
              [this, source](bool shown) { session_.set_shown(source, shown); });
    add_check(menu, tr("Show only this channel"), false, [this, source] {
        for (std::uint32_t i = 0; i != session_.channels()->size(); ++i) session_.set_shown(i, i == source);
    });
    add_check(menu, tr("Arrow keys step through it"), source == session_.active(),
              [this, source] { session_.set_active(source); });
    menu.addSeparator();
    add_colours(*menu.addMenu(tr("Colour")), source);
    auto& opacity = *menu.addMenu(tr("Opacity"));
    for (const auto percent : opacities)
        add_check(opacity, QStringLiteral("%1 %").arg(percent), channel.style.opacity == percent,
                  [this, source, percent] {
                      auto style = (*session_.channels())[source].style;
                      style.opacity = percent;
                      session_.set_style(source, style);
                  });
    menu.addSeparator();
    menu.addAction(tr("Time offset..."), this, [this, source] { ask_for_offset(source); });
    menu.addAction(channel.offset.count() == 0 ? tr("No time offset")
                                               : tr("No time offset (now %1)").arg(seconds_text(channel.offset)),
                   this, [this, source] { session_.set_offset(source, {}); })
        ->setEnabled(channel.offset.count() != 0);
    menu.addSeparator();
    menu.addAction(tr("Export this channel..."), this, [this, source] { emit export_requested(source); });
}

void ChannelPanel::add_colours(QMenu& menu, std::uint32_t source)
{
    const auto set = [this, source](std::optional<std::uint32_t> rgb) {
        auto style = (*session_.channels())[source].style;
        style.rgb = rgb;
        session_.set_style(source, style);
    };
    menu.addAction(tr("That of each kind"), this, [set] { set(std::nullopt); });
    for (const auto& each : channel_colours)
        menu.addAction(swatch_of(each.rgb), tr(each.name), this, [set, rgb = each.rgb] { set(rgb); });
    menu.addAction(tr("Other..."), this, [this, set, before = (*session_.channels())[source].style.rgb] {
        auto* const dialog = new QColorDialog(QColor::fromRgb(before.value_or(channel_colours[0].rgb)), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QColorDialog::colorSelected, this,
                [set](const QColor& colour) { set(colour.rgb() & 0xffffffU); });
        dialog->open();
    });
}

/// The channel may be another one, or gone, when the dialog is closed.
void ChannelPanel::ask_for_offset(std::uint32_t source)
{
    const auto& channel = (*session_.channels())[source];
    constexpr double most_seconds = 1e6;
    auto* const dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("offset_dialog"));
    dialog->setWindowTitle(tr("Time offset"));
    dialog->setLabelText(tr("Seconds that are added to the times of %1").arg(QString::fromStdString(channel.name)));
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleRange(-most_seconds, most_seconds);
    dialog->setDoubleDecimals(6);
    dialog->setDoubleStep(0.01);
    dialog->setDoubleValue(std::chrono::duration<double>(channel.offset).count());
    connect(dialog, &QInputDialog::doubleValueSelected, this, [this, source, name = channel.name](double seconds) {
        if (source >= session_.channels()->size() || (*session_.channels())[source].name != name) return;
        session_.set_offset(source, std::chrono::round<Nanoseconds>(std::chrono::duration<double>(seconds)));
    });
    dialog->open();
}

void ChannelPanel::save(QJsonObject& layout) const
{
    QJsonArray stored;
    for (const auto& each : *session_.channels()) {
        if (each.style == ChannelStyle() && each.offset.count() == 0) continue;
        QJsonObject object{{name_member, QString::fromStdString(each.name)}};
        if (each.style.rgb) object.insert(colour_member, QColor::fromRgb(*each.style.rgb).name());
        if (each.style.opacity != 100) object.insert(opacity_member, each.style.opacity);
        // As text: a number of JSON is a double.
        if (each.offset.count() != 0) object.insert(offset_member, QString::number(each.offset.count()));
        stored.append(object);
    }
    if (!stored.isEmpty()) layout.insert(channels_member, stored);
}

void ChannelPanel::restore(const QJsonObject& layout)
{
    stored_.clear();
    for (const auto& each : layout.value(channels_member).toArray()) {
        const auto object = each.toObject();
        if (static_cast<qsizetype>(stored_.size()) == most_stored) break;
        Stored stored{.name = object.value(name_member).toString(), .style = {}, .offset = {}};
        if (const QColor colour(object.value(colour_member).toString()); colour.isValid())
            stored.style.rgb = colour.rgb() & 0xffffffU;
        stored.style.opacity = std::clamp(object.value(opacity_member).toInt(100), 0, 100);
        stored.offset = Nanoseconds(object.value(offset_member).toString().toLongLong());
        if (!stored.name.isEmpty()) stored_.push_back(std::move(stored));
    }
    apply_stored();
}

/// Each to the first channel of its name, once: then the user's choice counts.
void ChannelPanel::apply_stored()
{
    for (std::uint32_t i = 0; i != session_.channels()->size() && !stored_.empty(); ++i) {
        const auto found =
            std::ranges::find(stored_, QString::fromStdString((*session_.channels())[i].name), &Stored::name);
        if (found == stored_.end()) continue;
        auto stored = std::move(*found);
        stored_.erase(found);
        session_.set_style(i, stored.style);
        session_.set_offset(i, stored.offset);
    }
}

}  // namespace ositrace::gui
