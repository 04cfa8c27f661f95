// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/file_source.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/open/container.hpp"
#include "lib/open/damaged_file.hpp"

namespace ositrace {

namespace {

using namespace std::string_view_literals;

struct OtherKind {
    std::string_view magic;
    std::string_view what;
};

/// Formats of files that are stored beside traces or hold them.
constexpr std::array kinds{
    OtherKind{"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    OtherKind{"7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive; unpack it first"},
    OtherKind{"Rar!\x1a\x07"sv, "a RAR archive; unpack it first"},
    OtherKind{"BZh"sv, "compressed by bzip2; unpack it first"},
    OtherKind{"#ROSBAG"sv, "a ROS bag"},
    OtherKind{"SQLite format 3\0"sv, "an SQLite database, as ROS 2 bags are"},
    OtherKind{"MDF     "sv, "an ASAM MDF measurement"},
    OtherKind{"\xff\xfe"sv, "text in UTF-16; save it as UTF-8"},
    OtherKind{"\xfe\xff"sv, "text in UTF-16; save it as UTF-8"},
    OtherKind{"\x89PNG\r\n\x1a\n"sv, "a PNG picture"},
    OtherKind{"\xff\xd8\xff"sv, "a JPEG picture"},
    OtherKind{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
};

/// A known other format with these first bytes: `a ZIP archive; unpack it first`. Else empty. A frame may begin with
/// the same bytes, so this is called only after reading has failed.
std::string_view other_kind(Bytes front) noexcept
{
    const auto text = text_of(front);
    const auto* const found =
        std::ranges::find_if(kinds, [&](const OtherKind& kind) { return text.starts_with(kind.magic); });
    return found == kinds.end() ? std::string_view() : found->what;
}

/// A source and what its first bytes are.
struct Probed {
    std::unique_ptr<ByteSource> source;  ///< unpacked, from its first byte
    std::string_view compression;
    const ContainerRow* container;
    std::string_view other_kind;
};

/// The first bytes of a source, which returns them again.
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
    /// Enough for recognition: on a live pipe the next bytes may arrive much later.
    [[nodiscard]] bool holds_a_frame() const noexcept
    {
        const auto length = length_prefix::length_at(bytes());
        return length && *length <= size_ - length_prefix::prefix_bytes;
    }

    std::array<std::byte, std::max(probed_bytes, probed_compression_bytes)> bytes_{};
    std::size_t size_ = 0;
};

/// The container of the extension; null: unknown.
const ContainerRow* container_named(const std::filesystem::path& file)
{
    const auto name = file.filename().string();
    const auto extension = trace_extension(name);
    return extension ? container_with(extension->container) : nullptr;
}

void check_not_empty(const Front& front, const ByteSource& source, const std::stop_token& stop)
{
    if (!front.bytes().empty() || stop.stop_requested()) return;
    const auto* const row = container_named(source.name());
    if (row != nullptr && !row->empty_file.empty())
        throw Error(Cause::truncated, {.file = source.name()}, std::string(row->empty_file));
}

/// By the first bytes; where they say nothing, by the last ones, which may be the magic of the container.
const ContainerRow& container_of_source(Bytes front, const ByteSource& source)
{
    const auto& first = container_of(front);
    const auto file = first.recovered_by_search ? source.random_access() : nullptr;
    std::array<std::byte, 8> end;
    if (!file || file->size() < end.size() || file->read_at(file->size() - end.size(), end, 0) != end.size())
        return first;
    const auto& last = container_of(Bytes(end));
    return last.traits.index ? last : first;
}

/// A container that nothing marks is recognised by its extension, as the first bytes may be damaged; so is one whose
/// magic is damaged.
const ContainerRow& container_of_damaged(const std::filesystem::path& file, Bytes front, const ByteSource& source)
{
    const auto* const named = container_named(file);
    const auto& found = container_of_source(front, source);
    const bool by_name = named != nullptr && ((named->recovered_by_search && found.traits.text) ||
                                              (named->traits.index && found.recovered_by_search));
    return by_name ? *named : found;
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
    const auto& container = container_of_source(front.bytes(), *source);
    return {std::move(source), compression, &container, other_kind(front.bytes())};
}

/// Where `open` cannot read a file whose first bytes are those of a known other format, the error names that format.
template <class Open>
auto open_unless_other(const Probed& probed, const std::filesystem::path& name, Open&& open)
{
    try {
        return open();
    } catch (const Error& error) {
        constexpr std::array unreadable{Cause::truncated, Cause::malformed, Cause::mismatch, Cause::ambiguous,
                                        Cause::limit};
        if (probed.other_kind.empty() || std::ranges::find(unreadable, error.cause()) == unreadable.end()) throw;
        throw Error(error.cause(), {.file = name}, "this is not a trace but " + std::string(probed.other_kind));
    }
}

void check_may_hold_series(const Probed& probed)
{
    if (!probed.container->may_hold_series)
        throw Error(Cause::mismatch, {.file = probed.source->name()},
                    "only length-prefixed files can hold SensorDataSeries (found " +
                        std::string(probed.container->traits.name) + ")");
}

std::unique_ptr<FrameSource> stream_of(std::unique_ptr<ByteSource> source, const OpenOptions& of_caller)
{
    auto probed = probe(std::move(source), of_caller.stop);
    const auto name = probed.source->name();
    const auto options = telling_once(of_caller, name);
    if (options.unpack_series) {
        check_may_hold_series(probed);
        probed.source = unpacked_series(std::move(probed.source), options.skip_bad_frames ? options.on_skip : nullptr);
        try {
            return probed.container->open_stream(std::move(probed.source), probed.compression, options);
        } catch (const Error& error) {
            const auto* const advice = error.cause() == Cause::truncated
                                           ? ""
                                           : "; a trace of another type is converted without --unpack-series";
            throw error.reworded("read as SensorDataSeries: " + error.reason() + advice);
        }
    }
    return open_unless_other(probed, name, [&] {
        return probed.container->open_stream(std::move(probed.source), probed.compression, options);
    });
}

std::shared_ptr<const Trace> trace_of(Probed probed, const OpenOptions& of_caller)
{
    const auto name = probed.source->name();
    const auto options = telling_once(of_caller, name);
    if (options.unpack_series) {
        check_may_hold_series(probed);
        throw Error(Cause::usage, {.file = name}, "SensorDataSeries can only be streamed");
    }
    auto file = probed.compression == not_compressed ? probed.source->random_access() : nullptr;
    if (!file) {
        if (options.before_whole_read) options.before_whole_read();
        file = unpacked_file(*probed.source, options.stop);
    }
    return open_unless_other(
        probed, name, [&] { return probed.container->open_trace(std::move(file), probed.compression, options); });
}

}  // namespace

OpenOptions telling_once(OpenOptions options, const std::filesystem::path& file)
{
    if (!options.on_warning) return options;
    struct Told {
        std::mutex mutex;
        std::set<std::string> texts;
    };
    options.on_warning = [tell = options.on_warning, file, told = std::make_shared<Told>()](const Error& error) {
        const auto named = error.within({.file = file});
        {
            const std::scoped_lock lock(told->mutex);
            if (!told->texts.insert(named.what()).second) return;
        }
        tell(named);
    };
    return options;
}

std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file, const OpenOptions& options)
{
    return stream_of(FileSource::open(file, {.follow = options.follow}), options);
}

std::unique_ptr<FrameSource> open_stream(std::shared_ptr<const RandomAccess> bytes, const OpenOptions& options)
{
    return stream_of(std::make_unique<SeekableSource>(std::move(bytes)), options);
}

std::shared_ptr<const Trace> open_trace(const std::filesystem::path& file, const OpenOptions& options)
{
    if (options.follow) throw Error(Cause::usage, {.file = input_name(file)}, "a followed file can only be streamed");
    return trace_of(probe(FileSource::open(file), options.stop), options);
}

std::shared_ptr<const Trace> open_trace(std::shared_ptr<const RandomAccess> bytes, const OpenOptions& options)
{
    return trace_of(probe(std::make_unique<SeekableSource>(std::move(bytes)), options.stop), options);
}

std::shared_ptr<const Trace> open_indexed(const std::filesystem::path& file, const OpenOptions& options)
{
    std::error_code none;
    if (options.follow || is_standard_input(file) || !std::filesystem::is_regular_file(file, none)) return nullptr;
    auto probed = probe(FileSource::open(file), options.stop);
    return probed.container->traits.index ? trace_of(std::move(probed), options) : nullptr;
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
    DamagedFile damaged{nullptr, not_compressed, nullptr, nullptr};
    if (const auto* const row = decompressor_of(front.bytes())) {
        damaged.compression = row->compression;
        auto packed = source->random_access();
        if (!packed) packed = unpacked_file(*source, stop);
        source = std::make_unique<DamagedCompression>(*row, std::move(packed), std::move(on_damage));
        front = Front(source, stop);
    }
    check_not_empty(front, *source, stop);
    damaged.container = &container_of_damaged(file, front.bytes(), *source);
    if (!damaged.container->recovered_by_search)
        damaged.source = std::move(source);
    else if (damaged.file = source->random_access(); !damaged.file)
        damaged.file = unpacked_file(*source, stop);
    return damaged;
}

bool reopen_as_text(DamagedFile& damaged, const std::stop_token& stop)
{
    std::unique_ptr<ByteSource> source = std::make_unique<SeekableSource>(damaged.file);
    const Front front(source, stop);
    const auto& found = container_of(front.bytes());
    if (!found.traits.text) return false;
    damaged.container = &found;
    damaged.source = std::move(source);
    damaged.file = nullptr;
    return true;
}

std::unique_ptr<FrameSource> open_stream(DamagedFile damaged, const OpenOptions& options)
{
    return damaged.container->open_stream(std::move(damaged.source), damaged.compression, options);
}

}  // namespace ositrace
