// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <QObject>

#include "gui/session/moment.hpp"
#include "gui/tree/value_query.hpp"

namespace ositrace::gui {

/// A value that was found.
struct ValueHit {
    std::uint32_t source = 0;
    std::string path;
    std::string text;  ///< the value
};

struct ValueSearchEnd {
    std::uint64_t values = 0;  ///< compared: those that the query names
    std::uint64_t broken = 0;  ///< messages that could not be read on
    bool all = true;           ///< false: it stopped at `most` hits, was cancelled, or had a problem
    std::string problem;       ///< what ended it early; of ValueSearch
};

/// Looks at every value of a moment, in order. Any thread; hands a hit over as soon as it is found.
[[nodiscard]] ValueSearchEnd search_values(const Moment& moment, const ValueQuery& query, std::size_t most,
                                           const std::function<void(ValueHit)>& found, const std::stop_token& stop);

/// The same in a thread of its own. A new search cancels the one before; none of its hits comes afterwards.
class ValueSearch : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_hits = 1000;

    using QObject::QObject;
    ~ValueSearch() override;
    void start(std::shared_ptr<const Moment> moment, const ValueQuery& query);
    void cancel();

signals:
    void found(const std::vector<ositrace::gui::ValueHit>& hits);
    void finished(const ositrace::gui::ValueSearchEnd& end);

private:
    void run(const Moment& moment, const ValueQuery& query, std::uint64_t number, const std::stop_token& stop);

    std::uint64_t number_ = 0;  ///< of the search whose hits are wanted; GUI thread
    std::jthread thread_;
};

}  // namespace ositrace::gui
