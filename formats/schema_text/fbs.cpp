// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema_text.hpp>

#include "formats/schema_text/comments.hpp"
#include "formats/schema_text/flat_schema.hpp"

namespace ositrace {

namespace {

std::string_view scalar_name(FieldKind kind)
{
    switch (kind) {
    case FieldKind::bool_: return "bool";
    case FieldKind::float_: return "float";
    case FieldKind::double_: return "double";
    case FieldKind::uint32:
    case FieldKind::fixed32: return "uint";
    case FieldKind::uint64:
    case FieldKind::fixed64: return "ulong";
    case FieldKind::int64:
    case FieldKind::sint64:
    case FieldKind::sfixed64: return "long";
    default: return "int";
    }
}

class FbsPrinter {
public:
    FbsPrinter(const FlatSchema& schema, const SchemaComments& comments, Layout layout)
        : schema_(schema), comments_(comments), layout_(layout)
    {
    }

    std::string run(const Schema& source)
    {
        head(source);
        // Enums first: flatc must know one before it is used.
        for (const auto& enumeration : schema_.enums) print(enumeration);
        for (const auto& object : schema_.objects) print(object);
        if (schema_.root != nullptr) {
            enter(schema_.root->name_space);
            text_ += "\nroot_type " + schema_.root->name + ";\nfile_identifier \"" +
                     std::string(schema_.file_identifier) + "\";\n";
        }
        return std::move(text_);
    }

private:
    void head(const Schema& source)
    {
        text_ += "// FlatBuffers form of ";
        text_ +=
            source.osi_version() ? "ASAM OSI " + source.osi_version()->to_string() : std::string("a Protobuf schema");
        text_ += layout_ == Layout::numbered
                     ? ", layout numbered: id = Protobuf field number - 1; `unused_N` holds the place of number N.\n"
                     : ", layout declared: fields in the order of the .proto files.\n";
        text_ += "// Made by ositrace. Scalars are optional (= null): presence survives, explicit zeros included.\n";
    }

    void enter(const std::string& name_space)
    {
        if (name_space == name_space_) return;
        name_space_ = name_space;
        text_ += "\nnamespace " + name_space + ";\n";
    }

    void comment(std::string_view text, const char* indent)
    {
        for (const auto& line : comment_lines(text))
            text_ += indent + std::string(line.empty() ? "///" : "/// ") + line + '\n';
    }

    void print(const FlatEnum& enumeration)
    {
        enter(enumeration.name_space);
        text_ += '\n';
        const auto scope = enumeration.table->full_name;
        comment(comments_.of(std::string(scope)), "");
        text_ += "enum " + enumeration.name + " : int {\n";
        for (const auto& value : enumeration.values) {
            comment(comments_.of(scope, value.proto_name), "  ");
            text_ += "  " + value.name + " = " + std::to_string(value.number) + ',';
            for (const auto alias : value.aliases) text_.append(" // also ").append(alias);
            text_ += '\n';
        }
        text_ += "}\n";
    }

    void print(const FlatObject& object)
    {
        enter(object.name_space);
        text_ += '\n';
        comment(comments_.of(std::string(object.table->full_name)), "");
        text_ += "table " + object.name + " {\n";
        for (const auto& field : object.fields) print(field, *object.table);
        text_ += "}\n";
    }

    void print(const FlatField& field, const MessageTable& table)
    {
        if (field.row == nullptr) {
            text_ += "  " + field.name + ":bool (id: " + std::to_string(field.id) + ", deprecated);\n";
            return;
        }
        comment(comments_.of(table.full_name, field.row->name), "  ");
        text_ += "  " + field.name + ':' + type_of(*field.row);
        if (layout_ == Layout::numbered) text_ += " (id: " + std::to_string(field.id) + ')';
        text_ += ";\n";
    }

    template <class Declared>
    std::string reference(const Declared& declared) const
    {
        return declared.name_space == name_space_ ? declared.name : declared.name_space + '.' + declared.name;
    }

    std::string type_of(const FieldRow& row) const
    {
        if (row.kind == FieldKind::bytes) return "[ubyte]";
        const bool scalar = row.child == nullptr && row.kind != FieldKind::string;
        std::string name;
        if (row.child != nullptr)
            name = reference(schema_.object(*row.child));
        else if (row.enumeration != nullptr)
            name = reference(schema_.enumeration(*row.enumeration));
        else
            name = row.kind == FieldKind::string ? "string" : scalar_name(row.kind);
        if (row.repeated) return '[' + name + ']';
        return scalar ? name + " = null" : name;
    }

    const FlatSchema& schema_;
    const SchemaComments& comments_;
    Layout layout_;
    std::string name_space_;
    std::string text_;
};

}  // namespace

std::string flatbuffers_schema(const Schema& schema, const SchemaTextOptions& options)
{
    const SchemaComments comments(schema.descriptor_set());
    return FbsPrinter(flat_schema(schema, options), comments, options.layout).run(schema);
}

}  // namespace ositrace
