// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/text_recognition.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/text/json_scanner.hpp"
#include "formats/text/text_boundary.hpp"
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
        if (c >= 'A' && c <= 'Z')
            declared += {'_', static_cast<char>(c - 'A' + 'a')};
        else
            declared += c;
    }
    return declared;
}

std::size_t unknown_of(const MessageTable& table, const Names& names)
{
    return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
        return table.find(name) == nullptr && table.find(as_declared(name)) == nullptr;
    }));
}

[[noreturn]] void refuse(const Names& names)
{
    constexpr std::size_t most = 5;
    std::string list;
    std::size_t listed = 0;
    for (const auto& name : names)
        if (listed++ < most) list += (list.empty() ? "" : ", ") + name;
    throw Error(Cause::malformed, "no OSI message has the fields that this text begins with (" + list +
                                      (names.size() > most ? ", ..." : "") + ')');
}

bool can_be_read(MessageType type, std::string_view front, TextForm form, const Schema& schema,
                 const TextParser& parser)
{
    const auto& root = schema.root(type);
    const auto splitter = form == TextForm::json ? text::json_splitter() : text::text_format_splitter(root);
    try {
        ByteBuffer out;
        const auto first = splitter->next(front, false);
        if (first) parser.parse(front.substr(first->begin, first->end - first->begin), form, root, schema, out);
        return true;
    } catch (const Error&) {
        return false;
    }
}

MessageType only_one(const std::vector<MessageType>& types, const std::filesystem::path& file)
{
    if (types.size() == 1) return types.front();
    const auto name = parse_trace_name(file.filename().string());
    std::string codes;
    for (const auto type : types) {
        if (name && name->type == type) return type;
        codes += (codes.empty() ? "" : ", ") + std::string(row_of(type).code);
    }
    throw Error(Cause::ambiguous, "the text could be any of " + codes + "; say which by --type");
}

MessageType recognize_type(const std::filesystem::path& file, std::string_view front, TextForm form,
                           const Schema& schema, const TextParser& parser, bool damaged)
try {
    auto types = types_with_fields_of(front, form, schema, damaged);
    if (types.size() != 1) types = readable_types(types, front, form, schema, parser);
    return only_one(types, file);
} catch (const Error& error) {
    throw error.within({.file = file});
}

}  // namespace

std::vector<MessageType> types_with_fields_of(std::string_view front, TextForm form, const Schema& schema, bool damaged)
{
    const auto names = field_names(front, form);
    std::size_t least = damaged ? names.size() / 2 + 1 : 1;  // as many unknown names are too many
    std::vector<MessageType> types;
    for (const auto& row : message_types()) {
        const auto* const table = schema.find(row.full_name);
        if (table == nullptr) continue;
        const auto unknown = unknown_of(*table, names);
        if (unknown < least) types.clear();
        if (unknown < least || (unknown == least && !types.empty())) types.push_back(row.type);
        least = std::min(least, unknown);
    }
    if (types.empty()) refuse(names);
    return types;
}

std::vector<MessageType> readable_types(const std::vector<MessageType>& types, std::string_view front, TextForm form,
                                        const Schema& schema, const TextParser& parser)
{
    std::vector<MessageType> readable;
    for (const auto type : types)
        if (can_be_read(type, front, form, schema, parser)) readable.push_back(type);
    return readable.empty() ? types : readable;
}

Channel recognize_text(const std::filesystem::path& file, std::string_view front, TextForm form,
                       const OpenOptions& options)
{
    if (options.encoding == Encoding::flatbuffers)
        throw Error(Cause::mismatch, {.file = file}, "is text, which is read as protobuf; leave out --input-encoding");
    Channel channel;
    channel.schema = options.schema ? options.schema : Schema::built_in();
    channel.type = options.type ? *options.type
                                : recognize_type(file, front, form, *channel.schema, *options.text_parser,
                                                 options.skip_bad_frames);
    channel.root = &channel.schema->root(*channel.type);
    channel.type_name = row_of(*channel.type).full_name;
    channel.topic = row_of(*channel.type).name;
    return channel;
}

}  // namespace ositrace
