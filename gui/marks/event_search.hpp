// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "gui/playback/timeline_mark.hpp"
#include "gui/session/latest_thread.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// What a search found in a channel.
struct FoundEvents {
    std::vector<TimelineMark> marks;  ///< by begin; in the time of the trace, without a source
    QString problem;                  ///< what could not be read, or is left out; one line
};

/// Finds the events of a channel, which are the rows of the table `events` with its initial options, in a thread of its
/// own. A new search and cancel() end the previous one without waiting for it; the destructor waits. GUI thread.
class EventSearch : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_events = 100'000;

    using QObject::QObject;
    /// Has the table events of such messages?
    [[nodiscard]] static bool reads(const OpenChannel& channel);
    void start(OpenChannel channel);
    void cancel() { thread_.cancel(); }

signals:
    /// So many messages have been read.
    void progressed(std::uint64_t messages);
    void finished(const std::shared_ptr<const ositrace::gui::FoundEvents>& found);

private:
    LatestThread thread_{*this};
};

}  // namespace ositrace::gui
