// SPDX-License-Identifier: MPL-2.0
#include <ositrace/libprotobuf_text_parser.hpp>

#include <optional>

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/text/dynamic_messages.hpp"
#include "lib/text/json_parser.hpp"

namespace ositrace {

namespace {

using google::protobuf::Message;
using google::protobuf::TextFormat;

/// Keeps the first error; line and column count from 0, a tab reaches to the next multiple of 8.
class FirstError final : public google::protobuf::io::ErrorCollector {
public:
    explicit FirstError(std::string_view text) : text_(text) {}

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
    FirstError errors(text);
    TextFormat::Parser parser;
    parser.RecordErrorsTo(&errors);
    parser.AllowPartialMessage(true);
    parser.SetRecursionLimit(max_message_depth);
    google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
    const bool parsed = parser.Parse(&input, &into);
    if (errors.error) throw *errors.error;
    if (!parsed) throw Error(Cause::malformed, "libprotobuf cannot parse this text");
}

void serialize(const Message& message, ByteBuffer& out)
{
    const auto size = message.ByteSizeLong();
    if (size > max_encodable_bytes)
        throw Error(Cause::limit, "a message has at most 2147483647 bytes, this text makes " + std::to_string(size));
    out.clear(size);
    if (!message.SerializePartialToArray(out.reserve_back(size), static_cast<int>(size)))
        throw Error(Cause::malformed, "libprotobuf cannot serialize what this text says");
    out.commit_back(size);
}

class LibprotobufTextParser final : public TextParser {
public:
    void parse(std::string_view text, TextForm form, const MessageTable& root, const Schema& schema,
               ByteBuffer& out) const override
    {
        if (text.size() > max_encodable_bytes)
            throw Error(Cause::limit, "a message's text has at most 2147483647 bytes");
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
