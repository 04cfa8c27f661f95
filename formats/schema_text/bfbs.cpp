// SPDX-License-Identifier: MPL-2.0
// The binary form of a FlatBuffers schema. Source: reflection.fbs of FlatBuffers 2.0.8; the slots below are its ids.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/schema_text.hpp>

#include "formats/flatbuffers/flat_output.hpp"
#include "formats/schema_text/comments.hpp"
#include "formats/schema_text/flat_schema.hpp"

namespace ositrace {

namespace {

/// One FlatBuffers table with a vtable of its own, for code that writes few of them: add the fields, write(), then the
/// children, and let the references point to them. (Messages go a faster way, see TableLayout.)
class FlatTableDraft {
public:
    /// `bytes`: 1, 2, 4 or 8.
    void scalar(std::uint16_t slot, std::uint64_t value, std::uint8_t bytes)
    {
        fields_.push_back({slot, bytes, value, 0});
    }
    void reference(std::uint16_t slot) { scalar(slot, 0, 4); }

    /// Appends vtable and table; returns the table's position.
    std::uint32_t write(FlatOutput& out);
    /// After write(): lets a reference point to what follows it.
    void point(FlatOutput& out, std::uint16_t slot, std::uint32_t target) const;

private:
    struct Field {
        std::uint16_t slot;
        std::uint8_t bytes;
        std::uint64_t value;
        std::uint32_t place;
    };
    std::vector<Field> fields_;
};

struct FlatOffsets {
    std::uint32_t position;  ///< of the vector
    std::uint32_t first;     ///< of the first offset; the next one is 4 bytes on
};

std::uint32_t FlatTableDraft::write(FlatOutput& out)
{
    std::stable_sort(fields_.begin(), fields_.end(), [](const Field& a, const Field& b) { return a.bytes > b.bytes; });
    std::uint16_t slots = 0;
    // The table is 8-aligned and starts with 4 bytes of its own, so a 4-byte field or padding comes before the 8-byte
    // ones.
    std::uint32_t table_bytes = !fields_.empty() && fields_.front().bytes == 8 ? 8 : 4;
    for (auto& field : fields_) {
        slots = std::max<std::uint16_t>(slots, static_cast<std::uint16_t>(field.slot + 1));
        field.place = table_bytes;
        table_bytes += field.bytes;
    }

    const std::uint32_t vtable_bytes = 4u + 2u * slots;
    out.align(8, vtable_bytes);
    const auto vtable = out.size();
    std::memset(out.extend(vtable_bytes), 0, vtable_bytes);
    const auto table = out.size();
    std::memset(out.extend(table_bytes), 0, table_bytes);
    store(out.at(vtable), static_cast<std::uint16_t>(vtable_bytes));
    store(out.at(vtable + 2), static_cast<std::uint16_t>(table_bytes));
    store(out.at(table), static_cast<std::int32_t>(table - vtable));
    for (auto& field : fields_) {
        store(out.at(vtable + 4 + 2u * field.slot), static_cast<std::uint16_t>(field.place));
        field.place += table;
        std::memcpy(out.at(field.place), &field.value, field.bytes);
    }
    return table;
}

void FlatTableDraft::point(FlatOutput& out, std::uint16_t slot, std::uint32_t target) const
{
    const auto field =
        std::find_if(fields_.begin(), fields_.end(), [&](const Field& known) { return known.slot == slot; });
    out.point(field->place, target);
}

/// Appends a zero-terminated string, 4-aligned; returns its position.
std::uint32_t write_flat_string(FlatOutput& out, std::string_view text)
{
    out.align(4);
    const auto position = out.size();
    out.append(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) std::memcpy(out.extend(text.size()), text.data(), text.size());
    out.append(char{0});
    return position;
}

/// Appends a vector of `count` offsets, to be pointed later.
FlatOffsets write_flat_offsets(FlatOutput& out, std::size_t count)
{
    out.align(4);
    const auto position = out.size();
    out.append(static_cast<std::uint32_t>(count));
    std::memset(out.extend(4 * count), 0, 4 * count);
    return {position, position + 4};
}

enum BaseType : std::uint8_t {
    none = 0,
    boolean = 2,
    ubyte = 4,
    int_ = 7,
    uint_ = 8,
    long_ = 9,
    ulong_ = 10,
    float_ = 11,
    double_ = 12,
    string = 13,
    vector = 14,
    object = 15
};
constexpr std::uint64_t optional_scalars = 4;  // AdvancedFeatures

namespace schema_slot {
enum : std::uint16_t { objects, enums, file_ident, file_ext, root_table, services, advanced_features };
}
namespace object_slot {
enum : std::uint16_t { name, fields, is_struct, minalign, bytesize, attributes, documentation };
}
namespace field_slot {
enum : std::uint16_t {
    name,
    type,
    id,
    offset,
    default_integer,
    default_real,
    deprecated,
    required,
    key,
    attributes,
    documentation,
    optional
};
}
namespace enum_slot {
enum : std::uint16_t { name, values, is_union, underlying_type, attributes, documentation };
}
namespace value_slot {
enum : std::uint16_t { name, value, object, union_type, documentation };
}
namespace type_slot {
enum : std::uint16_t { base_type, element, index, fixed_length, base_size, element_size };
}

std::uint8_t base_type_of(FieldKind kind)
{
    switch (kind) {
    case FieldKind::bool_: return boolean;
    case FieldKind::float_: return float_;
    case FieldKind::double_: return double_;
    case FieldKind::uint32:
    case FieldKind::fixed32: return uint_;
    case FieldKind::uint64:
    case FieldKind::fixed64: return ulong_;
    case FieldKind::int64:
    case FieldKind::sint64:
    case FieldKind::sfixed64: return long_;
    case FieldKind::string: return string;
    case FieldKind::message: return object;
    default: return int_;
    }
}

std::uint32_t size_of(std::uint8_t base_type)
{
    if (base_type <= ubyte) return 1;
    return base_type == long_ || base_type == ulong_ || base_type == double_ ? 8 : 4;
}

struct FlatType {
    std::uint8_t base = none;
    std::uint8_t element = none;
    std::int32_t index = -1;  ///< in the sorted objects or enums
};

template <class Declared>
std::string qualified(const Declared& declared)
{
    return declared.name_space + '.' + declared.name;
}

/// Objects, enums and fields are found by binary search, so they are written in the order of their names.
template <class Declared>
std::map<std::string, const Declared*> sorted(const std::vector<Declared>& declared)
{
    std::map<std::string, const Declared*> result;
    for (const auto& item : declared) result.emplace(qualified(item), &item);
    return result;
}

class BfbsWriter {
public:
    BfbsWriter(const FlatSchema& schema, const SchemaComments& comments)
        : schema_(schema), comments_(comments), objects_(sorted(schema.objects)), enums_(sorted(schema.enums))
    {
        std::int32_t index = 0;
        for (const auto& [name, object] : objects_) index_.emplace(object->table, index++);
        index = 0;
        for (const auto& [name, enumeration] : enums_) index_.emplace(enumeration->table, index++);
    }

