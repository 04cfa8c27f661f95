// SPDX-License-Identifier: MPL-2.0
#include <ositrace/proto_files.hpp>

#include <algorithm>
#include <filesystem>

#include <google/protobuf/stubs/logging.h>

#include <ositrace/error.hpp>
#include <ositrace/schema_text.hpp>

#include "lib/text/descriptor_pool.hpp"

namespace ositrace {

namespace {

/// `a/b.proto`; no other form of it, no `/a`, no `../a`.
bool stays_in_a_folder(const std::string& name)
{
    const std::filesystem::path path(name);
    return path.has_filename() && path.is_relative() && path.lexically_normal().generic_string() == name &&
           *path.begin() != ".." && std::ranges::none_of(name, [](char c) { return c == '\0' || c == '\\'; });
}

}  // namespace

std::vector<ProtoFile> proto_files(const Schema& schema)
{
    const google::protobuf::LogSilencer no_printing;
    const auto set = parse_descriptor_set(complete_descriptor_set(schema));
    google::protobuf::DescriptorPool pool;
    google::protobuf::DebugStringOptions with_comments;
    with_comments.include_comments = true;
    std::vector<ProtoFile> files;
    for (const auto* file : build_files(set, pool)) {
        if (!stays_in_a_folder(file->name()))
            throw Error(Cause::malformed, "'" + file->name() + "' in the schema is not the name of a file in a folder");
        files.push_back({file->name(), file->DebugStringWithOptions(with_comments)});
    }
    return files;
}

}  // namespace ositrace
