// SPDX-License-Identifier: MPL-2.0
#include "lib/table/batch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/messages/geometry.hpp"

namespace ositrace::table {

namespace {

/// For each row the entry of a level; -1: none. Null: the entry with the number of the row.
using Entries = std::shared_ptr<const std::vector<std::int32_t>>;

/// Values in the order of some level, or of the rows.
struct Values {
    std::size_t count = 0;
    Memory values;
    Memory offsets;   ///< of texts
    Memory validity;  ///< null: all are set
};

bool bit_at(const Memory& bitmap, std::size_t place) noexcept
{
    return bitmap == nullptr || (std::to_integer<unsigned>(bitmap.get()[place / 8]) >> place % 8 & 1) != 0;
}

std::size_t offset_at(const Memory& offsets, std::size_t place) noexcept
{
    return load_le32(offsets.get() + 4 * place);
}

std::size_t zeros(const Memory& bitmap, std::size_t bits) noexcept
{
    if (bitmap == nullptr) return 0;
    std::size_t ones = 0;
    for (std::size_t byte = 0; byte != bits / 8; ++byte)
        ones += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned char>(bitmap.get()[byte])));
    for (auto bit = bits / 8 * 8; bit != bits; ++bit) ones += bit_at(bitmap, bit) ? 1 : 0;
    return bits - ones;
}

class BatchMaker {
public:
    BatchMaker(const TablePlan::Implementation& plan, Store& store, Dictionaries& dictionaries,
               std::span<const std::optional<LanePlace>> places, std::span<const std::optional<MeasuredPoint>> points,
               bool& misses_host)
        : plan_(plan),
          store_(store),
          dictionaries_(dictionaries),
          places_(places),
          points_(points),
          misses_host_(misses_host)
    {
        store.budget().reset();  // what is made here is as much again at most
        store.close();
        name_enums();
        find_rows();
    }

    Array make(std::span<const std::size_t> null_frames)
    {
        Array batch{.length = rows_, .buffers = {nullptr}};
        for (const auto& output : plan_.outputs) batch.children.push_back(array_of(output));
        if (null_frames.empty()) return batch;
        const auto bitmap = all_set();
        for (const auto row : null_frames) bitmap.get()[row / 8] &= ~static_cast<std::byte>(1u << row % 8);
        batch.buffers = {bitmap};
        batch.nulls = null_frames.size();
        return batch;
    }

private:
    void name_enums();
    void find_rows();
    void descend(std::size_t level);
    void expand(std::size_t level);
    void expand_with_empty(std::size_t level);
    [[nodiscard]] bool uses(std::size_t level) const noexcept;

    [[nodiscard]] const Entries* entries_of(std::size_t level) const noexcept
    {
        for (const auto& [known, entries] : chain_)
            if (known == level) return &entries;
        return nullptr;
    }
    Memory all_set()
    {
        auto bitmap = store_.budget().allocate((rows_ + 7) / 8);
        std::fill_n(bitmap.get(), (rows_ + 7) / 8, std::byte{0xff});
        return bitmap;
    }
    Values stored(std::size_t column);
    Values gathered(std::size_t column, const Values& from, const std::vector<std::int32_t>& entries);
    void gather_texts(const Values& from, const std::vector<std::int32_t>& entries, Values& to);
    /// In the order of the rows.
    Values in_rows(std::size_t column);
    Values first_set(std::span<const std::size_t> columns);
    Values length(const Output& output);
    Values equal(const Output& output);
    Values relative(const Output& output);
    /// The id of the host vehicle of each row; `columns`: those that state it.
    Values host_ids(const Output& output, std::span<const std::size_t> columns);
    std::vector<std::int32_t> host_rows(const Output& output);
    /// A double or an integer per row, as its bits.
    Values computed(const std::function<std::optional<std::uint64_t>(std::size_t)>& bits_of);
    Values lane(const Output& output);
    Values none_set(const Output& output);

