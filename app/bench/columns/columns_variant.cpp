// SPDX-License-Identifier: MPL-2.0
#include <cstring>

#include "app/bench/columns/column_variants.hpp"

namespace ositrace::bench {

Variant columns_variant(std::string name, std::string what, Role role, const std::vector<FrameBytes>& frames,
                        ReadColumns read)
{
    const auto reader = std::make_shared<ReadColumns>(std::move(read));
    Variant variant{.name = std::move(name), .what = std::move(what), .role = role};
    variant.run = [reader, &frames] {
        std::size_t bytes = 0;
        const TakeColumn count = [&](std::span<const double> column) { bytes += column.size_bytes(); };
        for (const auto& frame : frames) (*reader)(frame, count);
        return bytes;
    };
    variant.answer = [reader, &frames](Answer& answer) {
        const TakeColumn add = [&](std::span<const double> column) { answer.add(column); };
        for (const auto& frame : frames) (*reader)(frame, add);
    };
    return variant;
}

Variant memcpy_of_columns(const Sample& sample, const Elements& elements)
{
    const auto numbers =
        std::make_shared<std::vector<double>>(count_elements(elements, sample) * elements.columns.size());
    const auto copy = std::make_shared<std::vector<double>>(numbers->size());
    const auto run = [numbers, copy] {
        std::memcpy(copy->data(), numbers->data(), numbers->size() * sizeof(double));
        return numbers->size() * sizeof(double);
    };
    return {.name = "memcpy of the arrays",
            .what = "copies the finished arrays: what memory allows",
            .role = Role::yardstick,
            .run = run};
}

}  // namespace ositrace::bench
