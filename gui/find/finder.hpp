// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/query.hpp>

#include "gui/find/found_spans.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// What a search has found since the last update.
struct FindUpdate {
    std::vector<std::pair<std::size_t, FoundSpan>> spans;  ///< new or longer, by their place in the list
    std::vector<MessageRun> runs;
    std::uint64_t unlisted = 0;  ///< spans that are not listed, in total
    std::uint64_t cut = 0;       ///< messages of which not all objects are listed, in total
    std::uint64_t found = 0;     ///< messages, in total
    std::uint64_t next = 0;      ///< message up to which all is known
};

struct FindEnd {
    bool stopped = false;
    QString problem;  ///< what could not be read; one line
};

/// Searches a channel in threads of its own, and in one that grows also what arrives. A new search and cancel() end the
/// previous one without waiting for it; the destructor waits. GUI thread.
class Finder : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~Finder() override;
    void start(OpenChannel channel, Query query, TimeSpan time);
    void cancel();

signals:
    void updated(const std::shared_ptr<const ositrace::gui::FindUpdate>& update);
    /// All that there is has been searched; more may arrive.
    void finished(const ositrace::gui::FindEnd& end);

private:
    void run(const OpenChannel& channel, const Query& query, TimeSpan time, std::uint64_t number,
             const std::stop_token& stop);
    template <class Emit>
    void post(std::uint64_t number, Emit&& emit_it);

    std::uint64_t number_ = 0;                       ///< of the current search; GUI thread
    std::map<std::uint64_t, std::jthread> threads_;  ///< by their search, until they end
};

}  // namespace ositrace::gui
