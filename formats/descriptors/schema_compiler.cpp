// SPDX-License-Identifier: MPL-2.0
// FileDescriptorSet -> Schema. Field numbers below are those of google/protobuf/descriptor.proto.

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>

#include "formats/descriptors/descriptor_files.hpp"
#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

/// Full names in a set are built from nested ones: without a limit a small set could ask for gigabytes of them.
inline constexpr std::size_t max_full_name_bytes = 1000;

/// Letters, digits and underscores, no digit in front: what protoc accepts.
[[nodiscard]] inline bool is_identifier(std::string_view name) noexcept
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

/// Identifiers with dots between them, or nothing.
[[nodiscard]] inline bool is_package(std::string_view name) noexcept
{
    if (name.empty()) return true;
    for (;;) {
        const auto dot = name.find('.');
        if (!is_identifier(name.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        name.remove_prefix(dot + 1);
    }
}

/// For a message: not too long, whatever it is.
[[nodiscard]] inline std::string shown(std::string_view text)
{
    constexpr std::size_t longest = 100;
    return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

constexpr int max_nesting = 64;                      // of message declarations
constexpr std::uint32_t osi_version_option = 81000;  // osi_version.proto: extend FileOptions, current_interface_version

enum Label : std::uint64_t { label_repeated = 3 };
constexpr std::uint64_t kind_group = 10;

[[noreturn]] void refuse(Cause cause, std::string_view file, std::string_view name, const std::string& reason)
{
    std::string text = "schema ";
    text.append(shown(file)).append(": ").append(name.empty() ? "the file" : shown(name)).append(": ").append(reason);
    throw Error(cause, text);
}

std::uint8_t flat_size_of(const FieldRow& row)
{
    switch (row.kind) {
    case FieldKind::bool_: return 1;
    case FieldKind::double_:
    case FieldKind::fixed64:
    case FieldKind::sfixed64:
    case FieldKind::int64:
    case FieldKind::uint64:
    case FieldKind::sint64: return 8;
    default: return 4;
    }
}

/// `true` when a message name is among OSI's top-level types.
bool is_top_level(std::string_view full_name) { return message_type_by_full_name(full_name).has_value(); }

}  // namespace

class SchemaCompiler {
public:
    std::shared_ptr<const Schema> run(Bytes descriptor_set)
    {
        schema_->descriptor_set_.assign(descriptor_set.begin(), descriptor_set.end());
        try {
            compile();
        } catch (const Error& error) {
            if (!error.where().offset) throw;
            throw Error(error.cause(), error.where(), "not a descriptor set: " + error.reason());
        }
        return schema_;
    }

private:
    void compile()
    {
        auto files = reader(schema_->descriptor_set_);
        while (files.next())
            if (files.number() == 1) read_file(files.bytes());
        if (schema_->messages_.empty() && schema_->enums_.empty())
            throw Error(Cause::malformed, "the descriptor set declares neither messages nor enums");
        for (auto& pending : pending_messages_) link(pending);
        refuse_unsupported();
    }

    struct PendingMessage {
        MessageTable* table;
        Bytes descriptor;
        bool packed_by_default;
    };

    /// Errors count from the start of the set.
    [[nodiscard]] wire::FieldReader reader(Bytes part) const
    {
        return wire::FieldReader(part, schema_->descriptor_set_.data());
    }

    std::string_view keep(std::string text) { return schema_->names_.emplace_back(std::move(text)); }

    std::string_view qualified(std::string_view scope, std::string_view name, std::string_view file)
    {
        if (!is_identifier(name)) refuse(Cause::malformed, file, scope, "'" + shown(name) + "' cannot be a name");
        if (scope.size() + name.size() >= max_full_name_bytes)
            refuse(Cause::limit, file, scope, "a name exceeds the limit of 1000 bytes");
        return keep(scope.empty() ? std::string(name) : std::string(scope) + '.' + std::string(name));
    }

    /// Messages and enums share their names.
    void claim(std::string_view full_name, std::string_view file)
    {
        if (!names_.insert(full_name).second) refuse(Cause::malformed, file, full_name, "declared twice");
    }

    static void refuse_twice(std::vector<std::string_view> names, std::string_view file, std::string_view scope,
                             const char* what)
    {
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        if (twice != names.end())
            refuse(Cause::malformed, file, scope, std::string(what) + ' ' + shown(*twice) + " is declared twice");
    }

    void read_file(Bytes file)
    {
        std::string_view name, package, syntax = "proto2";
        auto head = reader(file);
        while (head.next()) {
            switch (head.number()) {
            case 1: name = head.text(); break;
            case 2: package = head.text(); break;
            case 8: read_file_options(head.bytes()); break;
            case 12: syntax = head.text(); break;
            default: break;
            }
        }
        if (syntax != "proto2" && syntax != "proto3" && !syntax.empty())
            refuse(Cause::unsupported, name, "syntax", "'" + shown(syntax) + "' (supported: proto2, proto3)");
        if (!is_package(package)) refuse(Cause::malformed, name, {}, "'" + shown(package) + "' cannot be a package");
        auto body = reader(file);
        while (body.next()) {
            if (body.number() == 4) declare_message(body.bytes(), package, name, nullptr, syntax == "proto3", 0);
            if (body.number() == 5) declare_enum(body.bytes(), package, name, nullptr);
        }
    }

    void read_file_options(Bytes options)
    {
        auto option = reader(options);
        while (option.next()) {
            if (option.number() != osi_version_option) continue;
            OsiVersion version;
            auto part = reader(option.bytes());
            while (part.next()) {
                const auto value = static_cast<std::uint32_t>(part.integer());
                if (part.number() == 1) version.major = value;
                if (part.number() == 2) version.minor = value;
                if (part.number() == 3) version.patch = value;
            }
            schema_->osi_version_ = version;
        }
    }

    void declare_message(Bytes descriptor, std::string_view scope, std::string_view file, const MessageTable* parent,
                         bool proto3, int depth)
    {
        if (depth > max_nesting)
            refuse(Cause::limit, file, scope, "the nesting of declarations exceeds the limit of 64 levels");
        if (schema_->messages_.size() >= Schema::max_messages)
            refuse(Cause::limit, file, scope, "the number of messages exceeds the limit of 20000");
        std::string_view name;
        auto head = reader(descriptor);
        while (head.next())
            if (head.number() == 1) name = head.text();
        auto& table = *schema_->messages_.emplace_back(std::make_unique<MessageTable>());
        table.full_name = qualified(scope, name, file);
        table.file = file;
        table.parent = parent;
        table.index = static_cast<std::uint16_t>(schema_->messages_.size() - 1);
        claim(table.full_name, file);
        schema_->by_name_.emplace(table.full_name, &table);
        pending_messages_.push_back({&table, descriptor, proto3});

        auto inner = reader(descriptor);
        while (inner.next()) {
            if (inner.number() == 3) declare_message(inner.bytes(), table.full_name, file, &table, proto3, depth + 1);
            if (inner.number() == 4) declare_enum(inner.bytes(), table.full_name, file, &table);
            if (inner.number() == 7) read_message_options(inner.bytes(), table);
        }
    }

    void read_message_options(Bytes options, MessageTable& table)
    {
        auto option = reader(options);
        while (option.next()) {
            if (option.number() == 1 && option.integer() != 0)
                mark_unsupported(table, "message_set_wire_format is not supported");
            if (option.number() == 7) table.map_entry = option.integer() != 0;
        }
    }

    void declare_enum(Bytes descriptor, std::string_view scope, std::string_view file, const MessageTable* parent)
    {
        if (schema_->enums_.size() >= Schema::max_messages)
            refuse(Cause::limit, file, scope, "the number of enums exceeds the limit of 20000");
        auto& table = *schema_->enums_.emplace_back(std::make_unique<EnumTable>());
        table.file = file;
        table.parent = parent;
        auto part = reader(descriptor);
        while (part.next()) {
            if (part.number() == 1) table.full_name = qualified(scope, part.text(), file);
            if (part.number() == 2) table.values.push_back(read_enum_value(part.bytes()));
            if (++fields_ > Schema::max_fields)
                refuse(Cause::limit, file, scope, "the number of fields and enum values exceeds the limit of 200000");
        }
        if (table.full_name.empty()) refuse(Cause::malformed, file, scope, "an enum without a name");
        claim(table.full_name, file);
        enum_by_name_.emplace(table.full_name, &table);
        check_values(table);
    }

    static void check_values(const EnumTable& table)
    {
        if (table.values.empty()) refuse(Cause::malformed, table.file, table.full_name, "an enum without values");
        std::vector<std::string_view> names;
        for (const auto& value : table.values) {
            if (!is_identifier(value.name))
                refuse(Cause::malformed, table.file, table.full_name, "'" + shown(value.name) + "' cannot be a name");
            names.push_back(value.name);
        }
        refuse_twice(std::move(names), table.file, table.full_name, "the value");
    }

    [[nodiscard]] EnumTable::Value read_enum_value(Bytes descriptor) const
    {
        EnumTable::Value value{};
        auto part = reader(descriptor);
        while (part.next()) {
            if (part.number() == 1) value.name = part.text();
            if (part.number() == 2) value.number = static_cast<std::int32_t>(part.integer());
        }
        return value;
    }

    void link(const PendingMessage& pending)
    {
        auto& table = *pending.table;
        oneofs_.clear();
        auto part = reader(pending.descriptor);
        while (part.next()) {
            if (part.number() != 2) continue;
            if (++fields_ > Schema::max_fields)
                refuse(Cause::limit, table.file, table.full_name,
                       "the number of fields and enum values exceeds the limit of 200000");
            auto row = read_field(part.bytes(), table, pending.packed_by_default);
            row.declared = static_cast<std::uint16_t>(table.fields.size());
            table.fields.push_back(row);
        }
        if (table.fields.size() > Schema::max_slot_number)
            refuse(Cause::limit, table.file, table.full_name, "the number of fields exceeds the limit of 32765");
        std::vector<std::string_view> names;
        for (const auto& row : table.fields) names.push_back(row.name);
        refuse_twice(std::move(names), table.file, table.full_name, "the field");
        sort_fields(table);
    }

    static void sort_fields(MessageTable& table)
    {
        std::stable_sort(table.fields.begin(), table.fields.end(),
                         [](const auto& a, const auto& b) { return a.number < b.number; });
        table.declared_order.resize(table.fields.size());
        std::uint32_t largest_small = 0;
        for (std::size_t i = 0; i != table.fields.size(); ++i) {
            auto& row = table.fields[i];
            row.index = static_cast<std::uint16_t>(i);
            table.declared_order[row.declared] = row.index;
            if (i != 0 && table.fields[i - 1].number == row.number)
                refuse(Cause::malformed, table.file, table.full_name,
                       "field number " + std::to_string(row.number) + " is used twice");
            if (row.number < 256) largest_small = row.number;
        }
        table.by_small_number.assign(largest_small + 1, 0);
        for (const auto& row : table.fields)
            if (row.number <= largest_small)
                table.by_small_number[row.number] = static_cast<std::uint16_t>(row.index + 1);
    }

    FieldRow read_field(Bytes descriptor, MessageTable& table, bool packed_by_default)
    {
        FieldRow row;
        std::uint64_t kind = 0;
        std::string_view type_name;
        std::optional<std::uint64_t> oneof;
        bool proto3_optional = false;
        std::optional<bool> packed;
        auto part = reader(descriptor);
        while (part.next()) {
            switch (part.number()) {
            case 1: row.name = part.text(); break;
            case 3:
                row.number = static_cast<std::uint32_t>(std::min<std::uint64_t>(part.integer(), 0xffff'ffff));
                break;
            case 4: row.repeated = part.integer() == label_repeated; break;
            case 5: kind = part.integer(); break;
            case 6: type_name = part.text(); break;
            case 8: packed = read_packed(part.bytes()); break;
            case 9: oneof = part.integer(); break;
            case 17: proto3_optional = part.integer() != 0; break;
            default: break;
            }
        }
        if (!is_identifier(row.name))
            refuse(Cause::malformed, table.file, table.full_name, "'" + shown(row.name) + "' cannot be a name");
        if (row.number == 0 || row.number > 0x1fff'ffff)
            refuse(Cause::malformed, table.file, table.full_name,
                   "field " + shown(row.name) + " has the number " + std::to_string(row.number) +
                       ", expected 1 to 536870911");
        if (row.number > Schema::max_slot_number)
            mark_unsupported(table, "field " + shown(row.name) + ": the number " + std::to_string(row.number) +
                                        " exceeds the limit of 32765 (of a FlatBuffers table)");
        if (oneof && !proto3_optional) row.oneof = number_of_oneof(*oneof, row, table);
        if (kind == kind_group) {
            mark_unsupported(table, "field " + shown(row.name) + " is a group, which is not supported");
            kind = static_cast<std::uint64_t>(FieldKind::bytes);
        } else if (kind < 1 || kind > 18) {
            refuse(Cause::malformed, table.file, table.full_name,
                   "field " + shown(row.name) + " has the type " + std::to_string(kind) + ", expected 1 to 18");
        }
        row.kind = static_cast<FieldKind>(kind);
        resolve(row, type_name, table);
        row.packed = row.repeated && is_scalar(row.kind) && packed.value_or(packed_by_default);
        row.wire_type = wire::wire_type_of(row.kind);
        row.flat_size = flat_size_of(row);
        return row;
    }

    /// FlatBuffers have no oneof, so a type of OSI, which is converted, may have none.
    std::uint16_t number_of_oneof(std::uint64_t index, const FieldRow& row, MessageTable& table)
    {
        const auto number = oneofs_.try_emplace(index, static_cast<std::uint16_t>(oneofs_.size() + 1)).first->second;
        table.oneofs = static_cast<std::uint16_t>(oneofs_.size());
        has_oneof_.emplace(&table, "field " + shown(row.name) + " is part of a oneof, which is not supported");
        return number;
    }

    [[nodiscard]] bool read_packed(Bytes options) const
    {
        bool packed = false;
        auto option = reader(options);
        while (option.next())
            if (option.number() == 2) packed = option.integer() != 0;
        return packed;
    }

    void resolve(FieldRow& row, std::string_view type_name, const MessageTable& table)
    {
        if (row.kind != FieldKind::message && row.kind != FieldKind::enumeration) return;
        if (!type_name.starts_with('.'))
            refuse(Cause::malformed, table.file, table.full_name,
                   "field " + shown(row.name) + " has the unresolved type '" + shown(type_name) +
                       "', expected a full name with a dot in front");
        type_name.remove_prefix(1);
        if (row.kind == FieldKind::message) {
            row.child = schema_->find(type_name);
        } else if (const auto found = enum_by_name_.find(type_name); found != enum_by_name_.end()) {
            row.enumeration = found->second;
        }
        if (row.child == nullptr && row.enumeration == nullptr)
            refuse(
                Cause::malformed, table.file, table.full_name,
                "field " + shown(row.name) + " has the type " + shown(type_name) + ", which the set does not declare");
    }

    void mark_unsupported(const MessageTable& table, std::string reason)
    {
        unsupported_.emplace(&table, std::move(reason));
    }

    /// Only what a trace can contain counts: descriptor sets carry along google/protobuf files that no message of
    /// theirs uses.
    void refuse_unsupported()
    {
        if (unsupported_.empty() && has_oneof_.empty()) return;
        std::vector<const MessageTable*> open;
        for (const auto& table : schema_->messages_)
            if (is_top_level(table->full_name)) open.push_back(table.get());
        if (open.empty())
            for (const auto& table : schema_->messages_) open.push_back(table.get());
        else
            unsupported_.merge(has_oneof_);
        std::unordered_set<const MessageTable*> seen(open.begin(), open.end());
        while (!open.empty()) {
            const auto& table = *open.back();
            open.pop_back();
            if (const auto found = unsupported_.find(&table); found != unsupported_.end())
                refuse(Cause::unsupported, table.file, table.full_name, found->second);
            for (const auto& row : table.fields)
                if (row.child != nullptr && seen.insert(row.child).second) open.push_back(row.child);
        }
    }

    std::shared_ptr<Schema> schema_{new Schema};
    std::vector<PendingMessage> pending_messages_;
    std::unordered_map<std::string_view, const EnumTable*> enum_by_name_;
    std::unordered_set<std::string_view> names_;
    std::unordered_map<std::uint64_t, std::uint16_t> oneofs_;  ///< of the message at hand: descriptor's number to ours
    std::unordered_map<const MessageTable*, std::string> has_oneof_;
    std::unordered_map<const MessageTable*, std::string> unsupported_;
    std::size_t fields_ = 0;
};

std::shared_ptr<const Schema> Schema::compile(Bytes descriptor_set) { return SchemaCompiler().run(descriptor_set); }

std::shared_ptr<const Schema> Schema::built_in()
{
    static const auto schema = compile(embedded_descriptor_set());
    return schema;
}

}  // namespace ositrace
