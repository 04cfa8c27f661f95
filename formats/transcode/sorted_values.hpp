// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ositrace {

/// The values of a shape, sorted by the way they are copied: loops without a branch. A `Value` has a `copy`, one of
/// `Value::Copy`, of which `bytes8` and `triple` are two.
template <class Value>
class SortedValues {
public:
    using Copy = typename Value::Copy;

    SortedValues() = default;
    /// Three doubles in a row become one value, as most messages of OSI that hold doubles hold three, or six.
    /// `follows(a, b)`: is `b` the next after `a` on both sides?
    template <class Follows>
    SortedValues(const std::vector<Value>& values, Follows follows)
    {
        const auto is_triple = [&](std::size_t i) {
            for (std::size_t n = i; n != i + 3; ++n)
                if (n == values.size() || values[n].copy != Copy::bytes8 ||
                    (n != i && !follows(values[n - 1], values[n])))
                    return false;
            return true;
        };
        for (std::size_t i = 0; i != values.size(); ++i) {
            values_.push_back(values[i]);
            if (!is_triple(i)) continue;
            values_.back().copy = Copy::triple;
            i += 2;
        }
        std::ranges::stable_sort(values_, {}, &Value::copy);
        for (const auto& value : values_) {
            if (groups_.empty() || groups_.back().copy != value.copy) groups_.push_back({value.copy, 0});
            ++groups_.back().count;
        }
    }

    /// Calls visit(copy, values) for each way that there is.
    template <class Visit>
    __attribute__((always_inline)) void for_each_group(Visit&& visit) const
    {
        const auto* at = values_.data();
        for (const auto group : std::span(groups_)) {
            visit(group.copy, std::span(at, group.count));
            at += group.count;
        }
    }
    [[nodiscard]] std::span<Value> all() noexcept { return values_; }
    [[nodiscard]] std::size_t memory() const noexcept
    {
        return values_.size() * sizeof(Value) + groups_.size() * sizeof(Group);
    }

private:
    struct Group {
        Copy copy;
        std::uint32_t count;
    };
    std::vector<Value> values_;
    std::vector<Group> groups_;
};

}  // namespace ositrace
