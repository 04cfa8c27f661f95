// SPDX-License-Identifier: MPL-2.0
#include "lib/open/container.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/length_prefixed/spooled_trace.hpp"
#include "lib/mcap/mcap_writer.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/open_drive/open_drive_stream.hpp"
#include "lib/text_trace/text_trace.hpp"

namespace ositrace {

namespace {

constexpr std::string_view mcap_magic = "\x89MCAP";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view text_in(Bytes front)
{
    const auto text = text_of(front);
    return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

/// Four printable bytes are a length of 512 MiB or more, so no frame within the default limit is mistaken for a text.
bool is_text(Bytes front)
{
    const auto text = text_in(front);
    const auto printable = [](char c) { return is_space(c) || (c >= ' ' && c != '\x7f'); };
    return front.size() >= 4 && std::all_of(text.begin(), text.end(), printable) &&
           !std::all_of(text.begin(), text.end(), is_space);
}

/// A JSON array, not the name of an extension in text format: `[my.extension] {`.
bool is_array(std::string_view text)
{
    const auto inside = std::find_if_not(text.begin() + 1, text.end(), is_space);
    return text.front() == '[' &&
           (inside == text.end() || (std::isalpha(static_cast<unsigned char>(*inside)) == 0 && *inside != '_'));
}

/// A file that ends before a length prefix would may be an empty message: `{}`.
bool is_json(Bytes front)
{
    constexpr std::size_t least = 4;
    if (front.size() >= least && !is_text(front)) return false;
    auto text = text_in(front);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r"), text.size()));
    if (front.size() < least) return text.starts_with("{}") || text.starts_with("[]");
    return text.starts_with('{') || is_array(text);
}

bool is_mcap(Bytes front) { return text_of(front).starts_with(mcap_magic); }

bool is_anything(Bytes) { return true; }

std::unique_ptr<TraceWriter> create_mcap(const std::filesystem::path& file, const TraceInfo& info, const CompressorRow*,
                                         const WriteOptions& options)
{
    return std::make_unique<McapWriter>(file, info, options);
}

constexpr ContainerTraits json_container{.name = "json-lines", .extension = ".jsonl", .text = true};
constexpr ContainerTraits text_container{.name = "text", .extension = ".txth", .text = true};

template <const ContainerTraits& Container, TextForm Form>
std::unique_ptr<FrameSource> open_text_stream(std::unique_ptr<ByteSource> source, std::string_view compression,
                                              const OpenOptions& options)
{
    return std::make_unique<TextStream>(std::move(source), Container, compression, Form, options);
}

template <const ContainerTraits& Container, TextForm Form>
std::shared_ptr<const Trace> open_text_trace(std::shared_ptr<const RandomAccess> file, std::string_view compression,
                                             const OpenOptions& options)
{
    TextStream text(std::make_unique<SeekableSource>(std::move(file)), Container, compression, Form, options);
    return spooled_trace(text, options);
}

template <TextForm Form>
std::unique_ptr<TraceWriter> create_text(const std::filesystem::path& file, const TraceInfo& info,
                                         const CompressorRow* compression, const WriteOptions& options)
{
    return std::make_unique<TextWriter>(file, info, Form, compression, options);
}

template <const ContainerTraits& Container, TextForm Form>
constexpr ContainerRow text_row(bool (*recognizes)(Bytes))
{
    return {Container, recognizes, open_text_stream<Container, Form>, open_text_trace<Container, Form>,
            create_text<Form>};
}

/// The first row is that of AddedContainer.
constinit std::array rows{
    ContainerRow{},
    ContainerRow{mcap_container, is_mcap, open_mcap_stream, open_mcap_trace, create_mcap,
                 "is empty; an MCAP file begins with its magic and a Header"},
    ContainerRow{open_drive_container, is_open_drive, open_open_drive_stream, open_open_drive_trace, nullptr,
                 "is empty; a map is an OpenDRIVE document"},
    text_row<json_container, TextForm::json>(is_json),
    text_row<text_container, TextForm::text_format>(is_text),
    ContainerRow{length_prefixed_container, is_anything, open_length_prefixed_stream, open_length_prefixed_trace,
                 create_length_prefixed, "", true, true},
};

}  // namespace

std::span<const ContainerRow> containers() noexcept
{
    return std::span<const ContainerRow>(rows).subspan(rows.front().recognizes == nullptr ? 1 : 0);
}

const ContainerRow& container_of(Bytes front) noexcept
{
    const auto all = containers();
    return *std::find_if(all.begin(), all.end() - 1, [&](const ContainerRow& row) { return row.recognizes(front); });
}

const ContainerRow* container_with(const ContainerTraits& traits) noexcept
{
    const auto all = containers();
    const auto row = std::ranges::find(all, traits, &ContainerRow::traits);
    return row == all.end() ? nullptr : &*row;
}

AddedContainer::AddedContainer(const ContainerRow& row) { rows.front() = row; }

AddedContainer::~AddedContainer() { rows.front() = {}; }

}  // namespace ositrace
