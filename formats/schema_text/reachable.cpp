// SPDX-License-Identifier: MPL-2.0
#include "formats/schema_text/reachable.hpp"

#include <unordered_set>

namespace ositrace {

namespace {

constexpr std::string_view protobuf_package = "google.protobuf.";

template <class Row>
bool is_own(const Row& row, bool all)
{
    return all && !row.full_name.starts_with(protobuf_package);
}

}  // namespace

Selection reachable(const Schema& schema, std::optional<MessageType> type)
{
    std::vector<const MessageTable*> open;
    if (type) open.push_back(&schema.root(*type));
    for (const auto& table : schema.messages())
        if (is_own(*table, !type)) open.push_back(table.get());

    std::unordered_set<const void*> wanted(open.begin(), open.end());
    while (!open.empty()) {
        const auto& table = *open.back();
        open.pop_back();
        for (const auto& field : table.fields) {
            if (field.enumeration != nullptr) wanted.insert(field.enumeration);
            if (field.child != nullptr && wanted.insert(field.child).second) open.push_back(field.child);
        }
    }

    Selection selection;
    for (const auto& table : schema.messages())
        if (wanted.contains(table.get())) selection.messages.push_back(table.get());
    for (const auto& table : schema.enums())
        if (wanted.contains(table.get()) || is_own(*table, !type)) selection.enums.push_back(table.get());
    return selection;
}

}  // namespace ositrace
