// SPDX-License-Identifier: MPL-2.0
// Dictionary: the names of an enum column.
#include <algorithm>

#include <ositrace/error.hpp>

#include "lib/table/batch.hpp"

namespace ositrace::table {

Dictionary::Dictionary(std::span<const EnumTable* const> enums, std::span<const std::string> words)
    : small_(std::max<std::size_t>(enums.size(), 1)), numbers_(small_.size())
{
    for (const auto& word : words) small_[0].push_back(enter(word));
    for (std::size_t source = 0; source != enums.size(); ++source) {
        if (enums[source] == nullptr) continue;
        for (const auto& value : enums[source]->values) {
            const auto number = static_cast<std::uint32_t>(value.number);
            const auto index = enter(std::string(enums[source]->name_of(value.number)));
            if (number >= most_small) {
                numbers_[source].emplace(value.number, index);
                continue;
            }
            auto& small = small_[source];
            if (number >= small.size()) small.resize(number + 1, -1);
            small[number] = index;
        }
    }
}

std::int32_t Dictionary::enter(std::string name)
{
    if (names_.size() == most_names)
        throw Error(Cause::limit,
                    "the number of different values of an enum exceeds the limit of " + std::to_string(most_names));
    const auto [place, added] = places_.try_emplace(name, static_cast<std::int32_t>(names_.size()));
    if (added) names_.push_back(std::move(name));
    return place->second;
}

std::int32_t Dictionary::find(std::size_t source, std::int32_t number)
{
    auto& numbers = numbers_[std::min(source, numbers_.size() - 1)];
    const auto known = numbers.find(number);
    return known != numbers.end() ? known->second
                                  : numbers.emplace(number, enter(std::to_string(number))).first->second;
}

const Array& Dictionary::names(Budget& budget)
{
    if (!array_.buffers.empty() && array_.length == names_.size()) return array_;
    std::size_t bytes = 0;
    for (const auto& name : names_) bytes += name.size();
    const auto offsets = budget.allocate(4 * (names_.size() + 1));
    const auto text = budget.allocate(bytes);
    std::size_t end = 0;
    Store::store_offset(offsets, 0, 0);
    for (std::size_t i = 0; i != names_.size(); ++i) {
        std::ranges::copy(bytes_of(names_[i]), text.get() + end);
        end += names_[i].size();
        Store::store_offset(offsets, i + 1, end);
    }
    array_ = {.length = names_.size(), .buffers = {nullptr, offsets, text}};
    return array_;
}

}  // namespace ositrace::table
