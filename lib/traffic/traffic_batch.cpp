// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_batch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include <ositrace/arrow_data.hpp>
#include <ositrace/error.hpp>

namespace ositrace {

namespace traffic {

/// The values of a column since the last batch.
struct ColumnValues {
    TrafficColumn column;
    std::size_t place = 0;            ///< in a row of the table
    std::vector<std::uint64_t> bits;  ///< of numbers; of a word its place in `words`
    std::vector<bool> valid;
    std::size_t nulls = 0;
    std::vector<std::int32_t> ends;  ///< of texts
    std::string texts;
    std::map<std::string, std::int32_t, std::less<>> places;  ///< of words: they outlive the batches
    std::vector<std::string> words;

    void add(const TrafficCell& cell);
    void add_text(std::string_view text);
    void clear();
};

}  // namespace traffic

namespace {

using traffic::ColumnValues;
constexpr std::size_t most_text_bytes = std::numeric_limits<std::int32_t>::max();

bool has_texts(const TrafficColumn& column) noexcept { return column.kind == TrafficColumnKind::text; }

bool is_null(const TrafficCell& cell) noexcept
{
    const auto* const real = std::get_if<double>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (real != nullptr && !std::isfinite(*real));
}

struct BitsOfCell {
    std::uint64_t operator()(std::monostate) const noexcept { return 0; }
    std::uint64_t operator()(bool flag) const noexcept { return flag ? 1 : 0; }
    std::uint64_t operator()(std::int64_t number) const noexcept { return static_cast<std::uint64_t>(number); }
    std::uint64_t operator()(std::uint64_t number) const noexcept { return number; }
    std::uint64_t operator()(double number) const noexcept { return std::bit_cast<std::uint64_t>(number); }
    std::uint64_t operator()(std::string_view) const noexcept { return 0; }
};

table::Memory memory_of(const void* data, std::size_t bytes, table::Budget& budget)
{
    auto memory = budget.allocate(bytes);
    if (bytes != 0) std::memcpy(memory.get(), data, bytes);
    return memory;
}

table::Memory bitmap_of(const std::vector<bool>& bits, table::Budget& budget)
{
    std::vector<std::uint8_t> bytes((bits.size() + 7) / 8);
    for (std::size_t i = 0; i != bits.size(); ++i)
        if (bits[i]) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1U << i % 8);
    return memory_of(bytes.data(), bytes.size(), budget);
}

table::Array texts_array(std::span<const std::int32_t> ends, std::string_view texts, table::Budget& budget)
{
    std::vector<std::int32_t> offsets{0};
    offsets.insert(offsets.end(), ends.begin(), ends.end());
    table::Array array{.length = ends.size(), .buffers = {nullptr}};
    array.buffers.push_back(memory_of(offsets.data(), offsets.size() * sizeof(std::int32_t), budget));
    array.buffers.push_back(memory_of(texts.data(), texts.size(), budget));
    return array;
}

table::Array words_array(const std::vector<std::string>& words, table::Budget& budget)
{
    std::string texts;
    std::vector<std::int32_t> ends;
    for (const auto& word : words) {
        texts += word;
        ends.push_back(static_cast<std::int32_t>(texts.size()));
    }
    return texts_array(ends, texts, budget);
}

table::Array array_of(const ColumnValues& values, table::Budget& budget)
{
    const auto rows = values.valid.size();
    table::Array array{.length = rows};
    if (has_texts(values.column)) {
        array = texts_array(values.ends, values.texts, budget);
    } else if (values.column.kind == TrafficColumnKind::word) {
        std::vector<std::int32_t> indices(values.bits.begin(), values.bits.end());
        array.buffers = {nullptr, memory_of(indices.data(), indices.size() * sizeof(std::int32_t), budget)};
        array.dictionary.push_back(words_array(values.words, budget));
    } else if (values.column.kind == TrafficColumnKind::flag) {
        std::vector<bool> flags(values.bits.begin(), values.bits.end());
        array.buffers = {nullptr, bitmap_of(flags, budget)};
    } else {
        array.buffers = {nullptr, memory_of(values.bits.data(), rows * sizeof(std::uint64_t), budget)};
    }
    array.nulls = values.nulls;
    if (values.nulls != 0) array.buffers.front() = bitmap_of(values.valid, budget);
    return array;
}

std::string_view arrow_format(TrafficColumnKind kind) noexcept
{
    switch (kind) {
    case TrafficColumnKind::integer: return "l";
    case TrafficColumnKind::id: return "L";
    case TrafficColumnKind::real: return "g";
    case TrafficColumnKind::flag: return "b";
    case TrafficColumnKind::word: return "i";
    case TrafficColumnKind::text: break;
    }
    return "u";
}

table::Type type_of_column(const TrafficColumn& column)
{
    table::Type type{.format = std::string(arrow_format(column.kind)), .name = std::string(column.name)};
    if (column.kind == TrafficColumnKind::word) type.dictionary.push_back({.format = "u", .name = {}});
    if (!column.unit.empty()) type.metadata.emplace_back("unit", column.unit);
    return type;
}

}  // namespace

