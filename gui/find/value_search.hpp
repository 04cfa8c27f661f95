// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <QObject>

#include <ositrace/value_query.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A found value.
struct ValueHit {
    std::uint32_t source = 0;
    std::string path;
    std::string text;  ///< the value
};

struct ValueSearchEnd {
    std::uint64_t values = 0;  ///< number of compared values
    std::uint64_t broken = 0;  ///< number of messages that could not be read completely
    bool all = true;           ///< false: stopped at `most` hits, cancelled, or failed
    std::string problem;       ///< why ValueSearch failed
};

/// Searches the values of a snapshot, in order. Any thread; calls `found` for each hit at once.
[[nodiscard]] ValueSearchEnd search_values(const Snapshot& snapshot, const ValueQuery& query, std::size_t most,
                                           const std::function<void(ValueHit)>& found, const std::stop_token& stop);

/// The same in a separate thread. A new search cancels the previous one; its hits are not emitted any more.
class ValueSearch : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_hits = 1000;

    using QObject::QObject;
    ~ValueSearch() override;
    void start(std::shared_ptr<const Snapshot> snapshot, const ValueQuery& query);
    void cancel();

signals:
    void found(const std::vector<ositrace::gui::ValueHit>& hits);
    void finished(const ositrace::gui::ValueSearchEnd& end);

private:
    void run(const Snapshot& snapshot, const ValueQuery& query, std::uint64_t number, const std::stop_token& stop);

    std::uint64_t number_ = 0;  ///< of the current search; GUI thread
    std::jthread thread_;
};

}  // namespace ositrace::gui
