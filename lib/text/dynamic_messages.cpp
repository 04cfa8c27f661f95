// SPDX-License-Identifier: MPL-2.0
#include "lib/text/dynamic_messages.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/util/type_resolver_util.h>

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

class FirstBuildError final : public DescriptorPool::ErrorCollector {
public:
    void AddError(const std::string&, const std::string& element, const google::protobuf::Message*, ErrorLocation,
                  const std::string& message) override
    {
        if (text.empty()) text = element + ": " + message;
    }
    std::string text;
};

/// The first value of a proto3 enum is 0.
void make_open(EnumDescriptorProto& type)
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

void make_open(FieldDescriptorProto& field, DescriptorProto& message)
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

void make_open(DescriptorProto& message)
{
    const bool map_entry = message.options().map_entry();
    message.clear_options();
    message.clear_extension();
    message.clear_extension_range();
    for (auto& type : *message.mutable_enum_type()) make_open(type);
    for (auto& nested : *message.mutable_nested_type()) make_open(nested);
    if (map_entry) {
        message.mutable_options()->set_map_entry(true);
        return;
    }
    for (auto& field : *message.mutable_field()) make_open(field, message);
}

void make_open(FileDescriptorProto& file)
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
    for (auto& type : *file.mutable_enum_type()) make_open(type);
    for (auto& message : *file.mutable_message_type()) make_open(message);
}

/// Builds a file after its imports.
class OpenFileBuilder {
public:
    OpenFileBuilder(FileDescriptorSet& set, DescriptorPool& pool) : pool_(pool)
    {
        for (auto& file : *set.mutable_file()) files_.emplace(file.name(), &file);
    }

    void build(const std::string& name)
    {
        const auto found = files_.find(name);
        if (found == files_.end()) return;  // the file that imports it reports the error
        auto& file = *found->second;
        files_.erase(found);
        if (name == descriptor_file) return;
        make_open(file);
        for (const auto& needed : file.dependency()) build(needed);
        FirstBuildError error;
        if (pool_.BuildFileCollectingErrors(file, &error) == nullptr)
            throw Error(Cause::malformed, "libprotobuf refuses the schema: " + name + ": " + error.text);
    }

private:
    DescriptorPool& pool_;
    std::unordered_map<std::string, FileDescriptorProto*> files_;
};

/// Builds the files of a FileDescriptorSet in `pool`. Every value in a trace must be kept, so enums are open (a number
/// without a name is kept) while every field keeps its presence: proto2 files are built as proto3 with `optional` on
/// each singular field. Options and extensions are dropped, so google/protobuf/descriptor.proto is not needed. Throws
/// Error (malformed).
void build_open(Bytes descriptor_set, DescriptorPool& pool)
{
    FileDescriptorSet set;
    if (!set.ParseFromArray(descriptor_set.data(), static_cast<int>(descriptor_set.size())))
        throw Error(Cause::malformed, "libprotobuf cannot parse the schema's descriptor set");
    OpenFileBuilder builder(set, pool);
    for (int i = 0; i < set.file_size(); ++i) builder.build(std::string(set.file(i).name()));
}

}  // namespace

DynamicMessages::DynamicMessages(Bytes descriptor_set)
    : descriptor_set_(descriptor_set.begin(), descriptor_set.end()), factory_(&pool_)
{
    build_open(descriptor_set, pool_);
    resolver_.reset(google::protobuf::util::NewTypeResolverForDescriptorPool(type_url_prefix, &pool_));
}

bool DynamicMessages::is_of(Bytes descriptor_set) const noexcept
{
    return text_of(descriptor_set_) == text_of(descriptor_set);
}

std::unique_ptr<google::protobuf::Message> DynamicMessages::message(std::string_view full_name)
{
    const auto* const type = pool_.FindMessageTypeByName(std::string(full_name));
    if (type == nullptr) throw Error(Cause::mismatch, "the schema has no message " + std::string(full_name));
    return std::unique_ptr<google::protobuf::Message>(factory_.GetPrototype(type)->New());
}

std::shared_ptr<DynamicMessages> DynamicMessageCache::of(Bytes descriptor_set)
{
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const auto& known) { return known->is_of(descriptor_set); });
    if (found != known_.end()) return *found;
    if (known_.size() == most) known_.erase(known_.begin());
    return known_.emplace_back(std::make_shared<DynamicMessages>(descriptor_set));
}

}  // namespace ositrace
