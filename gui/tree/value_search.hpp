// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <QObject>

#include <ositrace/message_view.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A condition for values: `42`, `> 30`, `nan` (any value that is not finite), `TYPE_CAR` or another part of a text,
/// `"a=b"` for a text with an operator. A field may precede the operator, by its last name or more of its path:
/// `signal_strength > -66`, `base.velocity.x <= 0`, `moving_object[3].type != TYPE_VEHICLE`.
class ValueQuery {
public:
    /// Empty for an empty or invalid text.
    [[nodiscard]] static std::optional<ValueQuery> parse(std::string_view text);

    /// In lower case; empty: all fields.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }
    /// Does field() name the value at this path? `[]` and `[*]` in field() match any element.
    [[nodiscard]] bool names(std::string_view path) const noexcept;
    /// Matches scalars, strings and enums; messages and bytes never match.
    [[nodiscard]] bool matches(const FieldRow& field, const Value& value) const;

private:
    enum class Comparison : std::uint8_t {
        equal,
        not_equal,
        less,
        less_or_equal,
        greater,
        greater_or_equal,
        contained
    };

    [[nodiscard]] bool compares(double value) const noexcept;
    [[nodiscard]] bool compares(std::string_view text) const;

    std::string field_;
    Comparison comparison_ = Comparison::contained;
    std::optional<double> number_;  ///< infinite: matches any value that is not finite
    std::string text_;              ///< lower case
};

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
