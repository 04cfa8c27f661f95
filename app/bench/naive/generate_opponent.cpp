// SPDX-License-Identifier: MPL-2.0
// Writes the code that a careful user of protoc and flatc would write by hand: it converts every message of a schema in
// both directions with the generated accessors. It is the oracle of the tests and the opponent of the benchmarks, so it
// must be correct and fast, never clever. usage: generate_opponent SCHEMA.desc NAME OUTPUT_DIRECTORY
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/schema.hpp>
#include <ositrace/schema_text.hpp>

using namespace ositrace;

namespace {

/// `MovingObject_VehicleClassification`: the names from the outermost message inwards.
template <class Declared>
std::string joined_name(const Declared& declared)
{
    const auto name = std::string(declared.full_name.substr(declared.full_name.rfind('.') + 1));
    return declared.parent == nullptr ? name : joined_name(*declared.parent) + "_" + name;
}

/// `osi3`
template <class Declared>
std::string package_of(const Declared& declared)
{
    return std::string(declared.full_name.substr(0, declared.full_name.size() - joined_name(declared).size() - 1));
}

template <class Declared>
std::string protobuf_name(const Declared& declared)
{
    return "::" + package_of(declared) + "::" + joined_name(declared);
}

template <class Declared>
std::string flat_name(const Declared& declared)
{
    return "::" + package_of(declared) + "_flat::" + joined_name(declared);
}

/// Both generators append an underscore to a keyword of C++.
std::string escaped(std::string name)
{
    static constexpr std::string_view words[] = {
        "auto",   "bool",     "case",     "char",   "class",    "const",  "default",  "delete",  "double",
        "enum",   "export",   "extern",   "float",  "for",      "friend", "int",      "long",    "namespace",
        "new",    "operator", "private",  "public", "register", "return", "short",    "signed",  "static",
        "struct", "switch",   "template", "this",   "typename", "union",  "unsigned", "virtual", "void"};
    return std::find(std::begin(words), std::end(words), name) == std::end(words) ? name : name + "_";
}

/// protoc writes field names in lower case.
std::string protobuf_field(const FieldRow& field)
{
    std::string name(field.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return escaped(name);
}

std::string flat_field(const FieldRow& field) { return escaped(std::string(field.name)); }

constexpr std::size_t parts = 2;  ///< source files, so that the compiler can work on both at a time

/// The C++ type of a scalar in a FlatBuffers vector.
std::string flat_element(const FieldRow& field)
{
    switch (field.kind) {
    case FieldKind::double_: return "double";
    case FieldKind::float_: return "float";
    case FieldKind::int64:
    case FieldKind::sint64:
    case FieldKind::sfixed64: return "std::int64_t";
    case FieldKind::uint64:
    case FieldKind::fixed64: return "std::uint64_t";
    case FieldKind::int32:
    case FieldKind::sint32:
    case FieldKind::sfixed32:
    case FieldKind::enumeration: return "std::int32_t";
    case FieldKind::uint32:
    case FieldKind::fixed32: return "std::uint32_t";
    default: return "std::uint8_t";
    }
}

bool is_reference(const FieldRow& field)
{
    return field.repeated || field.kind == FieldKind::message || field.kind == FieldKind::string ||
           field.kind == FieldKind::bytes;
}

std::string vector_element(const FieldRow& field)
{
    if (field.kind == FieldKind::message) return "flatbuffers::Offset<" + flat_name(*field.child) + ">";
    if (field.kind == FieldKind::string) return "flatbuffers::Offset<flatbuffers::String>";
    return flat_element(field);
}

/// The type of the variable for a child until the table refers to it.
std::string offset_type(const FieldRow& field)
{
    if (field.repeated || field.kind == FieldKind::bytes)
        return "flatbuffers::Offset<flatbuffers::Vector<" + vector_element(field) + ">>";
    return vector_element(field);
}

/// The call of the builder that creates a child, before its table is started.
std::string create_child(const FieldRow& field)
{
    const auto get = "in." + protobuf_field(field);
    if (!field.repeated) {
        if (field.kind == FieldKind::message) return "to_flat(" + get + "(), out)";
        if (field.kind == FieldKind::string) return "out.CreateString(" + get + "())";
        return "out.CreateVector(reinterpret_cast<const std::uint8_t*>(" + get + "().data()), " + get + "().size())";
    }
    const auto count = "static_cast<std::size_t>(" + get + "_size())";
    const auto element = get + "(static_cast<int>(i))";
    const auto one_by_one = [&](const std::string& create) {
        return "out.CreateVector<" + vector_element(field) + ">(" + count + ", [&](std::size_t i) { return " + create +
               "; })";
    };
    if (field.kind == FieldKind::message) return one_by_one("to_flat(" + element + ", out)");
    if (field.kind == FieldKind::string) return one_by_one("out.CreateString(" + element + ")");
    if (field.kind == FieldKind::bool_) return one_by_one("std::uint8_t{" + element + "}");
    return "out.CreateVector<" + flat_element(field) + ">(" + get + "().data(), " + count + ")";
}

void write_to_flat(std::ostream& out, const MessageTable& table)
{
    const auto name = flat_name(table);
    out << "flatbuffers::Offset<" << name << "> to_flat(const " << protobuf_name(table)
        << "& in, flatbuffers::FlatBufferBuilder& out)\n{\n";
    for (const auto& field : table.fields) {
        if (!is_reference(field)) continue;
        const auto present =
            field.repeated ? "in." + protobuf_field(field) + "_size() != 0" : "in.has_" + protobuf_field(field) + "()";
        out << "    " << offset_type(field) << " child_" << field.number << ";\n"
            << "    if (" << present << ") child_" << field.number << " = " << create_child(field) << ";\n";
    }
    out << "    " << name << "Builder table(out);\n";
    // Wide fields first, as flatc's own Create functions do: no padding between them.
    for (const int size : {8, 4, 1})
        for (const auto& field : table.fields) {
            if (is_reference(field) ? size != 4 : field.flat_size != size) continue;
            const auto add = "table.add_" + flat_field(field);
            if (is_reference(field))
                out << "    if (!child_" << field.number << ".IsNull()) " << add << "(child_" << field.number << ");\n";
            else if (field.kind == FieldKind::enumeration)
                out << "    if (in.has_" << protobuf_field(field) << "()) " << add << "(static_cast<"
                    << flat_name(*field.enumeration) << ">(in." << protobuf_field(field) << "()));\n";
            else
                out << "    if (in.has_" << protobuf_field(field) << "()) " << add << "(in." << protobuf_field(field)
                    << "());\n";
        }
    out << "    static_cast<void>(in);\n    return table.Finish();\n}\n\n";
}

/// The statement that converts a present field; `v` is the result of the accessor.
std::string take_field(const FieldRow& field)
{
    const auto name = protobuf_field(field);
    const auto enum_value = [&](const char* value) {
        return "static_cast<" + protobuf_name(*field.enumeration) + ">(" + value + ")";
    };
    if (!field.repeated) switch (field.kind) {
        case FieldKind::message: return "to_proto(*v, *out.mutable_" + name + "());";
        case FieldKind::string: return "out.set_" + name + "(v->c_str(), v->size());";
        case FieldKind::bytes: return "out.set_" + name + "(v->data(), v->size());";
        case FieldKind::enumeration: return "out.set_" + name + "(" + enum_value("*v") + ");";
        default: return "out.set_" + name + "(*v);";
        }
    switch (field.kind) {
    case FieldKind::message:
        return "{\n        out.mutable_" + name +
               "()->Reserve(static_cast<int>(v->size()));\n        for (const auto* e : *v) to_proto(*e, *out.add_" +
               name + "());\n    }";
    case FieldKind::string: return "for (const auto* e : *v) out.add_" + name + "(e->c_str(), e->size());";
    case FieldKind::bool_: return "for (const auto e : *v) out.add_" + name + "(e != 0);";
    case FieldKind::enumeration: return "for (const auto e : *v) out.add_" + name + "(" + enum_value("e") + ");";
    default: return "out.mutable_" + name + "()->Add(v->data(), v->data() + v->size());";
    }
}

void write_to_proto(std::ostream& out, const MessageTable& table)
{
    out << "void to_proto(const " << flat_name(table) << "& in, " << protobuf_name(table) << "& out)\n{\n"
        << "    static_cast<void>(in), static_cast<void>(out);\n";
    for (const auto& field : table.fields)
        out << "    if (const auto v = in." << flat_field(field) << "()) " << take_field(field) << "\n";
    out << "}\n\n";
}

void write_header(std::ostream& out, const Schema& schema, const std::string& name)
{
    std::set<std::string_view> files;
    for (const auto& table : schema.messages()) files.insert(table->file);
    out << "// Generated by app/bench/naive/generate_opponent.cpp.\n#pragma once\n\n#include "
           "\"app/bench/naive/opponent.hpp\"\n\n#include \""
        << name << "_generated.h\"\n";
    for (const auto file : files) out << "#include \"" << file.substr(0, file.rfind('.')) << ".pb.h\"\n";
    out << "\nnamespace opponent::" << name << " {\n\n";
    for (const auto& table : schema.messages())
        out << "flatbuffers::Offset<" << flat_name(*table) << "> to_flat(const " << protobuf_name(*table)
            << "& in, flatbuffers::FlatBufferBuilder& out);\nvoid to_proto(const " << flat_name(*table) << "& in, "
            << protobuf_name(*table) << "& out);\n";
    out << "\n/// A row for every message of the schema.\nstd::span<const Row> rows();\n\n}  // namespace opponent::"
        << name << "\n";
}

void write_rows(std::ostream& out, const Schema& schema)
{
    out << "static const Row all_rows[] = {\n";
    for (const auto& table : schema.messages()) {
        const auto proto = protobuf_name(*table), flat = flat_name(*table);
        out << "    {\"" << table->full_name << "\",\n"
            << "     +[]() -> const google::protobuf::Message& { return " << proto << "::default_instance(); },\n"
            << "     +[](const google::protobuf::Message& in, flatbuffers::FlatBufferBuilder& out, const char* "
               "identifier) {\n"
            << "         out.Finish(to_flat(static_cast<const " << proto << "&>(in), out), identifier); },\n"
            << "     +[](const void* in, google::protobuf::Message& out) {\n"
            << "         to_proto(*flatbuffers::GetRoot<" << flat << ">(in), static_cast<" << proto << "&>(out)); },\n"
            << "     +[](flatbuffers::Verifier& verifier, const char* identifier) { return verifier.VerifyBuffer<"
            << flat << ">(identifier); }},\n";
    }
    out << "};\n\nstd::span<const Row> rows() { return all_rows; }\n\n";
}

std::vector<std::byte> read_file(const char* path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = bytes_of(text);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

int main(int argc, char** argv)
try {
    if (argc != 4) return std::cerr << "usage: generate_opponent SCHEMA.desc NAME OUTPUT_DIRECTORY\n", 2;
    const auto schema = Schema::compile(read_file(argv[1]));
    const std::string name = argv[2];
    const auto stem = argv[3] + ("/" + name);

    std::ofstream(stem + ".fbs") << flatbuffers_schema(*schema);
    std::ofstream header(stem + "_opponent.hpp");
    write_header(header, *schema, name);
    for (std::size_t part = 0; part < parts; ++part) {
        std::ofstream source(stem + "_opponent_" + std::to_string(part) + ".cpp");
        source << "// Generated by app/bench/naive/generate_opponent.cpp.\n#include \"" << name
               << "_opponent.hpp\"\n\nnamespace opponent::" << name << " {\n\n";
        for (std::size_t i = part; i < schema->messages().size(); i += parts) {
            write_to_flat(source, *schema->messages()[i]);
            write_to_proto(source, *schema->messages()[i]);
        }
        if (part == 0) write_rows(source, *schema);
        source << "}  // namespace opponent::" << name << "\n";
    }
    return 0;
} catch (const std::exception& error) {
    std::cerr << "generate_opponent: " << error.what() << '\n';
    return 1;
}
