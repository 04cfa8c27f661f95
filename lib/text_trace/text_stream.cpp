// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/text/text_boundary.hpp"
#include "formats/text/text_format_scanner.hpp"
#include "lib/text_trace/text_trace.hpp"
#include "lib/trace/recognition.hpp"
#include "lib/trace/time_notes.hpp"
#include "lib/trace/unfinished.hpp"

namespace ositrace {

namespace {

/// Walks on over text, as editors count.
void step_over(std::string_view text, std::uint64_t& line, std::uint64_t& column)
{
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    line += lines;
    if (lines != 0)
        column = text.size() - text.rfind('\n');
    else
        column += text.size();
}

}  // namespace

bool TextInput::read_more(const std::stop_token& stop)
{
    if (ended_) return false;
    buffer_.erase(0, front_);
    front_ = 0;
    const bool at_start = offset_ == 0 && buffer_.empty();
    const auto count = fill(stop);
    if (!at_start) return count != 0;
    while (buffer_.size() < byte_order_mark.size() && fill(stop) != 0) {
    }
    if (buffer_.starts_with(byte_order_mark)) offset_ = front_ = byte_order_mark.size();
    return count != 0;
}

std::size_t TextInput::fill(const std::stop_token& stop)
{
    const auto size = buffer_.size();
    buffer_.resize(size + read_bytes);
    const auto count = source_->read(std::as_writable_bytes(std::span(buffer_).subspan(size)), stop);
    buffer_.resize(size + count);
    ended_ = count == 0 && !stop.stop_requested();
    return count;
}

void TextInput::consume(std::size_t count)
{
    step_over(text().substr(0, count), line_, column_);
    front_ += count;
    offset_ += count;
}

std::string TextInput::place(std::size_t in_text) const
{
    auto line = line_;
    auto column = column_;
    step_over(text().substr(0, in_text), line, column);
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

namespace {

using Names = std::set<std::string, std::less<>>;

/// `in_braces`: also those that are at the beginning of a line, as a brace may be missing.
Names field_names(std::string_view text, TextForm form, bool in_braces)
{
    Names names;
    if (form == TextForm::json) {
        text::json_member_names(text, [&](std::string_view name) { names.emplace(name); });
        return names;
    }
    text::TextFormatScanner scanner;
    while (const auto stop = scanner.next(text))
        if (!stop->name.empty() && stop->name.front() != '[' && (in_braces || !stop->inside)) names.emplace(stop->name);
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
    } catch (const Error& error) {
        if (error.cause() == Cause::unsupported) throw;  // there is no parser
        return false;
    }
}

MessageType only_one(const std::vector<MessageType>& types, const std::filesystem::path& file)
{
    if (types.size() == 1) return types.front();
    const auto named = type_in_name(file.filename().string());
    std::string codes;
    for (const auto type : types) {
        if (named == type) return type;
        codes += (codes.empty() ? "" : ", ") + std::string(row_of(type).code);
    }
    throw Error(Cause::ambiguous, "the text could be any of " + codes + "; select one with --type");
}

/// The message types that have all the fields named in `front`, the beginning of a text; of a damaged one, those that
/// have most of them. Throws Error (malformed) when there is none.
std::vector<MessageType> types_with_fields_of(std::string_view front, TextForm form, const Schema& schema, bool damaged,
                                              bool in_braces = false)
{
    const auto names = field_names(front, form, in_braces);
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

/// Of these, the types as which the first message in `front` can be read, if it is complete there; else all of them.
std::vector<MessageType> readable_types(const std::vector<MessageType>& types, std::string_view front, TextForm form,
                                        const Schema& schema, const TextParser& parser)
{
    std::vector<MessageType> readable;
    for (const auto type : types)
        if (can_be_read(type, front, form, schema, parser)) readable.push_back(type);
    return readable.empty() ? types : readable;
}

MessageType recognize_type(const std::filesystem::path& file, std::string_view front, TextForm form,
                           const Schema& schema, const TextParser& parser, bool damaged)
try {
    auto types = types_with_fields_of(front, form, schema, damaged);
    if (types.size() != 1) types = readable_types(types, front, form, schema, parser);
    if (types.size() != 1 && damaged) types = types_with_fields_of(front, form, schema, damaged, true);
    return only_one(types, file);
} catch (const Error& error) {
    throw error.within({.file = file});
}

/// The one channel of a text. The name of the file decides between types that fit equally. Throws Error: ambiguous
/// (naming the candidates and `--type`; more text may help), malformed, mismatch when FlatBuffers are requested.
Channel recognize_text(const std::filesystem::path& file, std::string_view front, TextForm form,
                       const OpenOptions& options)
{
    if (options.encoding == Encoding::flatbuffers)
        throw Error(Cause::mismatch, {.file = file}, "is text, which is read as protobuf; leave out --input-encoding");
    auto schema = options.schema ? options.schema : Schema::built_in();
    const auto type = options.type
                          ? *options.type
                          : recognize_type(file, front, form, *schema, *options.text_parser, options.skip_bad_frames);
    auto channel = recognized_channel({type, {}}, std::move(schema));
    if (options.on_warning) channel.time_notes = std::make_shared<TimeNotes>(options.on_warning);
    return channel;
}

/// Of a text, before recognition must decide.
constexpr std::size_t max_recognition_text_bytes = std::size_t{4} << 20;

}  // namespace

TextStream::TextStream(std::unique_ptr<ByteSource> source, const ContainerTraits& container,
                       std::string_view compression, TextForm form, const OpenOptions& options)
    : input_(std::move(source)),
      form_(form),
      parser_(options.text_parser),
      max_message_bytes_(options.max_message_bytes),
      skip_bad_frames_(options.skip_bad_frames),
      follow_(options.follow),
      on_skip_(options.on_skip)
{
    info_.file = input_.source().name();
    info_.container = container;
    info_.compression = compression;
    if (parser_ == nullptr)
        throw Error(Cause::unsupported, {.file = info_.file},
                    "is text, which is not read here: 'osiconvert convert' writes it as .osi or .mcap");
    recognize(options);
    splitter_ = make_splitter();
}

std::unique_ptr<text::MessageSplitter> TextStream::make_splitter() const
{
    return form_ == TextForm::json ? text::json_splitter()
                                   : text::text_format_splitter(*info_.channels.front().root, skip_bad_frames_);
}

void TextStream::recognize(const OpenOptions& options)
{
    for (std::size_t enough = 0;;) {
        if (input_.text().size() >= enough || input_.ended()) {
            try {
                info_.channels.assign(1, recognize_text(info_.file, input_.text(), form_, options));
                return;
            } catch (const Error& error) {
                if (error.cause() != Cause::ambiguous || input_.ended() || enough >= max_recognition_text_bytes) throw;
            }
            enough = input_.text().size() * 2;
        }
        if (!input_.read_more(options.stop) && options.stop.stop_requested())
            throw Error(Cause::cancelled, {.file = info_.file}, "stopped while waiting for the first frame");
    }
}

bool TextStream::read(Frame& frame, std::stop_token stop)
{
    while (const auto range = next_message(stop)) {
        const bool parsed = parse(*range, frame);
        if (parsed)
            splitter_->was_read();
        else if (range->restart)
            splitter_->restart();
        input_.consume(parsed ? range->end : range->restart.value_or(range->end));
        if (parsed) return true;
    }
    return false;
}

std::optional<text::MessageRange> TextStream::next_message(const std::stop_token& stop)
{
    for (;;) {
        try {
            if (auto range = splitter_->next(input_.text(), input_.ended())) return range;
            check_size(input_.text().size());
        } catch (const Error& error) {
            const auto seen = seen_from_file(error, 0);
            if (!skip_bad_frames_) throw seen;
            if (const auto restart = splitter_->restart_seen())
                pass_message(*restart, seen);
            else
                pass_damage(error.where().offset.value_or(0), seen, stop);
            continue;
        }
        if (input_.ended()) return std::nullopt;
        if (!input_.read_more(stop) && stop.stop_requested()) {
            if (follow_) report_unfinished();
            return std::nullopt;
        }
    }
}

/// At a stop.
void TextStream::report_unfinished()
{
    follow_ = false;  // once
    const auto begin = input_.text().find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !on_skip_) return;
    on_skip_(unfinished(info_.file, next_index_, input_.offset() + begin, input_.text().size() - begin));
}

/// To where the next message begins in text().
void TextStream::pass_message(std::size_t next, const Error& problem)
{
    if (on_skip_) on_skip_({next_index_, input_.offset(), next, problem});
    splitter_->restart();
    input_.consume(next);
}

/// What is no object of JSON ends with its line. In the text format nothing marks where the next message begins.
void TextStream::pass_damage(std::uint64_t begin, const Error& problem, const std::stop_token& stop)
{
    input_.consume(static_cast<std::size_t>(begin));
    const auto offset = input_.offset();
    for (;;) {
        const auto end = form_ == TextForm::json ? input_.text().find('\n') : std::string_view::npos;
        input_.consume(end == std::string_view::npos ? input_.text().size() : end + 1);
        if (end != std::string_view::npos || !input_.read_more(stop)) break;
    }
    splitter_ = make_splitter();
    if (on_skip_) on_skip_({next_index_, offset, input_.offset() - offset, problem});
}

void TextStream::check_size(std::size_t bytes) const
{
    if (bytes > max_message_bytes_)
        throw Error(Cause::limit, {.offset = 0}, "the text of a message" + exceeds_limit(max_message_bytes_));
}

bool TextStream::parse(const text::MessageRange& range, Frame& frame)
{
    const auto& channel = info_.channels.front();
    auto payload = std::make_shared<ByteBuffer>();
    const auto offset = input_.offset() + range.begin;
    try {
        check_size(range.end - range.begin);
        if (range.cut_off && !range.restart)
            throw Error(Cause::truncated, {.offset = 0},
                        "the file is truncated: it ends in the object that begins here");
        if (range.partial)
            throw Error(Cause::truncated, {.offset = 0}, "a part of a message, whose beginning is damaged");
        parser_->parse(input_.text().substr(range.begin, range.end - range.begin), form_, *channel.root,
                       *channel.schema, *payload);
    } catch (const Error& error) {
        const auto seen = seen_from_file(not_closed(error, range), range.begin);
        if (!skip_bad_frames_ || seen.cause() == Cause::unsupported) throw seen;
        if (range.restart) {
            if (on_skip_)
                on_skip_({next_index_, offset, *range.restart - range.begin, seen, 0, range.indented ? 1U : 0U});
            return false;
        }
        const auto end = input_.text().substr(0, range.end).find_last_not_of('\0') + 1;
        if (end == range.end || end <= range.begin) {
            if (on_skip_) on_skip_({next_index_, offset, range.end - range.begin, seen});
            return false;
        }
        // Zeros after a message, which may be whole.
        const bool whole = parse({range.begin, end, range.cut_off}, frame);
        if (on_skip_) on_skip_({next_index_, input_.offset() + end, range.end - end, seen});
        return whole;
    }
    frame = Frame{};
    frame.bytes = payload->bytes();
    frame.owner = std::move(payload);
    frame.index = next_index_++;
    frame.offset = offset;
    return true;
}

/// A brace that is missing may show only where the next message begins.
Error TextStream::not_closed(const Error& error, const text::MessageRange& range) const
{
    const auto inside = error.where().offset;
    if (!range.restart || !inside || range.begin + *inside < *range.restart) return error;
    return Error(Cause::truncated, {.offset = *range.restart - range.begin},
                 "the next message begins here, but a brace of the one before, from " + input_.place(range.begin) +
                     ", is not closed");
}

Error TextStream::seen_from_file(const Error& error, std::size_t begin) const
{
    const auto inside = begin + error.where().offset.value_or(0);
    Location where = error.where();
    where.file = info_.file;
    where.frame = next_index_;
    where.offset = input_.offset() + inside;
    return error.reworded(input_.place(inside) + ": " + error.reason()).moved_to(where);
}

}  // namespace ositrace
