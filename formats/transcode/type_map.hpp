// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <ositrace/schema.hpp>

namespace ositrace {

enum class Texts : std::uint8_t { written, checked };
/// With Texts::checked, longer texts are left out. Elements that have a shape hold none.
inline constexpr std::size_t max_checked_text_bytes = 16'384;

/// What a transcoder keeps per message type, for a root and every type it reaches. `Type` has a `table` and `children`:
/// the types of its fields by place, nullptr for what is no message.
template <class Type>
class TypeMap {
public:
    /// `make(table)` gives a std::unique_ptr<Type>.
    template <class Make>
    TypeMap(const MessageTable& root, const Make& make)
    {
        // Without recursion: messages of a schema may refer to each other in a chain of thousands.
        std::vector<Type*> open;
        const auto type_of = [&](const MessageTable& table) {
            auto& place = places_[&table];
            if (place == nullptr) {
                place = types_.emplace_back(make(table)).get();
                open.push_back(place);
            }
            return place;
        };
        type_of(root);
        while (!open.empty()) {
            auto& type = *open.back();
            open.pop_back();
            type.children.resize(type.table.fields.size());
            for (const auto& field : type.table.fields)
                if (field.child != nullptr) type.children[field.index] = type_of(*field.child);
        }
        places_.clear();
    }

    [[nodiscard]] Type& root() const noexcept { return *types_.front(); }
    [[nodiscard]] const std::vector<std::unique_ptr<Type>>& all() const noexcept { return types_; }

private:
    std::vector<std::unique_ptr<Type>> types_;
    std::unordered_map<const MessageTable*, Type*> places_;  ///< while it is built
};

}  // namespace ositrace
