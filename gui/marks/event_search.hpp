// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/traffic_table.hpp>

#include "gui/marks/highlights.hpp"
#include "gui/playback/timeline_mark.hpp"
#include "gui/session/latest_thread.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// What a search found in a channel.
struct FoundEvents {
    static constexpr std::size_t most = 100'000;

    std::vector<TimelineMark> marks;    ///< by begin; in the time of the trace, without a source
    std::vector<Highlight> highlights;  ///< in the time of the trace
    QString problem;                    ///< what could not be read, or is left out; one line
};

/// Has the table `events` of such messages?
[[nodiscard]] bool has_events(const OpenChannel& channel);

/// The initial options of the table `events`.
[[nodiscard]] TrafficOptions event_options();

/// The rows of the table `events` and the highlights, of the messages up to the first damage or a stop. `report` is
/// called with how many have been read. Any thread.
[[nodiscard]] FoundEvents events_of(const OpenChannel& channel, const TrafficOptions& options,
                                    const std::function<void(std::uint64_t)>& report, const std::stop_token& stop);

/// Finds the events of a channel in a thread of its own. A new search and cancel() end the previous one without waiting
/// for it; the destructor waits. GUI thread.
class EventSearch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void start(OpenChannel channel, TrafficOptions options);
    void cancel() { thread_.cancel(); }

signals:
    /// So many messages have been read.
    void progressed(std::uint64_t messages);
    void finished(const std::shared_ptr<const ositrace::gui::FoundEvents>& found);

private:
    LatestThread thread_{*this};
};

}  // namespace ositrace::gui
