// SPDX-License-Identifier: MPL-2.0
#include <ositrace/libprotobuf_text_parser.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "lib/text/descriptor_pool.hpp"

namespace ositrace {

namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::Message;
using google::protobuf::TextFormat;

/// The prefix of type URLs in JSON.
constexpr const char* type_url_prefix = "type.googleapis.com";

constexpr const char* descriptor_file = "google/protobuf/descriptor.proto";

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

/// Builds the files of a FileDescriptorSet in `pool`. Every value in a trace must be kept, so enums are open (a number
/// without a name is kept) while every field keeps its presence: proto2 files are built as proto3 with `optional` on
/// each singular field. Options and extensions are dropped, so google/protobuf/descriptor.proto is not needed. Throws
/// Error (malformed, limit).
void build_open(Bytes descriptor_set, DescriptorPool& pool)
{
    auto set = parse_descriptor_set(descriptor_set);
    auto& files = *set.mutable_file();
    files.erase(std::remove_if(files.begin(), files.end(), [](auto& file) { return file.name() == descriptor_file; }),
                files.end());
    for (auto& file : files) make_open(file);
    build_files(set, pool);
}

/// The descriptors of one schema, for libprotobuf. Thread-safe.
class DynamicMessages {
public:
    explicit DynamicMessages(Bytes descriptor_set);

    [[nodiscard]] bool is_of(Bytes descriptor_set) const noexcept;
    /// An empty message. Throws Error (mismatch) if the schema does not define the type.
    [[nodiscard]] std::unique_ptr<google::protobuf::Message> message(std::string_view full_name);
    /// For libprotobuf's JSON parser.
    [[nodiscard]] google::protobuf::util::TypeResolver& resolver() noexcept { return *resolver_; }

private:
    std::vector<std::byte> descriptor_set_;
    google::protobuf::DescriptorPool pool_;
    google::protobuf::DynamicMessageFactory factory_;
    std::unique_ptr<google::protobuf::util::TypeResolver> resolver_;
};

/// The descriptors of the last few schemas. Thread-safe.
class DynamicMessageCache {
public:
    [[nodiscard]] std::shared_ptr<DynamicMessages> of(Bytes descriptor_set);

private:
    static constexpr std::size_t most = 8;
    std::mutex mutex_;
    std::vector<std::shared_ptr<DynamicMessages>> known_;
};

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

/// Keeps the first error; line and column count from 0, a tab advances to the next multiple of 8.
class FirstParseError final : public google::protobuf::io::ErrorCollector {
public:
    explicit FirstParseError(std::string_view text) : text_(text) {}

    void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override
    {
        if (!error) error = Error(Cause::malformed, {.offset = offset_of(line, column)}, message);
    }
    void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}

    std::optional<Error> error;

private:
    [[nodiscard]] std::optional<std::uint64_t> offset_of(int line, int column) const
    {
        if (line < 0) return std::nullopt;
        std::size_t place = 0;
        for (; line > 0; --line) {
            const auto end = text_.find('\n', place);
            if (end == std::string_view::npos) return text_.size();
            place = end + 1;
        }
        for (int reached = 0; reached < column && place < text_.size() && text_[place] != '\n'; ++place)
            reached += text_[place] == '\t' ? 8 - reached % 8 : 1;
        return place;
    }

    std::string_view text_;
};

void parse_text_format(std::string_view text, Message& into)
{
    FirstParseError errors(text);
    TextFormat::Parser parser;
    parser.RecordErrorsTo(&errors);
    parser.AllowPartialMessage(true);
    parser.SetRecursionLimit(max_message_depth);
    google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
    const bool parsed = parser.Parse(&input, &into);
    if (errors.error) throw *errors.error;
    if (!parsed) throw Error(Cause::malformed, "libprotobuf cannot parse this text");
}

std::string_view line(std::string_view text, int number)
{
    for (; number > 0; --number) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// libprotobuf prints a piece of the text with a caret under it instead of a position. The position is known only if
/// the piece occurs once.
std::optional<std::uint64_t> position_in(std::string_view text, std::string_view message)
{
    const auto piece = line(message, 1);
    const auto caret = line(message, 2).find('^');
    if (piece.empty() || caret == std::string_view::npos) return std::nullopt;
    const auto place = text.find(piece);
    if (place == std::string_view::npos || text.find(piece, place + 1) != std::string_view::npos) return std::nullopt;
    return place + caret;
}

/// Fills an empty message from a JSON object. Throws Error (malformed), with the offset in the text if it is known.
void parse_json(std::string_view text, DynamicMessages& messages, google::protobuf::Message& into)
{
    const auto& type = into.GetDescriptor()->full_name();
    std::string bytes;
    const auto status = google::protobuf::util::JsonToBinaryString(
        &messages.resolver(), std::string(type_url_prefix) + '/' + type, {text.data(), text.size()}, &bytes);
    const std::string message(status.message().data(), status.message().size());
    if (!status.ok()) throw Error(Cause::malformed, {.offset = position_in(text, message)}, line(message, 0));
    if (!into.ParsePartialFromString(bytes))
        throw Error(Cause::malformed, "libprotobuf cannot parse the Protobuf message that it wrote for this object");
}

void serialize(const Message& message, ByteBuffer& out)
{
    const auto size = message.ByteSizeLong();
    if (size > max_encodable_bytes)
        throw Error(Cause::limit,
                    "a message of " + std::to_string(size) + " bytes exceeds the limit of 2147483647 bytes");
    out.clear(size);
    if (!message.SerializePartialToArray(out.reserve_back(size), static_cast<int>(size)))
        throw Error(Cause::malformed, "libprotobuf cannot serialize the message");
    out.commit_back(size);
}

class LibprotobufTextParser final : public TextParser {
public:
    void parse(std::string_view text, TextForm form, const MessageTable& root, const Schema& schema,
               ByteBuffer& out) const override
    {
        if (text.size() > max_encodable_bytes)
            throw Error(Cause::limit, "the text of a message exceeds the limit of 2147483647 bytes");
        const google::protobuf::LogSilencer no_printing;
        const auto messages = cache_.of(schema.descriptor_set());
        const auto message = messages->message(root.full_name);
        if (form == TextForm::json)
            parse_json(text, *messages, *message);
        else
            parse_text_format(text, *message);
        serialize(*message, out);
    }

private:
    mutable DynamicMessageCache cache_;  // thread-safe
};

}  // namespace

std::shared_ptr<const TextParser> libprotobuf_text_parser() { return std::make_shared<const LibprotobufTextParser>(); }

}  // namespace ositrace
