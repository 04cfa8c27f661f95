// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"
#include "gui/session/times_walk.hpp"

namespace ositrace::gui {

/// What is known of the messages of a trace.
struct IndexedTimes {
    std::vector<std::shared_ptr<const MessageTimes>> channels;  ///< of all, never null
    std::optional<double> progress;                             ///< 0 to 1; empty where nobody knows how much is left
    QString problem;                                            ///< why the index ends before the file does
};

/// Opens a file and learns the times of its messages, on a thread of its own. GUI thread.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    TraceLoader(std::filesystem::path file, OpenOptions options, QObject* parent = nullptr);
    /// Waits for the thread; see stop().
    ~TraceLoader() override;
    /// Whoever wants to hear of it is connected.
    void start();
    /// No signal comes any more but ended().
    void stop();
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }

signals:
    /// The file must be read to its end before it can be opened: these are its first messages, until it is.
    void begun(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    /// With the first times of each channel: something can be shown.
    void opened(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    void grown(const ositrace::gui::IndexedTimes& times);
    void failed(const QString& why);
    /// The thread has nothing more to do.
    void ended();

private:
    void run(const std::stop_token& stop);
    void begin();
    void walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop);

    std::filesystem::path file_;
    OpenOptions options_;
    std::shared_ptr<const Trace> first_;  ///< messages, until the file is open
    std::atomic<bool> ended_{false};
    std::jthread thread_;
};

}  // namespace ositrace::gui
