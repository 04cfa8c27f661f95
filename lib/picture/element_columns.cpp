// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/element_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::picture {

namespace {

constexpr std::size_t most_rows = 4'000'000;
constexpr std::size_t few_rows = 65'536;  // always read
constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t bytes_per_byte = 16;  // of columns for each byte of the message, at most
constexpr std::size_t sampled_every = 61;
constexpr std::size_t small_message = 64 * 1024;  // bytes, not worth a sample

bool is_number(const FieldRow& field) noexcept { return !field.repeated && is_scalar(field.kind); }

std::size_t bytes_of_columns(std::size_t leaves) noexcept { return (leaves + 1) * sizeof(double); }

template <class Convert>
void fill(std::vector<float>& values, std::span<const std::uint32_t> rows, bool all, std::size_t count,
          const Convert& convert)
{
    if (all) {
        values.resize(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = convert(i);
        return;
    }
    values.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = convert(rows[i]);
}

constexpr float not_set = std::numeric_limits<float>::quiet_NaN();

}  // namespace

void measure(CloudField& field)
{
    float smallest = std::numeric_limits<float>::max(), largest = std::numeric_limits<float>::lowest();
    for (const float value : field.values) {
        const bool counts = std::abs(value) <= std::numeric_limits<float>::max();
        smallest = counts && value < smallest ? value : smallest;
        largest = counts && value > largest ? value : largest;
    }
    if (smallest > largest) return;
    field.smallest = smallest;
    field.largest = largest;
}

ElementColumns::ElementColumns(const FieldRow& elements, std::span<const std::string_view> needed) : row_(&elements)
{
    constexpr int deepest = 2;
    add_leaves(*elements.child, "", deepest);
    for (std::size_t i = 0; i < leaves_.size(); ++i)
        if (std::ranges::find(needed, leaves_[i].path) != needed.end()) needed_ |= std::uint32_t{1} << i;
}

void ElementColumns::add_leaves(const MessageTable& table, const std::string& prefix, int depth)
{
    for (const auto& field : table.fields) {
        if (leaves_.size() == ColumnReader::max_leaves) return;
        auto path = prefix + std::string(field.name);
        if (is_number(field)) {
            const bool is_id = table.full_name.ends_with(".Identifier");
            leaves_.push_back({std::move(path), is_real(field.kind), is_id, !is_unsigned(field.kind)});
        } else if (field.child != nullptr && !field.repeated && depth > 1) {
            add_leaves(*field.child, path + '.', depth - 1);
        }
    }
}

ElementColumns::Reader& ElementColumns::reader_of(std::uint32_t wanted)
{
    constexpr std::size_t most_readers = 3;  // each keeps its columns
    if (const auto known = readers_.find(wanted); known != readers_.end()) return known->second;
    if (readers_.size() >= most_readers) readers_.clear();
    std::vector<std::string_view> paths;
    std::vector<std::uint8_t> places;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        if ((wanted >> i & 1) == 0) continue;
        paths.push_back(leaves_[i].path);
        places.push_back(static_cast<std::uint8_t>(i));
    }
    return readers_.emplace(wanted, Reader{ColumnReader(*row_, paths), std::move(places)}).first->second;
}

/// Finds the leaves that some elements have, and counts all elements.
std::uint32_t ElementColumns::leaves_in_sample(const MessageView& parent)
{
    constexpr auto all = ~std::uint32_t{0};
    const auto every_leaf = leaves_.size() >= 32 ? all : (std::uint32_t{1} << leaves_.size()) - 1;
    const auto wire = parent.wire_bytes();
    constexpr std::size_t smallest_flat_element = 4;  // an offset
    const auto bytes = wire ? wire->size() : parent.repeated(*row_).size() * smallest_flat_element;
    if (bytes <= small_message) {
        elements_ = 0;  // bounded by the bytes
        return every_leaf;
    }
    auto& sample = reader_of(every_leaf).reader;
    sample.read(parent, sampled_every);
    elements_ = sample.elements();
    std::uint32_t seen = needed_;
    for (const auto row : sample.presence()) seen |= row;
    const auto row_bytes = bytes_of_columns(static_cast<std::size_t>(std::popcount(seen)));
    // The size of a table of a FlatBuffer is unknown, and several elements may share one.
    const auto budget = wire ? std::min(bytes_per_byte * bytes, most_bytes) : most_bytes;
    const auto most = std::clamp(budget / row_bytes, few_rows, most_rows);
    every_ = (elements_ + most - 1) / most;
    return seen;
}

