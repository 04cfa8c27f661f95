// SPDX-License-Identifier: MPL-2.0
// Field numbers are those of google/protobuf/descriptor.proto.
#include "formats/descriptors/descriptor_files.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <ositrace/schema_text.hpp>

#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

constexpr std::string_view descriptor_proto = "google/protobuf/descriptor.proto";

struct File {
    Bytes record;  ///< with tag and length, as it is in the set
    std::string_view name;
    std::vector<std::string_view> imports;
    bool wanted = false;
};

File read_file(Bytes descriptor, Bytes record)
{
    File file{record, {}, {}};
    wire::FieldReader field(descriptor, descriptor.data());
    while (field.next()) {
        if (field.number() == 1) file.name = field.text();
        if (field.number() == 3) file.imports.push_back(field.text());
    }
    return file;
}

std::vector<File> read_files(Bytes set)
{
    std::vector<File> files;
    wire::FieldReader field(set, set.data());
    while (field.next())
        if (field.number() == 1) files.push_back(read_file(field.bytes(), field.field()));
    return files;
}

void append(std::vector<std::byte>& out, Bytes bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

}  // namespace

std::vector<std::byte> with_imports(Bytes descriptor_set, std::string_view file)
{
    auto files = read_files(descriptor_set);
    std::map<std::string_view, File*> by_name;
    for (auto& candidate : files) by_name.emplace(candidate.name, &candidate);

    std::vector<std::string_view> open{file};
    while (!open.empty()) {
        const auto found = by_name.find(open.back());
        open.pop_back();
        if (found == by_name.end() || std::exchange(found->second->wanted, true)) continue;
        open.insert(open.end(), found->second->imports.begin(), found->second->imports.end());
    }
    std::vector<std::byte> result;
    for (const auto& candidate : files)
        if (candidate.wanted) append(result, candidate.record);
    return with_descriptor_proto(result);
}

std::vector<std::byte> with_descriptor_proto(Bytes descriptor_set)
{
    const auto files = read_files(descriptor_set);
    const auto imports_it = [](const File& file) { return std::ranges::count(file.imports, descriptor_proto) != 0; };
    std::vector<std::byte> result;
    if (std::ranges::any_of(files, imports_it) && std::ranges::count(files, descriptor_proto, &File::name) == 0)
        append(result, embedded_descriptor_proto());
    append(result, descriptor_set);
    return result;
}

std::vector<std::byte> complete_descriptor_set(const Schema& schema)
{
    return with_descriptor_proto(schema.descriptor_set());
}

}  // namespace ositrace
