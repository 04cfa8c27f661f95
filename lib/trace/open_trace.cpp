// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <ositrace/trace.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/file_source.hpp"
#include "lib/io/unpacked_file.hpp"
#include "lib/trace/container.hpp"

namespace ositrace {

namespace {

constexpr std::string_view not_compressed = "none";

/// A file with what its first bytes say.
struct Probed {
    std::unique_ptr<ByteSource> source;  ///< unpacked, from its first byte
    std::string_view compression;
    const ContainerRow* container;
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

Probed probe(std::unique_ptr<ByteSource> source, const std::stop_token& stop)
{
    Front front(source, stop);
    std::string_view compression = not_compressed;
    if (const auto* const decompressor = decompressor_of(front.bytes())) {
        compression = decompressor->compression;
        source = decompressed(*decompressor, std::move(source));
        front = Front(source, stop);
    }
    return {std::move(source), compression, &container_of(front.bytes())};
}

}  // namespace

std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file, const OpenOptions& options)
{
    auto probed = probe(FileSource::open(file, {.follow = options.follow}), options.stop);
    return probed.container->open_stream(std::move(probed.source), probed.compression, options);
}

std::shared_ptr<const Trace> open_trace(const std::filesystem::path& file, const OpenOptions& options)
{
    if (options.follow) throw Error(Cause::usage, {.file = input_name(file)}, "a file that is followed can be streamed only");
    auto probed = probe(FileSource::open(file), options.stop);
    const bool seekable = !is_standard_input(file) && std::filesystem::is_regular_file(file);
    auto opened = seekable && probed.compression == not_compressed ? SeekableFile(open_for_reading(file), file)
                                                                   : unpacked_file(*probed.source, options.stop);
    return probed.container->open_trace(std::move(opened), probed.compression, options);
}

}  // namespace ositrace
