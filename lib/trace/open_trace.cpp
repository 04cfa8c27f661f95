// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/file_source.hpp"
#include "lib/io/unpacked_file.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/trace/container.hpp"
#include "lib/trace/damaged_file.hpp"
#include "lib/trace/open_length_prefixed.hpp"
#include "lib/trace/other_kinds.hpp"

namespace ositrace {

namespace {

constexpr std::string_view not_compressed = "none";

/// A file with what its first bytes say.
struct Probed {
    std::unique_ptr<ByteSource> source;  ///< unpacked, from its first byte
    std::string_view compression;
    const ContainerRow* container;
    std::string_view other_kind;
};

/// The first bytes of a source, which is put together again.
class Front {
public:
    Front(std::unique_ptr<ByteSource>& source, const std::stop_token& stop)
    {
        while (size_ < bytes_.size() && !holds_a_frame()) {
            const auto count = source->read(std::span(bytes_).subspan(size_), stop);
            if (count == 0) break;
            size_ += count;
        }
        source = put_back(bytes(), std::move(source));
    }
    [[nodiscard]] Bytes bytes() const noexcept { return Bytes(bytes_).first(size_); }

private:
    /// Then that is what it is, and on a live pipe the next bytes may be long in coming.
    [[nodiscard]] bool holds_a_frame() const noexcept
    {
        const auto length = length_prefix::length_at(bytes());
        return length && *length <= size_ - length_prefix::prefix_bytes;
    }

    std::array<std::byte, std::max(probed_bytes, probed_compression_bytes)> bytes_{};
    std::size_t size_ = 0;
};

bool is_named(const std::filesystem::path& file, std::string_view container)
{
    const auto name = file.filename().string();
    const auto extension = trace_extension(name);
    return extension && extension->container == container;
}

void check_not_empty(const Front& front, const ByteSource& source, const std::stop_token& stop)
{
    if (front.bytes().empty() && !stop.stop_requested() && is_named(source.name(), mcap_container))
        throw Error(Cause::truncated, {.file = source.name()},
                    "is empty; an MCAP file begins with its magic and a Header");
}

Probed probe(std::unique_ptr<ByteSource> source, const std::stop_token& stop)
{
    Front front(source, stop);
    std::string_view compression = not_compressed;
    if (const auto* const decompressor = decompressor_of(front.bytes())) {
        compression = decompressor->compression;
        source = decompressed(*decompressor, std::move(source));
        front = Front(source, stop);
    }
    check_not_empty(front, *source, stop);
    return {std::move(source), compression, &container_of(front.bytes()), other_kind(front.bytes())};
}

/// Opens by `open`; where that cannot make sense of a file whose first bytes say that it is something else, that is the
/// reason.
template <class Open>
auto open_unless_other(const Probed& probed, const std::filesystem::path& name, Open&& open)
{
    try {
        return open();
    } catch (const Error& error) {
        constexpr std::array no_sense{Cause::truncated, Cause::malformed, Cause::mismatch, Cause::ambiguous,
                                      Cause::limit};
        if (probed.other_kind.empty() || std::ranges::find(no_sense, error.cause()) == no_sense.end()) throw;
        throw Error(error.cause(), {.file = name}, "this is no trace but " + std::string(probed.other_kind));
    }
}

}  // namespace

std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file, const OpenOptions& options)
{
    auto probed = probe(FileSource::open(file, {.follow = options.follow}), options.stop);
    return open_unless_other(probed, input_name(file), [&] {
        return probed.container->open_stream(std::move(probed.source), probed.compression, options);
    });
}

namespace {

bool is_seekable(const std::filesystem::path& file)
{
    std::error_code none;
    return !is_standard_input(file) && std::filesystem::is_regular_file(file, none);
}

std::shared_ptr<const Trace> open_probed(Probed probed, const std::filesystem::path& file, const OpenOptions& options)
{
    const bool in_place = is_seekable(file) && probed.compression == not_compressed;
    if (!in_place && options.before_whole_read) options.before_whole_read();
    auto opened = in_place ? SeekableFile(open_for_reading(file), file) : unpacked_file(*probed.source, options.stop);
    return open_unless_other(probed, input_name(file), [&] {
        return probed.container->open_trace(std::move(opened), probed.compression, options);
    });
}

}  // namespace

std::shared_ptr<const Trace> open_trace(const std::filesystem::path& file, const OpenOptions& options)
{
    if (options.follow)
        throw Error(Cause::usage, {.file = input_name(file)}, "a file that is followed can be streamed only");
    return open_probed(probe(FileSource::open(file), options.stop), file, options);
}

std::shared_ptr<const Trace> open_indexed(const std::filesystem::path& file, const OpenOptions& options)
{
    if (options.follow || !is_seekable(file)) return nullptr;
    auto probed = probe(FileSource::open(file), options.stop);
    return probed.container->name == mcap_container ? open_probed(std::move(probed), file, options) : nullptr;
}

std::unique_ptr<FrameSource> open_source(const std::filesystem::path& file, const OpenOptions& options)
{
    if (const auto trace = open_indexed(file, options)) return trace->reader();
    return open_stream(file, options);
}

DamagedFile open_damaged(const std::filesystem::path& file, std::function<void(const CompressionDamage&)> on_damage,
                         const std::stop_token& stop)
{
    std::unique_ptr<ByteSource> source = FileSource::open(file);
    Front front(source, stop);
    const bool in_place = is_seekable(file);
    DamagedFile damaged{{}, not_compressed, std::nullopt, nullptr};
    if (const auto* const row = decompressor_of(front.bytes())) {
        damaged.compression = row->compression;
        auto packed = std::make_shared<const SeekableFile>(in_place ? SeekableFile(open_for_reading(file), file)
                                                                    : unpacked_file(*source, stop));
        source = std::make_unique<DamagedCompression>(*row, std::move(packed), std::move(on_damage));
        front = Front(source, stop);
    }
    check_not_empty(front, *source, stop);
    damaged.container =
        is_named(file, length_prefixed_container) ? length_prefixed_container : container_of(front.bytes()).name;
    if (damaged.container != length_prefixed_container)
        damaged.source = std::move(source);
    else if (damaged.compression == not_compressed && in_place)
        damaged.file.emplace(open_for_reading(file), file);
    else
        damaged.file.emplace(unpacked_file(*source, stop));
    return damaged;
}

std::unique_ptr<FrameSource> open_stream(DamagedFile damaged, const OpenOptions& options)
{
    const auto row = std::ranges::find(containers(), damaged.container, &ContainerRow::name);
    return row->open_stream(std::move(damaged.source), damaged.compression, options);
}

}  // namespace ositrace
