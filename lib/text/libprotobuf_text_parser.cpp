// SPDX-License-Identifier: MPL-2.0
#include <ositrace/libprotobuf_text_parser.hpp>

#include <optional>
#include <string>
#include <string_view>

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/text/dynamic_messages.hpp"

namespace ositrace {

namespace {

using google::protobuf::Message;
using google::protobuf::TextFormat;

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
        throw Error(Cause::limit, "a message has at most 2147483647 bytes, found " + std::to_string(size));
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