    Array array_of(const Output& output);
    Array leaf(const Output& output, std::size_t dictionary, Values&& values);
    Memory packed_bits(const Values& values);

    const TablePlan::Implementation& plan_;
    Store& store_;
    Dictionaries& dictionaries_;
    std::span<const std::optional<LanePlace>> places_;
    std::span<const std::optional<MeasuredPoint>> points_;
    bool& misses_host_;
    std::size_t rows_ = 0;
    std::vector<std::pair<std::size_t, Entries>> chain_;  ///< levels from the frames to the rows
};

/// Numbers of enums become places in their dictionaries.
void BatchMaker::name_enums()
{
    for (std::size_t place = 0; place != dictionaries_.size(); ++place) {
        if (!dictionaries_[place]) continue;
        auto& dictionary = *dictionaries_[place];
        const auto level = plan_.column_rows[place].level;
        const auto count = store_.level(level).count;
        const bool has_sources = plan_.source_column != none && level == plan_.column_rows[plan_.source_column].level;
        const auto* const sources =
            has_sources && place != plan_.source_column ? store_.column(plan_.source_column).values.get() : nullptr;
        auto* const values = store_.column(place).values.get();
        for (std::size_t i = 0; i != count; ++i) {
            const auto source = sources == nullptr ? 0 : load_le32(sources + 4 * i);
            const auto number = static_cast<std::int32_t>(load_le32(values + 4 * i));
            store_le32(values + 4 * i, static_cast<std::uint32_t>(dictionary.index_of(source, number)));
        }
    }
}

void BatchMaker::find_rows()
{
    std::vector<std::size_t> levels;
    for (auto level = plan_.row_level; level != none; level = plan_.levels[level].parent) levels.push_back(level);
    std::ranges::reverse(levels);
    chain_.emplace_back(0, nullptr);
    rows_ = store_.level(0).count;
    for (std::size_t i = 1; i != levels.size(); ++i) descend(levels[i]);
}

bool BatchMaker::uses(std::size_t level) const noexcept
{
    return std::ranges::any_of(plan_.outputs, [&](const Output& output) {
        // What is relative to the host needs the frame of each row, also without a column of the frame.
        if (level == 0 && output.make == Output::Make::relative && !output.columns.empty()) return true;
        return std::ranges::any_of(output.columns,
                                   [&](std::size_t column) { return plan_.column_rows[column].level == level; });
    });
}

/// The rows so far become a row per element of theirs. A frame without elements has none.
void BatchMaker::descend(std::size_t level)
{
    const auto& [outer, entries] = chain_.back();
    const auto& offsets = store_.level(level).offsets;
    bool has_empty = entries != nullptr;
    for (std::size_t i = 0; i != store_.level(outer).count && !has_empty; ++i)
        has_empty = offset_at(offsets, i) == offset_at(offsets, i + 1);
    if (has_empty && plan_.keeps_empty && chain_.size() > 1)
        expand_with_empty(level);
    else
        expand(level);
}

/// All elements are rows, in their order.
void BatchMaker::expand(std::size_t level)
{
    const auto& offsets = store_.level(level).offsets;
    const auto outer_rows = rows_;
    rows_ = store_.level(level).count;
    for (auto& [place, entries] : chain_) {
        const auto origins = std::make_shared<std::vector<std::int32_t>>(uses(place) ? rows_ : 0);
        for (std::size_t row = 0; row != outer_rows && !origins->empty(); ++row) {
            const auto origin = entries == nullptr ? static_cast<std::int32_t>(row) : (*entries)[row];
            std::fill(origins->data() + offset_at(offsets, row), origins->data() + offset_at(offsets, row + 1), origin);
        }
        entries = origins;
    }
    chain_.emplace_back(level, nullptr);
}

