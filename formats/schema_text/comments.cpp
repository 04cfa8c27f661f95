// SPDX-License-Identifier: MPL-2.0
// Field numbers are those of google/protobuf/descriptor.proto.
#include "formats/schema_text/comments.hpp"

#include <ositrace/error.hpp>

#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

using Path = std::vector<std::uint32_t>;

constexpr std::uint32_t file_messages = 4, file_enums = 5, file_source_info = 9;
constexpr std::uint32_t message_fields = 2, message_messages = 3, message_enums = 4;
constexpr std::uint32_t enum_values = 2;
constexpr int max_declared_depth = 64;

/// The `place`-th field with this number; empty when there are fewer.
Bytes nth(Bytes message, std::uint32_t number, std::uint32_t place)
{
    wire::FieldReader reader(message);
    while (reader.next())
        if (reader.number() == number && place-- == 0) return reader.bytes();
    return {};
}

std::string_view name_in(Bytes declaration)
{
    wire::FieldReader reader(declaration);
    while (reader.next())
        if (reader.number() == 1) return reader.text();
    return {};
}

/// Names every declaration of a file by its path, as SourceCodeInfo has it.
class Declarations {
public:
    Declarations(Bytes file, std::string_view package)
    {
        list(file, {}, std::string(package), file_messages, file_enums, 0);
    }

    [[nodiscard]] const std::string* find(const Path& path) const
    {
        const auto found = names_.find(key(path));
        return found == names_.end() ? nullptr : &found->second;
    }

private:
    static std::string key(const Path& path)
    {
        std::string text;
        for (const auto part : path) text += std::to_string(part) + ' ';
        return text;
    }

    void list(Bytes scope, const Path& path, const std::string& name, std::uint32_t messages, std::uint32_t enums,
              int depth)
    {
        if (depth > max_declared_depth) return;
        std::uint32_t message = 0, enumeration = 0;
        wire::FieldReader reader(scope);
        while (reader.next()) {
            if (reader.number() == messages)
                list_message(reader.bytes(), below(path, messages, message++), name, depth);
            else if (reader.number() == enums)
                list_members(reader.bytes(), below(path, enums, enumeration++), name, enum_values);
        }
    }

    void list_message(Bytes message, const Path& path, const std::string& scope, int depth)
    {
        const auto name = list_members(message, path, scope, message_fields);
        list(message, path, name, message_messages, message_enums, depth + 1);
    }

    std::string list_members(Bytes declaration, const Path& path, const std::string& scope, std::uint32_t members)
    {
        auto name = (scope.empty() ? "" : scope + '.') + std::string(name_in(declaration));
        names_.emplace(key(path), name);
        std::uint32_t place = 0;
        wire::FieldReader reader(declaration);
        while (reader.next())
            if (reader.number() == members)
                names_.emplace(key(below(path, members, place++)), name + '.' + std::string(name_in(reader.bytes())));
        return name;
    }

    static Path below(Path path, std::uint32_t number, std::uint32_t place)
    {
        path.push_back(number);
        path.push_back(place);
        return path;
    }

    std::unordered_map<std::string, std::string> names_;
};

void read_path(const wire::FieldReader& reader, Path& path)
{
    if (reader.wire_type() == wire::varint) {
        path.push_back(static_cast<std::uint32_t>(reader.integer()));
        return;
    }
    const auto packed = reader.bytes();
    const auto* at = packed.data();
    const auto* const end = at + packed.size();
    std::uint64_t part = 0;
    while (at != end && (at = wire::read_varint(at, end, part)) != nullptr)
        path.push_back(static_cast<std::uint32_t>(part));
}

struct Remark {
    Path path;
    std::string_view leading, trailing;
};

Remark read_location(Bytes location)
{
    Remark remark;
    wire::FieldReader reader(location);
    while (reader.next()) {
        if (reader.number() == 1) read_path(reader, remark.path);
        if (reader.number() == 3) remark.leading = reader.text();
        if (reader.number() == 4) remark.trailing = reader.text();
    }
    return remark;
}

}  // namespace

SchemaComments::SchemaComments(Bytes descriptor_set)
{
    wire::FieldReader files(descriptor_set);
    while (files.next()) {
        const auto file = files.number() == 1 ? files.bytes() : Bytes{};
        const auto source_info = nth(file, file_source_info, 0);
        if (source_info.empty()) continue;
        const Declarations declarations(file, text_of(nth(file, 2, 0)));
        wire::FieldReader locations(source_info);
        while (locations.next()) {
            if (locations.number() != 1) continue;
            const auto remark = read_location(locations.bytes());
            const auto comment = remark.leading.empty() ? remark.trailing : remark.leading;
            const auto* const name = comment.empty() ? nullptr : declarations.find(remark.path);
            if (name != nullptr) by_name_.emplace(*name, comment);
        }
    }
}

std::string_view SchemaComments::of(const std::string& full_name) const
{
    const auto found = by_name_.find(full_name);
    return found == by_name_.end() ? std::string_view{} : found->second;
}

std::string_view SchemaComments::of(std::string_view scope, std::string_view name) const
{
    return of(std::string(scope).append(".").append(name));
}

std::vector<std::string> comment_lines(std::string_view comment)
{
    std::vector<std::string> lines;
    while (!comment.empty()) {
        const auto end = std::min(comment.find('\n'), comment.size());
        auto line = comment.substr(0, end);
        comment.remove_prefix(std::min(end + 1, comment.size()));
        if (line.starts_with(' ')) line.remove_prefix(1);
        while (!line.empty() &&
               (line.back() == ' ' || line.back() == '\t' || line.back() == '\r' || line.back() == '\\'))
            line.remove_suffix(1);
        if (!line.empty() || !lines.empty()) lines.emplace_back(line);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace ositrace
