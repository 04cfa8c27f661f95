// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <unordered_set>

#include <ositrace/error.hpp>

#include "lib/trace/near_word.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::size_t most_names_listed = 8;

struct IntegerRow {
    std::string_view type;
    std::int64_t least, most;
};

template <class T>
constexpr IntegerRow integer_row(std::string_view type)
{
    return {type, std::numeric_limits<T>::min(),
            static_cast<std::int64_t>(
                std::min<std::uint64_t>(std::numeric_limits<T>::max(), std::numeric_limits<std::int64_t>::max()))};
}

constexpr std::array<IntegerRow, 11> integers{
    integer_row<std::int32_t>("Integer"), integer_row<std::int64_t>("Enumeration"),
    integer_row<std::int8_t>("Int8"),     integer_row<std::uint8_t>("UInt8"),
    integer_row<std::int16_t>("Int16"),   integer_row<std::uint16_t>("UInt16"),
    integer_row<std::int32_t>("Int32"),   integer_row<std::uint32_t>("UInt32"),
    integer_row<std::int64_t>("Int64"),   integer_row<std::uint64_t>("UInt64"),
    IntegerRow{"Boolean", 0, 1}};

[[noreturn]] void fail(const FmuVariable& variable, const std::string& value)
{
    throw Error(Cause::mismatch,
                "takes no '" + value + "' for " + variable.name + ", which is of type " + variable.type);
}

template <class Number>
bool read_number(const std::string& text, Number& number)
{
    const auto* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && at == end;
}

std::int64_t read_integer(const FmuVariable& variable, const IntegerRow& row, const std::string& text)
{
    if (variable.type == "Boolean" && (text == "true" || text == "false")) return text == "true" ? 1 : 0;
    std::int64_t number = 0;
    if (!read_number(text, number) || number < row.least || number > row.most) fail(variable, text);
    return number;
}

bool is_real(std::string_view type) { return type == "Real" || type == "Float64" || type == "Float32"; }

HostParameter read_parameter(const FmuVariable& variable, const std::string& text)
{
    HostParameter parameter{.type = variable.type, .reference = variable.reference, .text = text};
    if (const auto row = std::ranges::find(integers, variable.type, &IntegerRow::type); row != integers.end())
        parameter.integer = read_integer(variable, *row, text);
    else if (is_real(variable.type)) {
        if (!read_number(text, parameter.real)) fail(variable, text);
    } else if (variable.type != "String")
        throw Error(Cause::mismatch,
                    variable.name + " is of type " + variable.type + ", which cannot be set from text");
    return parameter;
}

/// The names of the binary variables. Looked up, because a model may have hundreds of them and hundreds of thousands of
/// others.
using BinaryNames = std::unordered_set<std::string_view>;

BinaryNames binary_names(const FmuDescription& model)
{
    BinaryNames names;
    for (const auto& binary : model.binaries) names.insert(binary.name);
    return names;
}

/// Does the replay itself set it, as a part of an OSI message: `NAME` or `NAME.PART`?
bool is_part_of(const BinaryNames& binaries, std::string_view name)
{
    for (auto end = name.find('.'); end != name.npos; end = name.find('.', end + 1))
        if (binaries.contains(name.substr(0, end))) return true;
    return binaries.contains(name);
}

}  // namespace

std::string names_like(const std::string& name, std::vector<std::string> names)
{
    if (names.empty()) return " (it has none)";
    const auto near = did_you_mean(name, names);
    std::stable_partition(names.begin(), names.end(), [&](const std::string& candidate) {
        return candidate.find(name) != std::string::npos || edits_between(name, candidate) <= 1 + name.size() / 4;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_names_listed); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return " (it has: " + text + (names.size() > most_names_listed ? ", ...)" : ")") + near;
}

void follow_encoding_parameter(FmuDescription& model, const std::map<std::string, std::string>& values)
{
    const auto variable = std::ranges::find(model.variables, "encoding", &FmuVariable::name);
    if (variable == model.variables.end() || variable->causality != FmuCausality::parameter ||
        variable->type != "String")
        return;
    const auto given = values.find(variable->name);
    const auto encoding = encoding_named(given == values.end() ? variable->start : given->second);
    if (!encoding) return;
    for (auto& binary : model.binaries)
        if (given != values.end() || binary.mime_type.find("encoding=") == std::string::npos)
            binary.format = {.encoding = *encoding};
}

std::vector<HostParameter> scalar_outputs(const FmuDescription& model)
{
    const auto binaries = binary_names(model);
    std::vector<HostParameter> found;
    for (const auto& variable : model.variables) {
        const bool number =
            is_real(variable.type) || std::ranges::find(integers, variable.type, &IntegerRow::type) != integers.end();
        if (variable.causality == FmuCausality::output && number && !is_part_of(binaries, variable.name))
            found.push_back({.type = variable.type, .reference = variable.reference, .text = variable.name});
    }
    return found;
}

std::vector<HostParameter> read_parameters(const FmuDescription& model,
                                           const std::map<std::string, std::string>& values)
{
    std::vector<HostParameter> found;
    std::vector<std::string> names;
    const auto binaries = binary_names(model);
    for (const auto& variable : model.variables)
        if (variable.causality == FmuCausality::parameter && !is_part_of(binaries, variable.name))
            names.push_back(variable.name);
    for (const auto& [name, value] : values) {
        if (std::ranges::find(names, name) == names.end())
            throw Error(Cause::mismatch, "has no parameter '" + name + "'" + names_like(name, names));
        found.push_back(read_parameter(*std::ranges::find(model.variables, name, &FmuVariable::name), value));
    }
    return found;
}

}  // namespace ositrace::fmu
