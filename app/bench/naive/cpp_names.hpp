// SPDX-License-Identifier: MPL-2.0
// What protoc and flatc call things in C++.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <ositrace/schema.hpp>

namespace ositrace {

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

/// Both generators put an underscore behind a word of C++.
inline std::string escaped(std::string name)
{
    static constexpr std::string_view words[] = {
        "auto",   "bool",     "case",     "char",   "class",    "const",  "default",  "delete",  "double",
        "enum",   "export",   "extern",   "float",  "for",      "friend", "int",      "long",    "namespace",
        "new",    "operator", "private",  "public", "register", "return", "short",    "signed",  "static",
        "struct", "switch",   "template", "this",   "typename", "union",  "unsigned", "virtual", "void"};
    return std::find(std::begin(words), std::end(words), name) == std::end(words) ? name : name + "_";
}

/// protoc writes field names in lower case.
inline std::string protobuf_field(const FieldRow& field)
{
    std::string name(field.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return escaped(name);
}

inline std::string flat_field(const FieldRow& field) { return escaped(std::string(field.name)); }

}  // namespace ositrace
