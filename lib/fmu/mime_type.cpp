// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/mime_type.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

std::string_view take_part(std::string_view& text)
{
    const auto end = std::min(text.find(';'), text.size());
    const auto part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

bool same_word(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<OsiVersion> read_version(std::string_view text)
{
    OsiVersion version;
    const auto* at = text.data();
    const auto* const end = at + text.size();
    for (auto* const part : {&version.major, &version.minor, &version.patch}) {
        if (part != &version.major && (at == end || *at++ != '.')) return std::nullopt;
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc()) return std::nullopt;
        at = next;
    }
    return at == end ? std::optional(version) : std::nullopt;
}

std::optional<MessageType> type_named(std::string_view name)
{
    for (const auto& row : message_types())
        if (row.name == name || row.full_name == name) return row.type;
    return std::nullopt;
}

void read_parameter(std::string_view name, std::string_view value, OsiMimeType& to)
{
    if (same_word(name, "type")) {
        to.type_name = value;
        to.type = type_named(value);
    } else if (same_word(name, "version")) {
        to.version = read_version(value);
    } else if (same_word(name, "encoding")) {
        const auto encoding = encoding_named(value);
        if (!encoding)
            throw Error(Cause::unsupported,
                        "unknown encoding '" + std::string(value) + "' (known: protobuf, flatbuffers)");
        to.format.encoding = *encoding;
    } else if (same_word(name, "layout")) {
        const auto layout = layout_named(value);
        if (!layout)
            throw Error(Cause::unsupported, "unknown layout '" + std::string(value) + "' (known: numbered, declared)");
        to.format.layout = *layout;
    }
}

}  // namespace

std::optional<OsiMimeType> read_osi_mime_type(std::string_view text)
{
    if (!same_word(take_part(text), "application/x-open-simulation-interface")) return std::nullopt;
    OsiMimeType found;
    while (!text.empty()) {
        const auto part = take_part(text);
        const auto equals = std::min(part.find('='), part.size());
        auto value = trimmed(part.substr(std::min(equals + 1, part.size())));
        if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        read_parameter(trimmed(part.substr(0, equals)), value, found);
    }
    if (found.format.encoding == Encoding::protobuf) found.format.layout = Layout::numbered;
    return found;
}

}  // namespace ositrace::fmu