/// An entry without elements is a row without an element.
void BatchMaker::expand_with_empty(std::size_t level)
{
    const auto outer = chain_.back().second;
    const auto& offsets = store_.level(level).offsets;
    const auto inner = std::make_shared<std::vector<std::int32_t>>();
    std::vector<std::size_t> origins;
    for (std::size_t row = 0; row != rows_; ++row) {
        const auto entry = outer == nullptr ? static_cast<std::int32_t>(row) : (*outer)[row];
        const auto first = entry < 0 ? 0 : offset_at(offsets, static_cast<std::size_t>(entry));
        const auto end = entry < 0 ? 0 : offset_at(offsets, static_cast<std::size_t>(entry) + 1);
        for (auto i = first; i != end; ++i) inner->push_back(static_cast<std::int32_t>(i));
        if (first == end) inner->push_back(-1);
        origins.resize(inner->size(), row);
    }
    if (inner->size() > INT32_MAX)
        throw Error(Cause::limit, "the number of rows of a batch exceeds the limit of 2147483647");
    for (auto& [place, entries] : chain_) {
        const auto moved = std::make_shared<std::vector<std::int32_t>>();
        if (uses(place))
            for (const auto origin : origins)
                moved->push_back(entries == nullptr ? static_cast<std::int32_t>(origin) : (*entries)[origin]);
        entries = moved;
    }
    rows_ = inner->size();
    chain_.emplace_back(level, inner);
}

Values BatchMaker::stored(std::size_t column)
{
    const auto& data = store_.column(column);
    return {store_.level(plan_.column_rows[column].level).count, data.values, data.offsets, data.validity};
}

void BatchMaker::gather_texts(const Values& from, const std::vector<std::int32_t>& entries, Values& to)
{
    const auto span_of = [&](std::int32_t entry) {
        const auto place = static_cast<std::size_t>(entry);
        return entry < 0 ? std::pair<std::size_t, std::size_t>()
                         : std::pair(offset_at(from.offsets, place), offset_at(from.offsets, place + 1));
    };
    to.offsets = store_.budget().allocate(4 * (entries.size() + 1));
    Store::store_offset(to.offsets, 0, 0);
    std::size_t end = 0;
    for (std::size_t row = 0; row != entries.size(); ++row) {
        const auto [first, last] = span_of(entries[row]);
        end += last - first;
        if (end > INT32_MAX)
            throw Error(Cause::limit, "the texts of a column in a batch exceed the limit of 2147483647 bytes");
        Store::store_offset(to.offsets, row + 1, end);
    }
    to.values = store_.budget().allocate(end);
    for (std::size_t row = 0; row != entries.size(); ++row) {
        const auto [first, last] = span_of(entries[row]);
        if (first != last)
            std::memcpy(to.values.get() + offset_at(to.offsets, row), from.values.get() + first, last - first);
    }
}

Values BatchMaker::gathered(std::size_t column, const Values& from, const std::vector<std::int32_t>& entries)
{
    const auto& data = store_.column(column);
    Values to{entries.size(), nullptr, nullptr, nullptr};
    const auto unset = [&](std::int32_t entry) {
        return entry < 0 || !bit_at(from.validity, static_cast<std::size_t>(entry));
    };
    if (from.validity != nullptr || std::ranges::any_of(entries, [](std::int32_t entry) { return entry < 0; })) {
        to.validity = all_set();
        for (std::size_t row = 0; row != entries.size(); ++row)
            if (unset(entries[row])) to.validity.get()[row / 8] &= ~static_cast<std::byte>(1u << row % 8);
    }
    if (data.is_text()) {
        gather_texts(from, entries, to);
        return to;
    }
    const auto width = data.value_bytes();
    auto missing = data.default_bits;
    if (dictionaries_[column])
        missing = static_cast<std::uint32_t>(dictionaries_[column]->index_of(0, static_cast<std::int32_t>(missing)));
    to.values = store_.budget().allocate(width * entries.size());
    auto* out = to.values.get();
    for (const auto entry : entries) {
        const auto* const value = entry < 0 ? reinterpret_cast<const std::byte*>(&missing)
                                            : from.values.get() + width * static_cast<std::size_t>(entry);
        if (width == 8)
            store_le64(out, load_le64(value));
        else if (width == 4)
            store_le32(out, load_le32(value));
        else
            *out = *value;
        out += width;
    }
    return to;
}

