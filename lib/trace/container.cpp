// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/container.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "lib/mcap/mcap_writer.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/trace/length_prefixed_writer.hpp"
#include "lib/trace/open_length_prefixed.hpp"
#include "lib/trace/text_input.hpp"
#include "lib/trace/text_stream.hpp"
#include "lib/trace/text_trace.hpp"
#include "lib/trace/text_writer.hpp"

namespace ositrace {

namespace {

constexpr std::string_view mcap_magic = "\x89MCAP";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view text_in(Bytes front)
{
    const auto text = text_of(front);
    return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

/// Four printable bytes are a length of 512 MiB or more, so no text is mistaken for a frame within the default limit.
bool is_text(Bytes front)
{
    const auto text = text_in(front);
    const auto printable = [](char c) { return is_space(c) || (c >= ' ' && c != '\x7f'); };
    return front.size() >= 4 && std::all_of(text.begin(), text.end(), printable) &&
           !std::all_of(text.begin(), text.end(), is_space);
}

/// An array of JSON, not the name of an extension as text format has it: `[my.extension] {`.
bool is_array(std::string_view text)
{
    const auto inside = std::find_if_not(text.begin() + 1, text.end(), is_space);
    return text.front() == '[' &&
           (inside == text.end() || (std::isalpha(static_cast<unsigned char>(*inside)) == 0 && *inside != '_'));
}

bool is_json(Bytes front)
{
    if (!is_text(front)) return false;
    auto text = text_in(front);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r"), text.size()));
    return text.starts_with('{') || is_array(text);
}

bool is_mcap(Bytes front) { return text_of(front).starts_with(mcap_magic); }

bool is_anything(Bytes) { return true; }

std::unique_ptr<TraceWriter> create_length_prefixed(const std::filesystem::path& file, const TraceInfo&,
                                                    const CompressorRow* compression, const WriteOptions& options)
{
    return std::make_unique<LengthPrefixedWriter>(file, compression, options);
}

std::unique_ptr<TraceWriter> create_mcap(const std::filesystem::path& file, const TraceInfo& info,
                                         const CompressorRow* compression, const WriteOptions& options)
{
    if (compression)
        throw Error(Cause::unsupported, {.file = file}, "an MCAP file compresses its chunks; name the output *.mcap");
    return std::make_unique<McapWriter>(file, info, options);
}

template <const std::string_view& Container, TextForm Form>
std::unique_ptr<FrameSource> open_text_stream(std::unique_ptr<ByteSource> source, std::string_view compression,
                                              const OpenOptions& options)
{
    return std::make_unique<TextStream>(std::move(source), Container, compression, Form, options);
}

template <const std::string_view& Container, TextForm Form>
std::shared_ptr<const Trace> open_text_trace(SeekableFile file, std::string_view compression,
                                             const OpenOptions& options)
{
    auto source = std::make_unique<SeekableSource>(std::make_shared<const SeekableFile>(std::move(file)));
    TextStream text(std::move(source), Container, compression, Form, options);
    return spooled_trace(text, options);
}

template <TextForm Form>
std::unique_ptr<TraceWriter> create_text(const std::filesystem::path& file, const TraceInfo& info,
                                         const CompressorRow* compression, const WriteOptions& options)
{
    return std::make_unique<TextWriter>(file, info, Form, compression, options);
}

constexpr std::string_view json_container = "json-lines";
constexpr std::string_view text_container = "text";

constexpr std::array rows{
    ContainerRow{mcap_container, is_mcap, open_mcap_stream, open_mcap_trace, false, create_mcap},
    ContainerRow{json_container, is_json, open_text_stream<json_container, TextForm::json>,
                 open_text_trace<json_container, TextForm::json>, true, create_text<TextForm::json>},
    ContainerRow{text_container, is_text, open_text_stream<text_container, TextForm::text_format>,
                 open_text_trace<text_container, TextForm::text_format>, true, create_text<TextForm::text_format>},
    ContainerRow{length_prefixed_container, is_anything, open_length_prefixed_stream, open_length_prefixed_trace, true,
                 create_length_prefixed},
};

}  // namespace

std::span<const ContainerRow> containers() noexcept { return rows; }

const ContainerRow& container_of(Bytes front) noexcept
{
    return *std::find_if(rows.begin(), rows.end() - 1, [&](const ContainerRow& row) { return row.recognizes(front); });
}

}  // namespace ositrace
