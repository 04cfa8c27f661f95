// SPDX-License-Identifier: MPL-2.0
#include <ositrace/columns.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/columns/column_plan.hpp"
#include "formats/columns/flat_columns.hpp"
#include "formats/columns/wire_columns.hpp"
#include "formats/core/message_limit.hpp"
#include "formats/view/flat_access.hpp"
#include "formats/view/protobuf_access.hpp"

namespace ositrace {

namespace {

ColumnPlan plan_of(const FieldRow& elements, std::span<const std::string_view> leaves,
                   std::vector<const FieldRow*>& rows)
{
    if (!elements.repeated || elements.child == nullptr)
        throw Error(Cause::usage, Location{.field = std::string(elements.name)},
                    "no repeated message, and only those have columns");
    if (leaves.size() > ColumnReader::max_leaves)
        throw Error(Cause::usage, "the number of columns (" + std::to_string(leaves.size()) + ')' +
                                      exceeds(ColumnReader::max_leaves));
    ColumnPlan plan(*elements.child);
    for (const auto leaf : leaves) {
        const auto column = static_cast<std::uint8_t>(rows.size());
        rows.push_back(&plan.add(leaf, column));
    }
    return plan;
}

}  // namespace

struct ColumnReader::Implementation {
    const FieldRow& elements;
    std::vector<const FieldRow*> leaves;
    ColumnPlan plan;
    ColumnStore store;
    WireColumns wire;
    FlatColumns flat;

    std::optional<MessageView> parent;
    RowPlaces places;          ///< Protobuf: of the value of each row
    std::uint32_t vector = 0;  ///< FlatBuffers: of the first offset
    std::size_t every = 1;
    std::size_t count = 0;

    Implementation(const FieldRow& field, std::span<const std::string_view> paths)
        : elements(field), plan(plan_of(field, paths, leaves)), store(leaves.size()), wire(field, plan), flat(plan)
    {
    }

    void clear() noexcept
    {
        store.clear();
        places.clear();
        count = 0;
    }
    void read_wire()
    {
        try {
            count = wire.read(*parent->wire_bytes(), every, store, places);
        } catch (const BrokenWire& broken) {
            clear();
            fail(broken);
        }
    }
    /// Looks again, with the reader that knows how to say where.
    [[noreturn]] void fail(const BrokenWire& broken) const;
    void check(std::size_t leaf, bool real) const;
};

ColumnReader::ColumnReader(const FieldRow& elements, std::span<const std::string_view> leaves)
    : implementation_(std::make_unique<Implementation>(elements, leaves))
{
}
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader& ColumnReader::operator=(ColumnReader&&) noexcept = default;
ColumnReader::~ColumnReader() = default;

void ColumnReader::Implementation::fail(const BrokenWire& broken) const
{
    if (broken.table == nullptr) ProtobufAccess::fail_at(*parent, broken.start);
    auto message = *parent;
    message.table_ = broken.table;
    message.bytes_ = {broken.start, broken.end};
    message.position_ += static_cast<std::uint32_t>(broken.start - parent->bytes_.data());
    message.merged_ = nullptr;
    try {
        ProtobufAccess::fail_at(message, broken.start);
    } catch (const Error& error) {
        throw error.within({.field = std::string(elements.name)});
    }
}

void ColumnReader::read(const MessageView& message, std::size_t every)
{
    auto& state = *implementation_;
    state.clear();
    message.check_field(state.elements, true);
    state.parent = message;
    state.every = every == 0 ? 1 : every;
    if (message.is_protobuf()) return state.read_wire();
    try {
        const auto elements = FlatAccess::elements_of(message, state.elements);
        state.vector = elements.first;
        state.flat.read(flat::Buffer(message.bytes_), message.format_.layout, elements, state.every, state.store);
        state.count = elements.count;
    } catch (const Error& error) {
        const auto row = state.store.rows();
        state.clear();
        throw error.within({.field = std::string(state.elements.name) + '[' + std::to_string(row * state.every) + ']'});
    }
}

void ColumnReader::clear() noexcept { implementation_->clear(); }

void ColumnReader::reserve(std::size_t rows)
{
    clear();
    implementation_->store.reserve(rows);
}

std::size_t ColumnReader::rows() const noexcept { return implementation_->store.rows(); }
std::size_t ColumnReader::elements() const noexcept { return implementation_->count; }

void ColumnReader::Implementation::check(std::size_t leaf, bool real) const
{
    if (leaf >= leaves.size())
        throw Error(Cause::usage, "column " + std::to_string(leaf) + " of " + std::to_string(leaves.size()));
    if (is_real(leaves[leaf]->kind) != real)
        throw Error(Cause::usage, Location{.field = std::string(leaves[leaf]->name)},
                    real ? "no column of real numbers" : "no column of integers");
}

std::span<const double> ColumnReader::reals(std::size_t leaf) const
{
    implementation_->check(leaf, true);
    return implementation_->store.reals(leaf);
}

std::span<const std::uint64_t> ColumnReader::integers(std::size_t leaf) const
{
    implementation_->check(leaf, false);
    return implementation_->store.integers(leaf);
}

bool ColumnReader::has(std::size_t leaf, std::size_t row) const noexcept
{
    return implementation_->store.has(leaf, row);
}
std::span<const std::uint32_t> ColumnReader::presence() const noexcept { return implementation_->store.presence(); }

MessageView ColumnReader::element(std::size_t row) const
{
    const auto& state = *implementation_;
    if (row >= rows()) throw Error(Cause::usage, "row " + std::to_string(row) + " of " + std::to_string(rows()));
    const auto& parent = *state.parent;
    if (parent.is_protobuf())
        return std::get<MessageView>(
            ProtobufAccess::value_at(parent, state.elements, parent.bytes_.data() + state.places.of(row)));
    const auto place = state.vector + static_cast<std::uint32_t>(4 * row * state.every);
    return std::get<MessageView>(FlatAccess::target_of(parent, state.elements, place));
}

}  // namespace ositrace