void traffic::ColumnValues::add_text(std::string_view text)
{
    if (text.size() > most_text_bytes - texts.size())
        throw Error(Cause::limit, "the texts of column '" + std::string(column.name) + "' exceed 2 GiB in a batch");
    texts += text;
}

void traffic::ColumnValues::add(const TrafficCell& cell)
{
    const bool null = is_null(cell);
    valid.push_back(!null);
    nulls += null ? 1 : 0;
    const auto* const text = std::get_if<std::string_view>(&cell);
    if (has_texts(column)) {
        if (text != nullptr) add_text(*text);
        ends.push_back(static_cast<std::int32_t>(texts.size()));
    } else if (text != nullptr) {
        auto found = places.find(*text);
        if (found == places.end()) {
            found = places.emplace(*text, static_cast<std::int32_t>(words.size())).first;
            words.emplace_back(*text);
        }
        bits.push_back(static_cast<std::uint64_t>(found->second));
    } else {
        bits.push_back(null ? 0 : std::visit(BitsOfCell{}, cell));
    }
}

void traffic::ColumnValues::clear()
{
    bits.clear();
    valid.clear();
    nulls = 0;
    ends.clear();
    texts.clear();
}

struct TrafficBatchBuilder::Implementation {
    std::vector<ColumnValues> columns;
    std::size_t rows = 0;
};

TrafficBatchBuilder::TrafficBatchBuilder(const TrafficTableRow& table, std::span<const std::string> wanted)
    : implementation_(std::make_unique<Implementation>())
{
    auto& columns = implementation_->columns;
    const auto add_column = [&](std::size_t place) {
        auto& values = columns.emplace_back();
        values.column = table.columns[place];
        values.place = place;
    };
    if (wanted.empty())
        for (std::size_t i = 0; i != table.columns.size(); ++i) add_column(i);
    for (const auto& name : wanted) {
        const auto found = std::ranges::find(table.columns, name, &TrafficColumn::name);
        if (found == table.columns.end()) {
            std::string known;
            for (const auto& each : table.columns) known.append(known.empty() ? "" : ", ").append(each.name);
            std::string text("the table ");
            text.append(table.name).append(" has no column '").append(name).append("' (known: ").append(known) += ")";
            throw Error(Cause::usage, text);
        }
        add_column(static_cast<std::size_t>(found - table.columns.begin()));
    }
}
TrafficBatchBuilder::TrafficBatchBuilder(TrafficBatchBuilder&&) noexcept = default;
TrafficBatchBuilder& TrafficBatchBuilder::operator=(TrafficBatchBuilder&&) noexcept = default;
TrafficBatchBuilder::~TrafficBatchBuilder() = default;

void TrafficBatchBuilder::add(std::span<const TrafficCell> row)
{
    for (auto& values : implementation_->columns) values.add(row[values.place]);
    ++implementation_->rows;
}

std::size_t TrafficBatchBuilder::rows() const noexcept { return implementation_->rows; }

std::size_t TrafficBatchBuilder::bytes() const noexcept
{
    std::size_t bytes = implementation_->rows * implementation_->columns.size() * sizeof(std::uint64_t);
    for (const auto& values : implementation_->columns) bytes += values.texts.size();
    return bytes;
}

void TrafficBatchBuilder::finish(ArrowArray* out)
{
    constexpr auto most_bytes = std::size_t{4} << 30;
    table::Budget budget(most_bytes);
    table::Array batch{.length = implementation_->rows, .buffers = {nullptr}};
    for (auto& values : implementation_->columns) {
        batch.children.push_back(array_of(values, budget));
        values.clear();
    }
    implementation_->rows = 0;
    table::export_array(std::move(batch), out);
}

void TrafficBatchBuilder::export_schema(ArrowSchema* out) const
{
    table::Type type{.format = "+s", .name = {}, .nullable = false};
    for (const auto& values : implementation_->columns) type.children.push_back(type_of_column(values.column));
    table::export_type(std::move(type), out);
}

std::vector<TrafficColumn> TrafficBatchBuilder::columns() const
{
    std::vector<TrafficColumn> columns;
    for (const auto& values : implementation_->columns) columns.push_back(values.column);
    return columns;
}

}  // namespace ositrace
