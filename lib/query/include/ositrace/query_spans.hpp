// SPDX-License-Identifier: MPL-2.0
// The stretches of messages in which a query holds, object by object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <ositrace/query.hpp>

namespace ositrace {

/// A compared value over the messages of a span.
struct FoundValue {
    std::uint32_t field = 0;                  ///< in Query::fields()
    QueryValue first;                         ///< at the first message
    std::optional<double> least, most;        ///< of numbers
    std::uint64_t least_at = 0, most_at = 0;  ///< numbers of the first messages that have them
};

/// Consecutive messages in which an expression holds for the same object.
struct FoundSpan {
    std::uint64_t first = 0, last = 0;  ///< numbers of messages in their channel
    std::string path;                   ///< of the object in the first message; empty: the message itself
    std::string list;                   ///< `moving_object`
    std::optional<std::uint64_t> id;
    std::vector<FoundValue> values;
    [[nodiscard]] std::uint64_t messages() const noexcept { return last - first + 1; }
};

/// Collects the spans of the hits of a search, in the order of their first messages.
class SpanBuilder {
public:
    static constexpr std::size_t most_spans = 100'000;

    explicit SpanBuilder(std::size_t most = most_spans) : most_(most) {}

    void add(const QueryHit& hit);
    /// The spans that are new or longer since the last call, each with its place in the list.
    [[nodiscard]] std::vector<std::pair<std::size_t, FoundSpan>> take_changed();
    /// Spans beyond the most, which are only counted.
    [[nodiscard]] std::uint64_t unlisted() const noexcept { return unlisted_; }

private:
    /// What an object is recognised by: its id, or else its path.
    using Key = std::tuple<std::string, std::optional<std::uint64_t>, std::string>;
    struct Open {
        std::optional<std::size_t> place;  ///< empty: not listed
        FoundSpan span;
        bool is_changed = true;
    };

    void close(std::uint64_t before);

    std::map<Key, Open> open_;
    std::vector<std::pair<std::size_t, FoundSpan>> closed_;  ///< changed and ended
    std::size_t most_;
    std::size_t listed_ = 0;
    std::uint64_t unlisted_ = 0;
    std::uint64_t last_ = 0;
};

}  // namespace ositrace
