// SPDX-License-Identifier: MPL-2.0
#include "formats/schema/same_messages.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ositrace {

namespace {

bool same_enumeration(const EnumTable* one, const EnumTable* other)
{
    if (one == nullptr || other == nullptr) return one == other;
    return one->full_name == other->full_name &&
           std::ranges::equal(one->values, other->values,
                              [](const auto& a, const auto& b) { return a.name == b.name && a.number == b.number; });
}

/// Apart from the message in it.
bool same_field(const FieldRow& one, const FieldRow& other)
{
    return one.name == other.name && one.number == other.number && one.kind == other.kind &&
           one.repeated == other.repeated && one.packed == other.packed && one.declared == other.declared &&
           one.oneof == other.oneof && (one.child == nullptr) == (other.child == nullptr) &&
           same_enumeration(one.enumeration, other.enumeration);
}

}  // namespace

bool same_messages(const MessageTable& one, const MessageTable& other)
{
    // A full name is one message of a schema.
    std::unordered_set<const MessageTable*> seen{&one};
    std::vector<std::pair<const MessageTable*, const MessageTable*>> waiting{{&one, &other}};
    while (!waiting.empty()) {
        const auto [a, b] = waiting.back();
        waiting.pop_back();
        if (a->full_name != b->full_name || a->map_entry != b->map_entry ||
            !std::ranges::equal(a->fields, b->fields, same_field))
            return false;
        for (std::size_t i = 0; i != a->fields.size(); ++i) {
            const auto *const child = a->fields[i].child, *const of_other = b->fields[i].child;
            if (child == nullptr) continue;
            if (child->full_name != of_other->full_name) return false;
            if (seen.insert(child).second) waiting.emplace_back(child, of_other);
        }
    }
    return true;
}

}  // namespace ositrace