Values BatchMaker::in_rows(std::size_t column)
{
    const auto from = stored(column);
    const auto* const entries = entries_of(plan_.column_rows[column].level);
    return entries == nullptr || *entries == nullptr ? from : gathered(column, from, **entries);
}

Values BatchMaker::first_set(std::span<const std::size_t> columns)
{
    auto best = in_rows(columns.front());
    for (std::size_t i = 1; i != columns.size() && best.validity != nullptr; ++i) {
        const auto other = in_rows(columns[i]);
        const auto width = store_.column(columns[i]).value_bytes();
        for (std::size_t row = 0; row != best.count; ++row) {
            if (bit_at(best.validity, row) || !bit_at(other.validity, row)) continue;
            std::memcpy(best.values.get() + width * row, other.values.get() + width * row, width);
            best.validity.get()[row / 8] |= static_cast<std::byte>(1u << row % 8);
        }
    }
    return best;
}

/// Null where no component is set; one that is not set counts as 0.
Values BatchMaker::length(const Output& output)
{
    std::vector<Values> parts;
    for (const auto column : output.columns) parts.push_back(in_rows(column));
    Values to{rows_, store_.budget().allocate(8 * rows_), nullptr, nullptr};
    const auto part = [](const Values& from, std::size_t row) {
        return std::bit_cast<double>(load_le64(from.values.get() + 8 * row));
    };
    for (std::size_t row = 0; row != rows_; ++row) {
        double sum = 0;
        for (const auto& from : parts) sum += part(from, row) * part(from, row);
        store_le64(to.values.get() + 8 * row, std::bit_cast<std::uint64_t>(std::sqrt(sum)));
    }
    if (std::ranges::any_of(parts, [](const Values& from) { return from.validity == nullptr; })) return to;
    to.validity = store_.budget().allocate((rows_ + 7) / 8);
    for (std::size_t byte = 0; byte != (rows_ + 7) / 8; ++byte) {
        to.validity.get()[byte] = std::byte{0};
        for (const auto& from : parts) to.validity.get()[byte] |= from.validity.get()[byte];
    }
    return to;
}

Values BatchMaker::host_ids(const Output& output, std::span<const std::size_t> columns)
{
    if (!output.host) return first_set(columns);
    Values to{rows_, store_.budget().allocate(8 * rows_), nullptr, nullptr};
    for (std::size_t row = 0; row != rows_; ++row) store_le64(to.values.get() + 8 * row, *output.host);
    return to;
}

Values BatchMaker::equal(const Output& output)
{
    const auto left = in_rows(output.columns[0]);
    const auto right = host_ids(output, std::span(output.columns).subspan(1));
    Values to{rows_, store_.budget().allocate(rows_), nullptr, right.validity};
    for (std::size_t row = 0; row != rows_; ++row) {
        const bool same = load_le64(left.values.get() + 8 * row) == load_le64(right.values.get() + 8 * row);
        // Where null is filled, nothing is equal to what is not there.
        to.values.get()[row] = same && bit_at(right.validity, row) ? std::byte{1} : std::byte{0};
    }
    return to;
}

/// For each row the row of the host vehicle in the same frame; -1: there is none.
std::vector<std::int32_t> BatchMaker::host_rows(const Output& output)
{
    const auto id = in_rows(output.columns[6]);
    const auto host = host_ids(output, std::span(output.columns).subspan(7));
    const auto& frames = *entries_of(0);
    const auto frame_of = [&](std::size_t row) {
        return frames == nullptr ? static_cast<std::int32_t>(row) : (*frames)[row];
    };
    const auto is_host = [&](std::size_t row) {
        return bit_at(host.validity, row) &&
               load_le64(id.values.get() + 8 * row) == load_le64(host.values.get() + 8 * row);
    };
    std::vector<std::int32_t> found(rows_, -1);
    for (std::size_t first = 0; first != rows_;) {
        auto end = first;
        std::int32_t row_of_host = -1;
        for (; end != rows_ && frame_of(end) == frame_of(first); ++end)
            if (row_of_host < 0 && is_host(end)) row_of_host = static_cast<std::int32_t>(end);
        misses_host_ = misses_host_ || row_of_host < 0;
        std::fill(found.begin() + static_cast<std::ptrdiff_t>(first), found.begin() + static_cast<std::ptrdiff_t>(end),
                  row_of_host);
        first = end;
    }
    return found;
}