    std::vector<std::byte> run()
    {
        ByteBuffer buffer;
        out_.start(buffer, 1 << 16, max_encodable_bytes);
        out_.append(std::uint32_t{0});
        std::memcpy(out_.extend(4), "BFBS", 4);
        out_.point(0, write_schema());
        out_.finish();
        const auto bytes = buffer.bytes();
        return {bytes.begin(), bytes.end()};
    }

private:
    std::uint32_t write_schema()
    {
        FlatTableDraft table;
        for (const auto slot :
             {schema_slot::objects, schema_slot::enums, schema_slot::file_ident, schema_slot::root_table})
            table.reference(slot);
        table.scalar(schema_slot::advanced_features, optional_scalars, 8);
        const auto position = table.write(out_);
        table.point(out_, schema_slot::file_ident, write_flat_string(out_, schema_.file_identifier));
        write_all(table, schema_slot::enums, enums_,
                  [&](const auto& entry) { return write_enum(entry.first, *entry.second); });
        write_all(table, schema_slot::objects, objects_, [&](const auto& entry) {
            const auto object = write_object(entry.first, *entry.second);
            if (entry.second == schema_.root) table.point(out_, schema_slot::root_table, object);
            return object;
        });
        return position;
    }

    /// A vector of tables: the offsets, then what `write` appends for each item.
    template <class Items, class Write>
    void write_all(const FlatTableDraft& parent, std::uint16_t slot, const Items& items, Write&& write)
    {
        const auto offsets = write_flat_offsets(out_, items.size());
        parent.point(out_, slot, offsets.position);
        auto place = offsets.first;
        for (const auto& item : items) {
            out_.point(place, write(item));
            place += 4;
        }
    }

    std::uint32_t write_object(const std::string& name, const FlatObject& object)
    {
        std::vector<const FlatField*> fields;
        for (const auto& field : object.fields) fields.push_back(&field);
        std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
        const auto remarks = comment_lines(comments_.of(std::string(object.table->full_name)));

        FlatTableDraft table;
        table.reference(object_slot::name);
        table.reference(object_slot::fields);
        table.scalar(object_slot::minalign, 1, 4);
        if (!remarks.empty()) table.reference(object_slot::documentation);
        const auto position = table.write(out_);
        table.point(out_, object_slot::name, write_flat_string(out_, name));
        write_all(table, object_slot::fields, fields,
                  [&](const FlatField* field) { return write_field(*field, *object.table); });
        write_documentation(table, object_slot::documentation, remarks);
        return position;
    }

