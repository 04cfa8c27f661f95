// SPDX-License-Identifier: MPL-2.0
// Batches of several files as batches of one table, and of payloads that come from elsewhere.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ositrace/arrow_data.hpp>
#include <ositrace/error.hpp>

#include "python/src/arguments.hpp"
#include "python/src/arrow_structs.hpp"
#include "python/src/convert.hpp"
#include "python/src/parts.hpp"
#include "python/src/table.hpp"

namespace ositrace::python {

namespace {

// Columns that a table of several files has besides its own.
constexpr std::string_view file_column = "file";
constexpr std::string_view channel_column = "channel";
constexpr std::string_view error_column = "_error";

/// Values that are all zero.
class Zeros {
public:
    table::Memory operator()(std::size_t bytes)
    {
        auto memory = budget_.allocate(bytes);
        std::memset(memory.get(), 0, bytes);
        return memory;
    }

private:
    table::Budget budget_{std::size_t{4} << 30};
};

table::Memory text_memory(Zeros& zeros, std::string_view text)
{
    auto memory = zeros(text.size());
    std::memcpy(memory.get(), text.data(), text.size());
    return memory;
}

/// Rows that are all null.
table::Array nulls_of(const ArrowSchema& type, std::size_t rows, Zeros& zeros)
{
    table::Array array{.length = rows, .nulls = rows, .buffers = {zeros((rows + 7) / 8)}};
    switch (const std::string_view format = type.format; format.front()) {
    case 'u':
    case 'z': array.buffers.insert(array.buffers.end(), {zeros(4 * (rows + 1)), zeros(0)}); break;
    case '+':
        array.buffers.push_back(zeros(4 * (rows + 1)));
        array.children.push_back(nulls_of(*type.children[0], 0, zeros));
        break;
    default: array.buffers.push_back(zeros(8 * rows));
    }
    if (type.dictionary != nullptr) array.dictionary.push_back(nulls_of(*type.dictionary, 0, zeros));
    return array;
}

table::Array text_once(std::string_view text, Zeros& zeros)
{
    table::Array array{.length = 1, .buffers = {nullptr, zeros(8), text_memory(zeros, text)}};
    const auto end = static_cast<std::int32_t>(text.size());
    std::memcpy(array.buffers[1].get() + sizeof end, &end, sizeof end);
    return array;
}

/// One text in all rows.
table::Array repeated_text(std::string_view text, std::size_t rows, Zeros& zeros)
{
    table::Array array{.length = rows, .buffers = {nullptr, zeros(4 * rows)}};
    array.dictionary.push_back(text_once(text, zeros));
    return array;
}

table::Type text_type(std::string_view name, bool has_dictionary)
{
    table::Type type{.format = has_dictionary ? "i" : "u", .name = std::string(name)};
    if (has_dictionary) type.dictionary.push_back({.format = "u", .name = {}});
    return type;
}

/// The columns of a table, with those that tell where a row is from; all may be null.
TableSchema scan_schema(const TableSchema& table, bool with_errors)
{
    const auto& own = *table.schema;
    std::vector<ArrowSchema> columns(2 + static_cast<std::size_t>(own.n_children) + (with_errors ? 1 : 0));
    table::export_type(text_type(file_column, true), &columns[0]);
    table::export_type(text_type(channel_column, true), &columns[1]);
    for (std::int64_t i = 0; i != own.n_children; ++i) {
        auto& column = columns[2 + static_cast<std::size_t>(i)];
        share(table.schema, *own.children[i], &column);
        column.flags |= ARROW_FLAG_NULLABLE;
    }
    if (with_errors) table::export_type(text_type(error_column, false), &columns.back());
    const auto schema = released_struct<ArrowSchema>();
    schema->format = "+s";
    schema->name = "";
    adopt(std::move(columns), schema.get());
    return {schema};
}

/// Some of the columns, in this order.
TableSchema chosen_schema(const TableSchema& table, const std::vector<std::string>& names)
{
    const auto& own = *table.schema;
    std::vector<ArrowSchema> columns(names.size());
    for (std::size_t i = 0; i != names.size(); ++i) {
        std::int64_t place = 0;
        while (place != own.n_children && names[i] != own.children[place]->name) ++place;
        if (place == own.n_children) throw nb::key_error(names[i].c_str());
        share(table.schema, *own.children[place], &columns[i]);
    }
    const auto schema = released_struct<ArrowSchema>();
    schema->format = "+s";
    schema->name = "";
    adopt(std::move(columns), schema.get());
    return {schema};
}

bool is_same_type(const ArrowSchema& one, const ArrowSchema& other)
{
    if (std::string_view(one.format) != other.format || one.n_children != other.n_children) return false;
    for (std::int64_t i = 0; i != one.n_children; ++i)
        if (!is_same_type(*one.children[i], *other.children[i])) return false;
    return (one.dictionary == nullptr) == (other.dictionary == nullptr);
}

/// Shares the column of this name; false: there is none.
bool share_column(const Batch& batch, const ArrowSchema& column, ArrowArray* out)
{
    const auto& types = *batch.schema;
    for (std::int64_t i = 0; i != types.n_children; ++i) {
        if (std::string_view(types.children[i]->name) != column.name) continue;
        if (!is_same_type(*types.children[i], column))
            throw Error(Cause::mismatch, "column '" + std::string(column.name) +
                                             "' has another type here: Arrow format '" + types.children[i]->format +
                                             "', expected '" + column.format + "'");
        share(batch.array, *batch.array->children[i], out);
        return true;
    }
    return false;
}

Batch batch_of(const TableSchema& schema, std::vector<ArrowArray>&& columns, std::size_t rows)
{
    static const void* const all_valid[1] = {nullptr};
    const auto array = released_struct<ArrowArray>();
    array->length = static_cast<std::int64_t>(rows);
    array->n_buffers = 1;
    array->buffers = const_cast<const void**>(all_valid);
    adopt(std::move(columns), array.get());
    return {schema.schema, array};
}

/// Rows of a file: those of a batch, or one that says what is wrong with the file.
Batch scan_batch(const TableSchema& schema, const Batch* batch, const std::string& file,
                 const std::optional<std::string>& channel, const std::optional<std::string>& error)
{
    const auto rows = batch == nullptr ? std::size_t{1} : static_cast<std::size_t>(batch->array->length);
    Zeros zeros;
    const auto made = [&](const ArrowSchema& type) {
        const std::string_view name = type.name;
        if (name == file_column) return repeated_text(file, rows, zeros);
        if (name == channel_column && channel) return repeated_text(*channel, rows, zeros);
        if (name == error_column && error) return text_once(*error, zeros);
        return nulls_of(type, rows, zeros);
    };
    std::vector<ArrowArray> columns(static_cast<std::size_t>(schema.schema->n_children));
    for (std::size_t i = 0; i != columns.size(); ++i) {
        const auto& type = *schema.schema->children[i];
        if (batch == nullptr || !share_column(*batch, type, &columns[i])) table::export_array(made(type), &columns[i]);
    }
    return batch_of(schema, std::move(columns), rows);
}

Batch empty_batch(const TableSchema& schema)
{
    std::vector<ArrowArray> columns(static_cast<std::size_t>(schema.schema->n_children));
    Zeros zeros;
    for (std::size_t i = 0; i != columns.size(); ++i)
        table::export_array(nulls_of(*schema.schema->children[i], 0, zeros), &columns[i]);
    return batch_of(schema, std::move(columns), 0);
}

/// A channel that is in no file.
std::shared_ptr<const ChannelOfTrace> channel_of_type(const std::string& type, const std::string& encoding,
                                                      nb::handle schema)
{
    Channel channel;
    channel.schema = schema_of(schema);
    if (!channel.schema) channel.schema = Schema::built_in();
    channel.root = channel.schema->find(type);
    if (channel.root == nullptr) {
        channel.type = type_named(type);
        channel.root = &channel.schema->root(*channel.type);
    }
    channel.type = message_type_by_full_name(channel.root->full_name);
    channel.type_name = channel.root->full_name;
    if (encoding == "flatbuffers") channel.format = {Encoding::flatbuffers};
    return std::make_shared<const ChannelOfTrace>(std::move(channel), std::filesystem::path());
}

template <class Struct>
Struct& capsule_contents(nb::handle capsule, const char* name)
{
    auto* const contents = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (contents == nullptr) throw nb::python_error();
    return *contents;
}

/// A row per payload of an Arrow array of bytes.
Batch decoded(const ChannelTable& table, const TableSchema& schema, const ArrowSchema& type, const ArrowArray& payloads)
{
    const nb::gil_scoped_release no_gil;
    const auto array = released_struct<ArrowArray>();
    decode_payloads(table.plan, table.channel->channel.format, type, payloads, array.get());
    return {schema.schema, array};
}

Batch decode_array(const ChannelTable& table, const nb::tuple& capsules)
{
    return decoded(table, schema_of(table.plan), capsule_contents<ArrowSchema>(capsules[0], "arrow_schema"),
                   capsule_contents<ArrowArray>(capsules[1], "arrow_array"));
}

/// Of the chunks of an Arrow stream.
std::vector<Batch> decode_stream(const ChannelTable& table, nb::handle capsule)
{
    auto& stream = capsule_contents<ArrowArrayStream>(capsule, "arrow_array_stream");
    const auto check = [&](int failed) {
        if (failed == 0) return;
        const auto* const text = stream.get_last_error(&stream);
        throw Error(Cause::io, text == nullptr ? "the Arrow stream of payloads failed" : text);
    };
    const auto schema = schema_of(table.plan);
    const auto type = released_struct<ArrowSchema>();
    check(stream.get_schema(&stream, type.get()));
    std::vector<Batch> batches;
    while (true) {
        const auto payloads = released_struct<ArrowArray>();
        check(stream.get_next(&stream, payloads.get()));
        if (payloads->release == nullptr) return batches;
        batches.push_back(decoded(table, schema, *type, *payloads));
    }
}

std::vector<std::string> known_types()
{
    std::vector<std::string> names;
    for (const auto& row : message_types()) names.emplace_back(row.full_name);
    return names;
}

}  // namespace

void register_scans(nb::module_& module)
{
    module.def("known_types", &known_types);
    module.def("channel_of_type", &channel_of_type, nb::arg("type"), nb::arg("encoding"), nb::arg("schema").none());
    module.def("empty_batch", &empty_batch, nb::arg("schema"));
    module.def("decode_array", &decode_array, nb::arg("table"), nb::arg("capsules"));
    module.def("decode_stream", &decode_stream, nb::arg("table"), nb::arg("capsule"));
    module.def("chosen_schema", &chosen_schema, nb::arg("table"), nb::arg("names"));
    module.def("scan_schema", &scan_schema, nb::arg("table"), nb::arg("with_errors"));
    module.def("scan_batch", &scan_batch, nb::arg("schema"), nb::arg("batch").none(), nb::arg("file"),
               nb::arg("channel").none(), nb::arg("error").none());
}

}  // namespace ositrace::python
