// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/trace/container.hpp"

namespace ositrace {

namespace {

constexpr std::string_view known_extensions =
    "(known: .osi, .osifb, .txth, .jsonl, each also with .zst or .lz4, and .mcap)";

TraceExtension extension_for(const std::filesystem::path& file, const WriteOptions& options)
{
    if (const auto found = output_extension(file, options)) return *found;
    if (is_written_in_place(file)) return {{}, "length-prefixed", std::nullopt, "none"};
    if (std::filesystem::is_directory(file))
        throw Error(Cause::io, {.file = file}, "is a directory, expected the name of a file");
    throw Error(Cause::usage, {.file = file},
                "unknown extension '" + file.extension().string() + "' " + std::string(known_extensions));
}

const ContainerRow& container_for(const TraceExtension& extension, const std::filesystem::path& file)
{
    const auto rows = containers();
    const auto row = std::ranges::find(rows, extension.container, &ContainerRow::name);
    if (row != rows.end() && row->create) return *row;
    throw Error(
        Cause::usage, {.file = file},
        std::string(extension.text) + " files cannot be written by this version " + std::string(known_extensions));
}

const CompressorRow* compressor_for(const TraceExtension& extension, const WriteOptions& options,
                                    const std::filesystem::path& file)
{
    if (extension.compression == "none") return nullptr;
    const auto rows = compressors();
    const auto row = std::ranges::find(rows, extension.compression, &CompressorRow::compression);
    if (row == rows.end())
        throw Error(Cause::usage, {.file = file},
                    std::string(extension.compression) + " is read, not written " + std::string(known_extensions));
    if (options.level && (*options.level < row->min_level || *options.level > row->max_level))
        throw Error(Cause::usage, {.file = file},
                    "level " + std::to_string(*options.level) + " is none of " + std::string(row->compression) +
                        ", which has " + std::to_string(row->min_level) + " to " + std::to_string(row->max_level));
    return &*row;
}

void check_channels(const TraceInfo& info, const ContainerRow& container, const TraceExtension& extension,
                    const std::filesystem::path& file)
{
    if (container.one_channel && info.channels.size() != 1)
        throw Error(Cause::unsupported, {.file = file},
                    "such a file holds one channel, and there are " + std::to_string(info.channels.size()) +
                        (info.channels.empty()
                             ? ""
                             : "; name the output *.mcap, or make a file of each (osiconvert split --channels)"));
    for (const auto& channel : info.channels) {
        const bool foreign = channel.root == nullptr && !channel.message_encoding.empty() &&
                             channel.message_encoding != row_of(channel.format.encoding).mcap_name;
        if (container.one_channel && foreign)
            throw Error(Cause::mismatch, {.file = file},
                        "the messages of '" + channel.topic + "' are " + channel.message_encoding +
                            ", which is no encoding of OSI; name the output *.mcap");
        if (!extension.encoding || *extension.encoding == channel.format.encoding) continue;
        const auto& own = row_of(channel.format.encoding);
        const auto suffix = extension.text.substr(row_of(*extension.encoding).file_extension.size());
        throw Error(Cause::usage, {.file = file},
                    "the messages are " + std::string(own.name) + ", which " + std::string(extension.text) +
                        " files do not hold; name the output *" + std::string(own.file_extension).append(suffix));
    }
}

}  // namespace

void TraceWriter::add_channel(const Channel& channel)
{
    throw Error(Cause::unsupported, "such a file holds one channel, and '" + channel.topic + "' is another");
}

void TraceWriter::add_metadata(const MetadataRecord& record)
{
    throw Error(Cause::unsupported, "such a file holds no metadata records, and there is '" + record.name + "'");
}

void TraceWriter::add_attachment(const Attachment& attachment)
{
    throw Error(Cause::unsupported, "such a file holds no attachments, and there is '" + attachment.name + "'");
}

std::optional<TraceExtension> output_extension(const std::filesystem::path& file, const WriteOptions& options) noexcept
{
    return trace_extension(options.extension.empty() ? file.native() : options.extension);
}

void refuse_inputs(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(output, none)) return;
    for (const auto& input : inputs)
        if (std::filesystem::equivalent(output, input == "-" ? "/dev/stdin" : input, none))
            throw Error(Cause::usage, {.file = output}, "is an input as well; choose another output");
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
