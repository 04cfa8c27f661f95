// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/text_recognition.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/text/json_scanner.hpp"
#include "formats/text/text_format_scanner.hpp"

namespace ositrace {

namespace {

using Names = std::set<std::string, std::less<>>;

Names field_names(std::string_view text, TextForm form)
{
    Names names;
    if (form == TextForm::json) {
        text::JsonScanner::member_names(text, [&](std::string_view name) { names.emplace(name); });
        return names;
    }
    text::TextFormatScanner scanner;
    while (const auto stop = scanner.next(text))
        if (!stop->name.empty() && stop->name.front() != '[') names.emplace(stop->name);
    return names;
}

/// JSON may call `moving_object` `movingObject`.
std::string as_declared(std::string_view name)
{
    std::string declared;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z') declared += {'_', static_cast<char>(c - 'A' + 'a')};
        else declared += c;
    }
    return declared;
}

bool has_all(const MessageTable& table, const Names& names)
{
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return table.find(name) != nullptr || table.find(as_declared(name)) != nullptr; });
}

[[noreturn]] void refuse_names(const std::filesystem::path& file, const Names& names)
{
    constexpr std::size_t most = 5;
    std::string list;
    for (auto name = names.begin(); name != names.end() && std::distance(names.begin(), name) < static_cast<std::ptrdiff_t>(most); ++name)
        list += (list.empty() ? "" : ", ") + *name;
    throw Error(Cause::malformed, {.file = file},
                "no OSI message has the fields this text begins with (" + list + (names.size() > most ? ", ..." : "") + ')');
}

MessageType only_one(const std::filesystem::path& file, const std::vector<const MessageTypeRow*>& fitting)
{
    if (fitting.size() == 1) return fitting.front()->type;
    const auto name = parse_trace_name(file.filename().string());
    std::string codes;
    for (const auto* row : fitting) {
        if (name && name->type == row->type) return row->type;
        codes += (codes.empty() ? "" : ", ") + std::string(row->code);
    }
    throw Error(Cause::ambiguous, {.file = file}, "the text could be any of " + codes + "; say which by --type");
}

MessageType recognize_type(const std::filesystem::path& file, const Names& names, const Schema& schema)
{
    std::vector<const MessageTypeRow*> fitting;
    for (const auto& row : message_types()) {
        const auto* const table = schema.find(row.full_name);
        if (table != nullptr && has_all(*table, names)) fitting.push_back(&row);
    }
    if (fitting.empty()) refuse_names(file, names);
    return only_one(file, fitting);
}

}  // namespace

Channel recognize_text(const std::filesystem::path& file, std::string_view front, TextForm form, const OpenOptions& options)
{
    if (options.encoding == Encoding::flatbuffers)
        throw Error(Cause::mismatch, {.file = file}, "is text, which is read as protobuf; leave out --input-encoding");
    Channel channel;
    channel.schema = options.schema ? options.schema : Schema::built_in();
    channel.type = options.type ? *options.type : recognize_type(file, field_names(front, form), *channel.schema);
    channel.root = &channel.schema->root(*channel.type);
    channel.type_name = row_of(*channel.type).full_name;
    channel.topic = row_of(*channel.type).name;
    return channel;
}

}  // namespace ositrace
