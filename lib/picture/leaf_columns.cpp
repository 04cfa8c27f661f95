// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/leaf_columns.hpp"

namespace ositrace::picture {

namespace {

LeafKind leaf_kind_of(const FieldRow& field) noexcept
{
    if (field.child != nullptr) return LeafKind::message;
    return is_real(field.kind) ? LeafKind::real : LeafKind::integer;
}

}  // namespace

bool has_leaf(const MessageTable& in, const LeafRow& leaf) noexcept
{
    const auto* table = &in;
    for (auto path = leaf.path; table != nullptr;) {
        const auto dot = path.find('.');
        const auto* const row = table->find(path.substr(0, dot));
        if (row == nullptr || row->repeated || row->kind == FieldKind::string || row->kind == FieldKind::bytes)
            return false;
        if (dot == std::string_view::npos) return leaf_kind_of(*row) == leaf.kind;
        table = row->child;
        path.remove_prefix(dot + 1);
    }
    return false;
}

}  // namespace ositrace::picture
