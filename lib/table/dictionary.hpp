// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/table/arrow_data.hpp"

namespace ositrace::table {

/// The names of an enum column. It only grows, so the indices of earlier batches stay right.
class Dictionary {
public:
    /// `enums`: by the source of a row, where rows have several; null: a source without the column. `words`: names that
    /// are no enum's, by number.
    Dictionary(std::span<const EnumTable* const> enums, std::span<const std::string> words);

    /// The index of a number of the enum of a source; one that has no name is entered by its digits. Throws Error
    /// (limit).
    [[nodiscard]] std::int32_t index_of(std::size_t source, std::int32_t number)
    {
        if (source < small_.size() && static_cast<std::uint32_t>(number) < small_[source].size()) {
            const auto index = small_[source][static_cast<std::uint32_t>(number)];
            if (index >= 0) return index;
        }
        return find(source, number);
    }
    [[nodiscard]] const Array& names(Budget& budget);

private:
    static constexpr std::size_t most_small = 256;
    static constexpr std::size_t most_names = 1'000'000;

    std::int32_t find(std::size_t source, std::int32_t number);
    std::int32_t enter(std::string name);

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::int32_t> places_;
    std::vector<std::vector<std::int32_t>> small_;                         ///< by source and number; -1: unknown yet
    std::vector<std::unordered_map<std::int32_t, std::int32_t>> numbers_;  ///< of others, by source
    Array array_;
};

}  // namespace ositrace::table
