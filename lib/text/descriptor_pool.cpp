// SPDX-License-Identifier: MPL-2.0
#include "lib/text/descriptor_pool.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

class FirstBuildError final : public DescriptorPool::ErrorCollector {
public:
    void AddError(const std::string&, const std::string& element, const google::protobuf::Message*, ErrorLocation,
                  const std::string& message) override
    {
        if (text.empty()) text = element + ": " + message;
    }
    std::string text;
};

/// Builds a file after its imports.
class FileBuilder {
public:
    FileBuilder(const FileDescriptorSet& set, DescriptorPool& pool) : pool_(pool)
    {
        for (const auto& file : set.file()) waiting_.emplace(file.name(), &file);
    }

    void build(const std::string& name)
    {
        const auto node = waiting_.extract(name);
        if (!node) return;  // built before, or missing: the file that imports it reports the error
        for (const auto& needed : node.mapped()->dependency()) build(needed);
        FirstBuildError error;
        const auto* const file = pool_.BuildFileCollectingErrors(*node.mapped(), &error);
        if (file == nullptr)
            throw Error(Cause::malformed, "libprotobuf refuses the schema: " + name + ": " + error.text);
        built_.push_back(file);
    }

    [[nodiscard]] const std::vector<const FileDescriptor*>& built() const noexcept { return built_; }

private:
    DescriptorPool& pool_;
    std::unordered_map<std::string_view, const FileDescriptorProto*> waiting_;
    std::vector<const FileDescriptor*> built_;
};

}  // namespace

FileDescriptorSet parse_descriptor_set(Bytes bytes)
{
    constexpr int most_files = 1000;
    FileDescriptorSet set;
    if (!set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        throw Error(Cause::malformed, "libprotobuf cannot parse the schema's descriptor set");
    if (set.file_size() > most_files)
        throw Error(Cause::limit, "the number of files of a schema (" + std::to_string(set.file_size()) +
                                      ") exceeds the limit of " + std::to_string(most_files));
    return set;
}

std::vector<const FileDescriptor*> build_files(const FileDescriptorSet& set, DescriptorPool& pool)
{
    FileBuilder builder(set, pool);
    for (const auto& file : set.file()) builder.build(file.name());
    return builder.built();
}

}  // namespace ositrace
