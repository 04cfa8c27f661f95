// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/object_columns.hpp"

namespace ositrace::traffic {

namespace {

enum class LeafKind : std::uint8_t { integer, real, message };

struct LeafRow {
    std::string_view path;
    LeafKind kind;
};
constexpr std::array<LeafRow, object_leaf_count> leaf_rows{{
    {"id.value", LeafKind::integer},
    {"type", LeafKind::integer},
    {"base.position.x", LeafKind::real},
    {"base.position.y", LeafKind::real},
    {"base.position.z", LeafKind::real},
    {"base.orientation.roll", LeafKind::real},
    {"base.orientation.pitch", LeafKind::real},
    {"base.orientation.yaw", LeafKind::real},
    {"base.dimension.length", LeafKind::real},
    {"base.dimension.width", LeafKind::real},
    {"base.dimension.height", LeafKind::real},
    {"base.velocity.x", LeafKind::real},
    {"base.velocity.y", LeafKind::real},
    {"base.velocity.z", LeafKind::real},
    {"base.acceleration.x", LeafKind::real},
    {"base.acceleration.y", LeafKind::real},
    {"base.acceleration.z", LeafKind::real},
    {"base.orientation_rate.yaw", LeafKind::real},
    {"vehicle_attributes.bbcenter_to_front.x", LeafKind::real},
    {"vehicle_attributes.bbcenter_to_rear.x", LeafKind::real},
    {"vehicle_classification.type", LeafKind::integer},
    {"vehicle_classification.light_state.indicator_state", LeafKind::integer},
    {"vehicle_classification.light_state.brake_light_state", LeafKind::integer},
    {"vehicle_classification.has_trailer", LeafKind::integer},
    {"vehicle_classification.trailer_id.value", LeafKind::integer},
    {"id", LeafKind::message},
    {"base.position", LeafKind::message},
    {"base.dimension", LeafKind::message},
    {"base.velocity", LeafKind::message},
    {"base.acceleration", LeafKind::message},
    {"vehicle_classification.trailer_id", LeafKind::message},
}};

LeafKind kind_of(const FieldRow& field) noexcept
{
    if (field.child != nullptr) return LeafKind::message;
    return is_real(field.kind) ? LeafKind::real : LeafKind::integer;
}

bool has_leaf(const MessageTable* table, const LeafRow& leaf) noexcept
{
    for (auto path = leaf.path; table != nullptr;) {
        const auto dot = path.find('.');
        const auto* const row = table->find(path.substr(0, dot));
        if (row == nullptr || row->repeated || row->kind == FieldKind::string || row->kind == FieldKind::bytes)
            return false;
        if (dot == std::string_view::npos) return kind_of(*row) == leaf.kind;
        table = row->child;
        path.remove_prefix(dot + 1);
    }
    return false;
}

}  // namespace

std::vector<std::string_view> ObjectColumns::leaves_in(const MessageTable& table)
{
    std::vector<std::string_view> leaves;
    for (std::size_t i = 0; i != object_leaf_count; ++i) {
        const bool found = has_leaf(&table, leaf_rows[i]);
        columns_[i] = found ? static_cast<int>(leaves.size()) : -1;
        if (found) leaves.push_back(leaf_rows[i].path);
    }
    return leaves;
}

void ObjectColumns::read(const MessageView& ground_truth)
{
    reader_.read(ground_truth);
    for (std::size_t i = 0; i != object_leaf_count; ++i) {
        if (columns_[i] < 0) continue;
        const auto column = static_cast<std::size_t>(columns_[i]);
        if (leaf_rows[i].kind == LeafKind::real) reals_[i] = reader_.reals(column);
        if (leaf_rows[i].kind == LeafKind::integer) integers_[i] = reader_.integers(column);
    }
}

}  // namespace ositrace::traffic
