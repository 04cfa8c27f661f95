// SPDX-License-Identifier: MPL-2.0
#include <ositrace/query_spans.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

namespace ositrace {

namespace {

/// Empty for nan, too, which is neither the least nor the greatest.
std::optional<double> number_of(const QueryValue& value)
{
    return std::visit(
        [](const auto& each) -> std::optional<double> {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_arithmetic_v<Each> && !std::is_same_v<Each, bool>) {
                const auto number = static_cast<double>(each);
                if (!std::isnan(number)) return number;
            }
            return std::nullopt;
        },
        value);
}

std::vector<FoundValue> first_values(const QueryMatch& match, std::uint64_t message)
{
    std::vector<FoundValue> values;
    for (const auto& [field, value] : match.values) {
        const auto number = number_of(value);
        values.push_back({field, value, number, number, message, message});
    }
    return values;
}

void widen(std::vector<FoundValue>& values, const QueryMatch& match, std::uint64_t message)
{
    for (std::size_t i = 0; i != std::min(values.size(), match.values.size()); ++i) {
        const auto number = number_of(match.values[i].value);
        if (!number) continue;
        auto& value = values[i];
        if (!value.least || *number < *value.least) value.least = *number, value.least_at = message;
        if (!value.most || *number > *value.most) value.most = *number, value.most_at = message;
    }
}

}  // namespace

void SpanBuilder::add(const QueryHit& hit)
{
    if (hit.number != last_ + 1) close(hit.number);
    last_ = hit.number;
    for (const auto& match : hit.matches) {
        Key key{match.list, match.id, match.id ? std::string() : match.path};
        const auto known = open_.find(key);
        if (known != open_.end() && known->second.span.last + 1 >= hit.number) {
            known->second.span.last = hit.number;
            known->second.is_changed = true;
            widen(known->second.span.values, match, hit.number);
            continue;
        }
        Open open{{}, {hit.number, hit.number, match.path, match.list, match.id, first_values(match, hit.number)}};
        if (listed_ != most_)
            open.place = listed_++;
        else
            ++unlisted_;
        if (known != open_.end()) {
            if (known->second.place && known->second.is_changed)
                closed_.emplace_back(*known->second.place, std::move(known->second.span));
            known->second = std::move(open);
        } else {
            open_.emplace(std::move(key), std::move(open));
        }
    }
}

/// Objects that disappeared, or that no expression holds for any more, are forgotten.
void SpanBuilder::close(std::uint64_t before)
{
    std::erase_if(open_, [&](auto& each) {
        auto& open = each.second;
        if (open.span.last + 1 >= before) return false;
        if (open.place && open.is_changed) closed_.emplace_back(*open.place, std::move(open.span));
        return true;
    });
}

std::vector<std::pair<std::size_t, FoundSpan>> SpanBuilder::take_changed()
{
    close(last_);
    auto changed = std::exchange(closed_, {});
    for (auto& [key, open] : open_)
        if (open.place && std::exchange(open.is_changed, false)) changed.emplace_back(*open.place, open.span);
    std::ranges::sort(changed, {}, &std::pair<std::size_t, FoundSpan>::first);
    return changed;
}

}  // namespace ositrace