/// Null where the row or the host has none of the components; one that is not set counts as 0.
Values BatchMaker::relative(const Output& output)
{
    const std::span columns(output.columns);
    const auto hosts = host_rows(output);
    std::vector<Values> parts;
    for (const auto column : columns.first(6)) parts.push_back(in_rows(column));
    const auto part = [&](std::size_t which, std::size_t row) {
        return std::bit_cast<double>(load_le64(parts[which].values.get() + 8 * row));
    };
    const auto is_set = [&](std::size_t row) {
        return bit_at(parts[0].validity, row) || bit_at(parts[1].validity, row) || bit_at(parts[2].validity, row);
    };
    const auto vector_of = [&](std::size_t row) { return scene::Vector{part(0, row), part(1, row), part(2, row)}; };
    const auto rotation_of = [&](std::size_t row) {
        const auto turn = [&](std::size_t which) {
            return scene::SineCosine{std::sin(part(which, row)), std::cos(part(which, row))};
        };
        return scene::Rotation(turn(3), turn(4), turn(5));
    };
    const bool is_orientation = columns[0] == columns[3];
    Values to{rows_, store_.budget().allocate(8 * rows_), nullptr, all_set()};
    for (std::size_t row = 0; row != rows_; ++row) {
        double value = 0;
        if (const auto host = static_cast<std::size_t>(hosts[row]); hosts[row] >= 0 && is_set(row) && is_set(host)) {
            const auto from_host = rotation_of(host).inverse();
            if (is_orientation) {
                const auto [roll, pitch, yaw] = orientation_of(from_host.after(rotation_of(row)));
                value = std::array{roll, pitch, yaw}[output.axis];
            } else {
                const auto [x, y, z] = from_host.to_parent(vector_of(row) - vector_of(host));
                value = std::array{x, y, z}[output.axis];
            }
        } else {
            to.validity.get()[row / 8] &= ~static_cast<std::byte>(1u << row % 8);
        }
        store_le64(to.values.get() + 8 * row, std::bit_cast<std::uint64_t>(value));
    }
    return to;
}

Values BatchMaker::computed(const std::function<std::optional<std::uint64_t>(std::size_t)>& bits_of)
{
    Values to{rows_, store_.budget().allocate(8 * rows_), nullptr, all_set()};
    for (std::size_t row = 0; row != rows_; ++row) {
        const auto bits = bits_of(row);
        if (!bits) to.validity.get()[row / 8] &= ~static_cast<std::byte>(1u << row % 8);
        store_le64(to.values.get() + 8 * row, bits.value_or(0));
    }
    return to;
}

Values BatchMaker::lane(const Output& output)
{
    const auto bits_of = [&](const LanePlace& place) -> std::optional<std::uint64_t> {
        switch (static_cast<LaneValue>(output.axis)) {
        case LaneValue::s: return std::bit_cast<std::uint64_t>(place.s);
        case LaneValue::t: return std::bit_cast<std::uint64_t>(place.t);
        case LaneValue::logical_lane: return place.logical_lane;
        case LaneValue::physical_lane: return place.physical_lane;
        case LaneValue::reference_line: return place.reference_line;
        }
        return std::nullopt;
    };
    return computed([&](std::size_t row) { return places_[row] ? bits_of(*places_[row]) : std::nullopt; });
}

