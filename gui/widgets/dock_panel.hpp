// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <ositrace/timeline.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A panel of the window, which calls these functions for all panels. A panel is a widget as well; it overrides what it
/// needs.
class DockPanel {
public:
    /// null: nothing is open.
    virtual void show_snapshot(const std::shared_ptr<const Snapshot>& /*snapshot*/) {}
    /// The channels have changed, or their indexes grew.
    virtual void show_times(const std::shared_ptr<const OpenChannels>& /*channels*/) {}
    /// The time on the screen.
    virtual void show_time(Nanoseconds /*time*/) {}
    /// That is played; empty: everything.
    virtual void show_section(const std::optional<TimeSection>& /*section*/) {}
    /// Starts no reading before release(), so that the first picture gets processor and memory.
    virtual void hold() {}
    virtual void release() {}
    /// Has all reading finished?
    [[nodiscard]] virtual bool is_settled() const { return true; }
    /// Inserts what it shows into a layout, under members of its own.
    virtual void save(QJsonObject& /*layout*/) const {}
    /// Ignores what it cannot show.
    virtual void restore(const QJsonObject& /*layout*/) {}

protected:
    ~DockPanel() = default;
};

/// The texts of a member of a layout. A file may contain anything: further and longer ones are ignored.
[[nodiscard]] inline QStringList texts_of(const QJsonObject& layout, const char* member)
{
    constexpr qsizetype most = 100, longest = 500;
    QStringList texts;
    for (const auto& each : layout.value(QLatin1String(member)).toArray())
        if (const auto text = each.toString(); !text.isEmpty() && text.size() <= longest && texts.size() < most)
            texts += text;
    return texts;
}

}  // namespace ositrace::gui
