// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include "gui/session/open_channel.hpp"
#include "gui/states/state_runs.hpp"

namespace ositrace::gui {

/// Reads the values of fields over a channel in a thread of its own, and of one that grows also what arrives. A new
/// reading and cancel() end the previous one without waiting for it; the destructor waits. GUI thread.
class StateReader : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~StateReader() override;
    void start(OpenChannel channel, SeriesPlan plan);
    void cancel();

signals:
    void updated(const std::shared_ptr<const ositrace::gui::StateUpdate>& update);
    /// All that there is has been read; more may arrive. `problem`: what could not be read; one line, or empty.
    void finished(const QString& problem);

private:
    void run(const OpenChannel& channel, const SeriesPlan& plan, std::uint64_t number, const std::stop_token& stop);
    template <class Emit>
    void post(std::uint64_t number, Emit&& emit_it);

    std::uint64_t number_ = 0;                       ///< of the current reading; GUI thread
    std::map<std::uint64_t, std::jthread> threads_;  ///< by their reading, until they end
};

}  // namespace ositrace::gui
