// SPDX-License-Identifier: MPL-2.0
#include "lib/text/open_descriptors.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <google/protobuf/descriptor.pb.h>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

constexpr const char* descriptor_file = "google/protobuf/descriptor.proto";

class FirstError final : public DescriptorPool::ErrorCollector {
public:
    void AddError(const std::string&, const std::string& element, const google::protobuf::Message*, ErrorLocation,
                  const std::string& message) override
    {
        if (text.empty()) text = element + ": " + message;
    }
    std::string text;
};

/// proto3 begins every enum with 0.
void open(EnumDescriptorProto& type)
{
    type.clear_options();
    auto& values = *type.mutable_value();
    for (auto& value : values) value.clear_options();
    const auto zero = std::find_if(values.begin(), values.end(), [](const auto& value) { return value.number() == 0; });
    if (zero == values.end()) {
        auto& added = *type.add_value();
        added.set_name(type.name() + "_WITHOUT_A_NAME");
        added.set_number(0);
        std::rotate(values.pointer_begin(), values.pointer_end() - 1, values.pointer_end());
    } else {
        std::rotate(values.pointer_begin(), values.pointer_begin() + (zero - values.begin()),
                    values.pointer_begin() + (zero - values.begin()) + 1);
    }
    type.mutable_options()->set_allow_alias(true);
    bool aliases = false;
    for (int i = 0; i < values.size(); ++i)
        for (int j = 0; j < i; ++j) aliases = aliases || values[i].number() == values[j].number();
    if (!aliases) type.clear_options();
}

void open(FieldDescriptorProto& field, DescriptorProto& message)
{
    const bool packed = field.options().packed();
    field.clear_options();
    field.clear_default_value();
    if (field.label() == FieldDescriptorProto::LABEL_REPEATED) {
        if (packed || field.type() < FieldDescriptorProto::TYPE_STRING ||
            field.type() > FieldDescriptorProto::TYPE_BYTES)
            field.mutable_options()->set_packed(packed);
        return;
    }
    field.set_label(FieldDescriptorProto::LABEL_OPTIONAL);
    if (field.has_oneof_index()) return;
    field.set_proto3_optional(true);
    field.set_oneof_index(message.oneof_decl_size());
    message.add_oneof_decl()->set_name("_" + field.name());
}

void open(DescriptorProto& message)
{
    const bool map_entry = message.options().map_entry();
    message.clear_options();
    message.clear_extension();
    message.clear_extension_range();
    for (auto& type : *message.mutable_enum_type()) open(type);
    for (auto& nested : *message.mutable_nested_type()) open(nested);
    if (map_entry) {
        message.mutable_options()->set_map_entry(true);
        return;
    }
    for (auto& field : *message.mutable_field()) open(field, message);
}

void open(FileDescriptorProto& file)
{
    file.clear_options();
    file.clear_extension();
    file.clear_service();
    file.clear_source_code_info();
    auto& needed = *file.mutable_dependency();
    needed.erase(std::remove(needed.begin(), needed.end(), descriptor_file), needed.end());
    file.clear_public_dependency();
    file.clear_weak_dependency();
    for (int i = 0; i < file.dependency_size(); ++i) file.add_public_dependency(i);
    if (file.syntax() == "proto3") return;
    file.set_syntax("proto3");
    for (auto& type : *file.mutable_enum_type()) open(type);
    for (auto& message : *file.mutable_message_type()) open(message);
}

/// Builds a file behind what it imports.
class Builder {
public:
    Builder(FileDescriptorSet& set, DescriptorPool& pool) : pool_(pool)
    {
        for (auto& file : *set.mutable_file()) files_.emplace(file.name(), &file);
    }

    void build(const std::string& name)
    {
        const auto found = files_.find(name);
        if (found == files_.end()) return;  // what misses it will say so
        auto& file = *found->second;
        files_.erase(found);
        if (name == descriptor_file) return;
        open(file);
        for (const auto& needed : file.dependency()) build(needed);
        FirstError error;
        if (pool_.BuildFileCollectingErrors(file, &error) == nullptr)
            throw Error(Cause::malformed, "libprotobuf refuses the schema: " + name + ": " + error.text);
    }

private:
    DescriptorPool& pool_;
    std::unordered_map<std::string, FileDescriptorProto*> files_;
};

}  // namespace

void build_open(Bytes descriptor_set, DescriptorPool& pool)
{
    FileDescriptorSet set;
    if (!set.ParseFromArray(descriptor_set.data(), static_cast<int>(descriptor_set.size())))
        throw Error(Cause::malformed, "libprotobuf cannot parse the schema's descriptor set");
    Builder builder(set, pool);
    for (int i = 0; i < set.file_size(); ++i) builder.build(std::string(set.file(i).name()));
}

}  // namespace ositrace