void ElementColumns::read(const MessageView& parent)
{
    reader_ = nullptr;
    every_ = 1;
    const auto wanted = leaves_in_sample(parent);
    if (every_ == 0) every_ = 1;
    auto& chosen = reader_of(wanted);
    chosen.reader.reserve(elements_ / every_ + 1);
    chosen.reader.read(parent, every_);
    elements_ = chosen.reader.elements();
    reader_ = &chosen;
    count_presence();
}

void ElementColumns::count_presence()
{
    in_all_ = ~std::uint32_t{0};
    in_some_ = 0;
    for (const auto row : reader_->reader.presence()) {
        in_all_ &= row;
        in_some_ |= row;
    }
}

int ElementColumns::column_of(std::string_view leaf) const noexcept
{
    if (reader_ == nullptr) return -1;
    for (std::size_t i = 0; i < reader_->leaves.size(); ++i)
        if (leaves_[reader_->leaves[i]].path == leaf) return static_cast<int>(i);
    return -1;
}

std::span<const double> ElementColumns::reals(std::string_view leaf) const
{
    const auto column = column_of(leaf);
    if (column < 0 || !leaves_[reader_->leaves[static_cast<std::size_t>(column)]].real) return {};
    return reader_->reader.reals(static_cast<std::size_t>(column));
}

bool ElementColumns::all_have(std::string_view leaf) const noexcept
{
    const auto column = column_of(leaf);
    return column >= 0 && (in_all_ >> column & 1) != 0;
}

bool ElementColumns::has(std::string_view leaf, std::size_t row) const noexcept
{
    const auto column = column_of(leaf);
    return column >= 0 && reader_->reader.has(static_cast<std::size_t>(column), row);
}

void ElementColumns::add_fields(Cloud& cloud, std::span<const std::uint32_t> rows, bool all) const
{
    if (reader_ == nullptr) return;
    const auto& reader = reader_->reader;
    const auto presence = reader.presence();
    for (std::size_t column = 0; column < reader_->leaves.size(); ++column) {
        if ((in_some_ >> column & 1) == 0) continue;
        const auto& leaf = leaves_[reader_->leaves[column]];
        auto& field = cloud.fields.emplace_back();
        field.name = leaf.is_id ? leaf.path.substr(0, leaf.path.rfind('.')) : leaf.path;
        field.unit = unit_of(leaf.path);
        const bool in_all = (in_all_ >> column & 1) != 0;
        const auto set = [&](std::size_t row) { return in_all || (presence[row] >> column & 1) != 0; };
        if (leaf.real) {
            const auto values = reader.reals(column);
            if (in_all)
                fill(field.values, rows, all, reader.rows(),
                     [&](std::size_t row) { return static_cast<float>(values[row]); });
            else
                fill(field.values, rows, all, reader.rows(),
                     [&](std::size_t row) { return set(row) ? static_cast<float>(values[row]) : not_set; });
        } else {
            const auto values = reader.integers(column);
            fill(field.values, rows, all, reader.rows(), [&](std::size_t row) {
                if (!set(row) || (leaf.is_id && values[row] == UINT64_MAX)) return not_set;  // in OSI: no object
                return leaf.is_signed ? static_cast<float>(static_cast<std::int64_t>(values[row]))
                                      : static_cast<float>(values[row]);
            });
        }
        measure(field);
    }
}

namespace {

/// From the comments of OSI 3.8.0, by the end of a path: `distance` for `position.distance`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> units{{
    {"signal_strength", "dB"},
    {"time_of_flight", "s"},
    {"doppler_shift", "Hz"},
    {"source_horizontal_angle", "rad"},
    {"source_vertical_angle", "rad"},
    {"distance", "m"},
    {"azimuth", "rad"},
    {"elevation", "rad"},
    {"position.x", "m"},
    {"position.y", "m"},
    {"position.z", "m"},
    {"position_rmse.x", "m"},
    {"position_rmse.y", "m"},
    {"position_rmse.z", "m"},
    {"velocity.x", "m/s"},
    {"velocity.y", "m/s"},
    {"velocity.z", "m/s"},
    {"height", "m"},
    {"height_rmse", "m"},
    {"intensity", "%"},
    {"echo_pulse_width", "m"},
    {"radial_velocity", "m/s"},
    {"radial_velocity_rmse", "m/s"},
    {"rcs", "dB m²"},
    {"snr", "dB"},
}};

}  // namespace

std::string_view unit_of(std::string_view path) noexcept
{
    for (const auto& [end, unit] : units) {
        if (!path.ends_with(end)) continue;
        if (path.size() == end.size() || path[path.size() - end.size() - 1] == '.') return unit;
    }
    return {};
}

}  // namespace ositrace::picture