    std::uint32_t write_field(const FlatField& field, const MessageTable& message)
    {
        const auto type = field.row == nullptr ? FlatType{boolean} : type_of(*field.row);
        const auto remarks = field.row == nullptr ? std::vector<std::string>{}
                                                  : comment_lines(comments_.of(message.full_name, field.row->name));
        const bool scalar = field.row != nullptr && type.base <= double_;

        FlatTableDraft table;
        table.reference(field_slot::name);
        table.reference(field_slot::type);
        if (field.id != 0) table.scalar(field_slot::id, field.id, 2);
        table.scalar(field_slot::offset, 4u + 2u * field.id, 2);
        if (field.row == nullptr) table.scalar(field_slot::deprecated, 1, 1);
        // Of strings, vectors and tables flatc says "optional" too.
        if (scalar || type.base > double_) table.scalar(field_slot::optional, 1, 1);
        if (!remarks.empty()) table.reference(field_slot::documentation);
        const auto position = table.write(out_);
        table.point(out_, field_slot::name, write_flat_string(out_, field.name));
        table.point(out_, field_slot::type, write_type(type));
        write_documentation(table, field_slot::documentation, remarks);
        return position;
    }

    std::uint32_t write_enum(const std::string& name, const FlatEnum& enumeration)
    {
        const auto scope = enumeration.table->full_name;
        const auto remarks = comment_lines(comments_.of(std::string(scope)));
        FlatTableDraft table;
        for (const auto slot : {enum_slot::name, enum_slot::values, enum_slot::underlying_type}) table.reference(slot);
        if (!remarks.empty()) table.reference(enum_slot::documentation);
        const auto position = table.write(out_);
        table.point(out_, enum_slot::name, write_flat_string(out_, name));
        table.point(out_, enum_slot::underlying_type, write_type({int_, none, index_.at(enumeration.table)}));
        write_all(table, enum_slot::values, enumeration.values,
                  [&](const FlatEnumerator& value) { return write_value(value, scope); });
        write_documentation(table, enum_slot::documentation, remarks);
        return position;
    }

    std::uint32_t write_value(const FlatEnumerator& value, std::string_view scope)
    {
        const auto remarks = comment_lines(comments_.of(scope, value.proto_name));
        FlatTableDraft table;
        table.reference(value_slot::name);
        if (value.number != 0)
            table.scalar(value_slot::value, static_cast<std::uint64_t>(std::int64_t{value.number}), 8);
        if (!remarks.empty()) table.reference(value_slot::documentation);
        const auto position = table.write(out_);
        table.point(out_, value_slot::name, write_flat_string(out_, value.name));
        write_documentation(table, value_slot::documentation, remarks);
        return position;
    }

    std::uint32_t write_type(const FlatType& type)
    {
        FlatTableDraft table;
        table.scalar(type_slot::base_type, type.base, 1);
        if (type.element != none) table.scalar(type_slot::element, type.element, 1);
        if (type.index != -1) table.scalar(type_slot::index, static_cast<std::uint32_t>(type.index), 4);
        if (size_of(type.base) != 4) table.scalar(type_slot::base_size, size_of(type.base), 4);
        table.scalar(type_slot::element_size, size_of(type.element), 4);
        return table.write(out_);
    }

    void write_documentation(const FlatTableDraft& parent, std::uint16_t slot, const std::vector<std::string>& lines)
    {
        if (lines.empty()) return;
        write_all(parent, slot, lines,
                  [&](const std::string& line) { return write_flat_string(out_, line.empty() ? line : ' ' + line); });
    }

    FlatType type_of(const FieldRow& row) const
    {
        if (row.kind == FieldKind::bytes) return {vector, ubyte};
        FlatType type{base_type_of(row.kind)};
        if (row.child != nullptr) type.index = index_.at(row.child);
        if (row.enumeration != nullptr) type.index = index_.at(row.enumeration);
        if (row.repeated) type.element = std::exchange(type.base, vector);
        return type;
    }

    const FlatSchema& schema_;
    const SchemaComments& comments_;
    std::map<std::string, const FlatObject*> objects_;
    std::map<std::string, const FlatEnum*> enums_;
    std::unordered_map<const void*, std::int32_t> index_;
    FlatOutput out_;
};

}  // namespace

std::vector<std::byte> flatbuffers_binary_schema(const Schema& schema, const SchemaTextOptions& options)
{
    if (!options.type)
        throw Error(Cause::usage, "a binary FlatBuffers schema needs a root type; select one with --type");
    const SchemaComments comments(schema.descriptor_set());
    return BfbsWriter(flat_schema(schema, options), comments).run();
}

}  // namespace ositrace
