// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/open/container.hpp"
#include "lib/system/file.hpp"
#include "lib/trace/near_word.hpp"

namespace ositrace {

namespace {

/// ` (known: .osi, .osifb, .txth, .jsonl, each also with .zst or .lz4, and .mcap)`
std::string known_extensions()
{
    std::string compressed;
    std::string with_chunks;
    for (const auto& row : encodings()) compressed.append(row.file_extension).append(", ");
    const auto rows = containers();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        if (row->traits.extension.empty() || !row->create) continue;
        if (row->traits.chunks)
            with_chunks.append(" and ").append(row->traits.extension);
        else
            compressed.append(row->traits.extension).append(", ");
    }
    return " (known: " + compressed + "each also with .zst or .lz4" + (with_chunks.empty() ? "" : ",") + with_chunks +
           ')';
}

std::vector<std::string> written_extensions()
{
    std::vector<std::string> all{".zst", ".lz4"};
    for (const auto& row : encodings()) all.emplace_back(row.file_extension);
    for (const auto& row : containers())
        if (!row.traits.extension.empty() && row.create) all.emplace_back(row.traits.extension);
    return all;
}

TraceExtension extension_for(const std::filesystem::path& file, const WriteOptions& options)
{
    if (const auto found = output_extension(file, options)) return *found;
    if (is_written_in_place(file)) return {{}, length_prefixed_container, std::nullopt, not_compressed};
    if (std::filesystem::is_directory(file))
        throw Error(Cause::io, {.file = file}, "is a folder, expected the name of a file");
    throw Error(Cause::usage, {.file = file},
                "unknown extension '" + file.extension().string() + "'" + known_extensions() +
                    did_you_mean(file.extension().string(), written_extensions()));
}

const ContainerRow& container_for(const TraceExtension& extension, const std::filesystem::path& file)
{
    const auto* const row = container_with(extension.container);
    if (row != nullptr && row->create) return *row;
    throw Error(Cause::usage, {.file = file}, extension.text + " files can be read, not written" + known_extensions());
}

const CompressorRow* compressor_for(const TraceExtension& extension, const WriteOptions& options,
                                    const std::filesystem::path& file)
{
    if (!extension.is_compressed()) return nullptr;
    if (extension.container.chunks)
        throw Error(
            Cause::unsupported, {.file = file},
            "this container compresses its chunks. Name the output *" + std::string(extension.container.extension));
    const auto rows = compressors();
    const auto row = std::ranges::find(rows, extension.compression, &CompressorRow::compression);
    if (row == rows.end())
        throw Error(Cause::usage, {.file = file},
                    std::string(extension.compression) + " can be read, not written" + known_extensions());
    if (options.level && (*options.level < row->min_level || *options.level > row->max_level))
        throw Error(Cause::usage, {.file = file},
                    "level " + std::to_string(*options.level) + " is not supported by " +
                        std::string(row->compression) + " (expected " + std::to_string(row->min_level) + " to " +
                        std::to_string(row->max_level) + ")");
    return &*row;
}

/// Not OSI, or not readable. A channel that states nothing, such as a program makes for bytes of its own, may be OSI.
bool is_foreign(const Channel& channel, const TraceInfo& info)
{
    const bool states_something =
        !channel.message_encoding.empty() || channel.schema_record || !channel.unviewable.empty();
    return channel.root == nullptr && (states_something || info.container.several_channels);
}

void check_channels(const TraceInfo& info, const ContainerRow& container, const TraceExtension& extension,
                    const std::filesystem::path& file)
{
    if (!container.traits.several_channels && info.channels.size() != 1)
        throw Error(Cause::unsupported, {.file = file},
                    "this container holds one channel (found " + std::to_string(info.channels.size()) +
                        (info.channels.empty() ? ")"
                                               : "). Name the output *.mcap, or write one file per channel "
                                                 "(osiconvert split --channels)"));
    for (const auto& channel : info.channels) {
        if (!container.traits.several_channels && is_foreign(channel, info))
            throw Error(Cause::mismatch, {.file = file},
                        "the channel '" + channel.topic + "' cannot be written: " + why_not_osi(channel) +
                            ". Name the output *.mcap");
        if (!extension.encoding || *extension.encoding == channel.format.encoding) continue;
        const auto& own = row_of(channel.format.encoding);
        const auto suffix = extension.text.substr(row_of(*extension.encoding).file_extension.size());
        throw Error(Cause::usage, {.file = file},
                    "the messages are " + std::string(own.name) + ", not the encoding of " + extension.text +
                        " files. Name the output *" + std::string(own.file_extension).append(suffix));
    }
}

}  // namespace

void TraceWriter::add_channel(const Channel& channel)
{
    throw Error(Cause::unsupported, "this container holds one channel; '" + channel.topic + "' is a second one");
}

void TraceWriter::add_metadata(const MetadataRecord& record)
{
    throw Error(Cause::unsupported, "this container holds no metadata records (found '" + record.name + "')");
}

void TraceWriter::add_attachment(const Attachment& attachment)
{
    throw Error(Cause::unsupported, "this container holds no attachments (found '" + attachment.name + "')");
}

std::optional<TraceExtension> output_extension(const std::filesystem::path& file, const WriteOptions& options) noexcept
{
    return trace_extension(options.extension.empty() ? file.string() : options.extension);
}

void refuse_inputs(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs)
{
    const auto there = status_of(output);
    if (!there || there->kind != FileKind::regular) return;
    for (const auto& input : inputs)
        if (const auto status = input == "-" ? status_of_standard_input() : status_of(input);
            status && status->identity == there->identity)
            throw Error(Cause::usage, {.file = output}, "is also an input. Choose another output.");
}

std::unique_ptr<TraceWriter> create_trace(const std::filesystem::path& file, const TraceInfo& info,
                                          const WriteOptions& options)
{
    refuse_inputs(file, options.inputs);
    const auto extension = extension_for(file, options);
    const auto& container = container_for(extension, file);
    check_channels(info, container, extension, file);
    return container.create(file, info, compressor_for(extension, options, file), options);
}

}  // namespace ositrace
