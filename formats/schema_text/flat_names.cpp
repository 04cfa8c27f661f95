// SPDX-License-Identifier: MPL-2.0
#include "formats/schema_text/flat_names.hpp"

#include <algorithm>
#include <array>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

// Found by running flatc 2.0.8 with --gen-object-api and g++ over a list of suspects. C++ keywords are not among them:
// flatc escapes those.
constexpr std::array<std::string_view, 12> bad_field_names{
    "o",      "_o",      "_e",
    "_fbb",   "fbb",     "fbb_",             // parameters and locals of generated functions
    "UnPack", "Builder", "NativeTableType",  // members of every generated table
    "assert", "errno",   "NULL",             // macros
};
constexpr std::array<std::string_view, 16> bad_enumerators{
    "null",                                                       // a word of flatc
    "MIN",    "MAX",                                              // flatc adds these
    "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS",  // <math.h>; matter with --scoped-enums
    "EOF",    "NULL", "NAN",      "INFINITY",  "HUGE",  "errno", "assert",
};

constexpr std::size_t most_underscores = 100;

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string upper_case(std::string text)
{
    for (auto& letter : text)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return text;
}

}  // namespace

std::string_view package_of(std::string_view full_name, const MessageTable* parent) noexcept
{
    while (parent != nullptr) {
        full_name = parent->full_name;
        parent = parent->parent;
    }
    const auto dot = full_name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : full_name.substr(0, dot);
}

std::string flat_namespace(std::string_view package)
{
    if (package.empty()) return "flat";
    const auto dot = std::min(package.find('.'), package.size());
    return std::string(package.substr(0, dot)) + "_flat" + std::string(package.substr(dot));
}

std::string FlatNames::type_name(std::string_view full_name, std::string_view package)
{
    std::string name(package.empty() ? full_name : full_name.substr(package.size() + 1));
    std::replace(name.begin(), name.end(), '.', '_');
    const auto space = std::string(package) + '.';
    const auto is_taken = [&](const std::string& wanted) {
        return taken_.contains(space + wanted) || taken_.contains(space + wanted + 'T') ||
               taken_.contains(space + wanted + "Builder");
    };
    while (is_taken(name)) name += '_';
    for (const auto* const derived : {"", "T", "Builder"}) taken_.insert(space + name + derived);
    return name;
}

std::string FlatNames::field_name(std::string_view name, std::string_view type)
{
    const bool bad = among(bad_field_names, name) || among(bad_enumerators, name) || name == type;
    auto result = std::string(name) + (bad ? "_" : "");
    // The generated code has a constant per field, VT_NAME, so names that differ in case only clash too.
    while (!taken_.insert(upper_case(result)).second) {
        result += '_';
        if (result.size() > name.size() + most_underscores)
            throw Error(Cause::unsupported, std::string(type) + " has too many fields whose names differ in case only");
    }
    return result;
}

std::string FlatNames::enumerator_name(std::string_view name)
{
    auto result = std::string(name) + (among(bad_enumerators, name) ? "_" : "");
    while (!taken_.insert(result).second) result += '_';
    return result;
}

}  // namespace ositrace