Values BatchMaker::none_set(const Output& output)
{
    const auto bytes = 8 * (rows_ + 1);
    Values to{rows_, store_.budget().allocate(bytes), nullptr, nullptr};
    std::fill_n(to.values.get(), bytes, std::byte{0});
    if (output.kind == FieldKind::string || output.kind == FieldKind::bytes) to.offsets = to.values;
    to.validity = store_.budget().allocate((rows_ + 7) / 8);
    std::fill_n(to.validity.get(), (rows_ + 7) / 8, std::byte{0});
    return to;
}

Memory BatchMaker::packed_bits(const Values& values)
{
    auto bits = store_.budget().allocate((values.count + 7) / 8);
    for (std::size_t byte = 0; byte != (values.count + 7) / 8; ++byte) {
        unsigned packed = 0;
        const auto end = std::min(values.count - 8 * byte, std::size_t{8});
        for (std::size_t bit = 0; bit != end; ++bit)
            packed |= std::to_integer<unsigned>(values.values.get()[8 * byte + bit]) << bit;
        bits.get()[byte] = static_cast<std::byte>(packed);
    }
    return bits;
}

Array BatchMaker::leaf(const Output& output, std::size_t dictionary, Values&& values)
{
    Array array{.length = values.count};
    if (!output.filled) {
        array.nulls = zeros(values.validity, values.count);
        if (array.nulls != 0) array.buffers = {std::move(values.validity)};
    }
    array.buffers.resize(1);
    if (values.offsets != nullptr) {
        array.buffers.push_back(std::move(values.offsets));
        // A column without a single text has no memory for texts yet.
        array.buffers.push_back(values.values != nullptr ? std::move(values.values) : store_.budget().allocate(0));
    } else if (output.kind == FieldKind::bool_) {
        array.buffers.push_back(packed_bits(values));
    } else {
        array.buffers.push_back(values.values != nullptr ? std::move(values.values) : store_.budget().allocate(0));
    }
    if (output.kind != FieldKind::enumeration) return array;
    if (dictionary != none && dictionaries_[dictionary])
        array.dictionary.push_back(dictionaries_[dictionary]->names(store_.budget()));
    else
        array.dictionary.push_back(Dictionary({}, {}).names(store_.budget()));
    return array;
}

Array BatchMaker::array_of(const Output& output)
{
    if (output.columns.empty()) return leaf(output, none, none_set(output));
    const auto column = output.columns.front();
    switch (output.make) {
    case Output::Make::first_set: return leaf(output, column, first_set(output.columns));
    case Output::Make::length: return leaf(output, none, length(output));
    case Output::Make::equal: return leaf(output, none, equal(output));
    case Output::Make::relative: return leaf(output, none, relative(output));
    case Output::Make::lane: return leaf(output, none, lane(output));
    case Output::Make::point:
        return leaf(output, none, computed([&](std::size_t row) {
                        return points_[row] ? std::optional(std::bit_cast<std::uint64_t>((*points_[row])[output.axis]))
                                            : std::nullopt;
                    }));
    case Output::Make::column: break;
    }
    const auto level = plan_.column_rows[column].level;
    if (entries_of(level) != nullptr) return leaf(output, column, in_rows(column));
    auto array = leaf(output, column, stored(column));
    for (auto inner = level; inner != plan_.row_level; inner = plan_.levels[inner].parent) {
        const auto outer = plan_.levels[inner].parent;
        Array list{.length = store_.level(outer).count, .buffers = {nullptr, store_.level(inner).offsets}};
        list.children.push_back(std::move(array));
        array = std::move(list);
    }
    return array;
}

}  // namespace

Array batch_of(const TablePlan::Implementation& plan, Store& store, Dictionaries& dictionaries,
               std::span<const std::size_t> null_frames, std::span<const std::optional<LanePlace>> places,
               std::span<const std::optional<MeasuredPoint>> points, bool& misses_host)
{
    return BatchMaker(plan, store, dictionaries, places, points, misses_host).make(null_frames);
}

}  // namespace ositrace::table
