// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/query.hpp>
#include <ositrace/query_spans.hpp>

#include "gui/session/latest_thread.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// Messages [first, last] in which an expression holds.
struct MessageRun {
    std::uint64_t first = 0, last = 0;
    friend bool operator==(const MessageRun&, const MessageRun&) = default;
};

/// All runs of a search, ascending. Memory is bounded: of very many, neighbours that are close are joined.
class FoundRuns {
public:
    static constexpr std::size_t most_runs = std::size_t{1} << 17;

    void add(MessageRun run);
    void clear() noexcept { *this = {}; }
    [[nodiscard]] const std::vector<MessageRun>& all() const noexcept { return runs_; }

private:
    std::vector<MessageRun> runs_;
    std::uint64_t gap_ = 0;  ///< messages between two runs that are joined
};

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
    void start(OpenChannel channel, Query query, TimeSpan time);
    void cancel() { thread_.cancel(); }

signals:
    void updated(const std::shared_ptr<const ositrace::gui::FindUpdate>& update);
    /// All that there is has been searched; more may arrive.
    void finished(const ositrace::gui::FindEnd& end);

private:
    void run(const OpenChannel& channel, const Query& query, TimeSpan time, const LatestThread::Post& post,
             const std::stop_token& stop);

    LatestThread thread_{*this};
};

}  // namespace ositrace::gui
