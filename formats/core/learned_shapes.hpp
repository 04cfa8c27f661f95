// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The shapes of one message type, by element length. Bounded: it stops learning where learning does not pay. A `Shape`
/// says whether it matches(element), what memory() it takes and which max_element_bytes are worth one.
template <class Shape>
class ShapesByLength {
public:
    /// The shape of an element, or nullptr.
    Shape* find(const std::byte* element, std::uint32_t length) noexcept
    {
        if (length >= by_length_.size() || !by_length_[length]) return nullptr;
        auto& shapes = by_length_[length]->shapes;
        for (std::size_t i = 0; i != shapes.size(); ++i) {
            if (!shapes[i]->matches(element)) continue;
            if (i != 0) std::swap(shapes[i], shapes[i - 1]);
            if (++hits_ == hits_per_compilation) {
                hits_ = 0;
                budget_ = std::min(budget_ + 1, starting_budget);
            }
            return shapes[i == 0 ? 0 : i - 1].get();
        }
        return nullptr;
    }
    /// Is it worth recording this element, that no shape matched?
    bool wants(std::uint32_t length)
    {
        if (length == 0 || length > Shape::max_element_bytes || budget_ <= 0) return false;
        if (by_length_.size() <= length) by_length_.resize(length + 1);
        auto& of_length = by_length_[length];
        if (!of_length) of_length = std::make_unique<OfLength>();
        return ++of_length->misses >= 2;
    }
    /// `shape`: nullptr where the element has none.
    void add(std::uint32_t length, std::unique_ptr<Shape> shape)
    {
        --budget_;
        if (!shape) return;
        memory_ += shape->memory();
        if (memory_ > max_memory) return clear();
        auto& of_length = *by_length_[length];
        of_length.misses = 0;
        if (of_length.shapes.size() < max_shapes_per_length) {
            of_length.shapes.push_back(std::move(shape));
            return;
        }
        auto& victim = of_length.shapes[of_length.next_victim++ % max_shapes_per_length];
        memory_ -= victim->memory();
        victim = std::move(shape);
    }
    void clear()
    {
        by_length_.clear();
        memory_ = 0;
        budget_ = starting_budget;
        hits_ = 0;
    }

private:
    static constexpr std::size_t max_shapes_per_length = 4;
    static constexpr int starting_budget = 64;  // compilations before the first hit
    static constexpr int hits_per_compilation = 8;
    static constexpr std::size_t max_memory = std::size_t{8} << 20;  // then learning starts anew

    struct OfLength {
        std::vector<std::unique_ptr<Shape>> shapes;
        std::uint32_t misses = 0;
        std::uint32_t next_victim = 0;
    };
    std::vector<std::unique_ptr<OfLength>> by_length_;
    std::size_t memory_ = 0;
    int budget_ = starting_budget;
    int hits_ = 0;
};

}  // namespace ositrace
