// SPDX-License-Identifier: MPL-2.0
#include "gui/channels/channel_chooser.hpp"

#include <algorithm>

#include <QSignalBlocker>

namespace ositrace::gui {

ChannelChooser::ChannelChooser(const Session& session, QWidget* parent)
    : QComboBox(parent), session_(session), channels_(session.channels())
{
    constexpr int widest = 200;
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMaximumWidth(widest);
    connect(&session_, &Session::channels_changed, this, &ChannelChooser::list_channels);
    list_channels();
}

std::optional<std::uint32_t> ChannelChooser::source() const
{
    if (count() == 0) return std::nullopt;
    return currentData().toUInt();
}

void ChannelChooser::choose(std::uint32_t source)
{
    if (const auto row = findData(source); row >= 0) setCurrentIndex(row);
}

void ChannelChooser::list_channels()
{
    const QSignalBlocker blocker(this);
    const auto& now = *session_.channels();
    const auto before = source();
    const auto moved = before && *before < channels_->size() ? place_of(*channels_, *before, now) : std::nullopt;
    const auto chosen = moved.value_or(session_.active());
    channels_ = session_.channels();
    clear();
    for (std::uint32_t i = 0; i != now.size(); ++i)
        if (now[i].channel->root != nullptr) addItem(QString::fromStdString(now[i].name), i);
    if (chosen < now.size() && count() != 0) setCurrentIndex(std::max(0, findData(chosen)));
    setVisible(count() > 1);
}

std::optional<std::uint32_t> source_of(const OpenChannel& before, const Session& session)
{
    const auto& now = *session.channels();
    for (std::uint32_t i = 0; i != now.size(); ++i)
        if (now[i].trace == before.trace && now[i].in_trace == before.in_trace) return i;
    return std::nullopt;
}

}  // namespace ositrace::gui
