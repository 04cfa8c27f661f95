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
#include "formats/recognize/no_content.hpp"
#include "lib/io/damaged_compression.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/file_source.hpp"
#include "lib/io/input_file.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/length_prefixed_trace.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/length_prefixed/other_framing.hpp"
#include "lib/open/container.hpp"
#include "lib/open/salvaged_frames.hpp"

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
    const ContainerRow* by_content = container;  ///< where the name decides
    bool empty = false;                          ///< not a byte
    std::shared_ptr<CompressionLog> log = {};    ///< of the decompression of `source`; null where nothing is damaged
    FramingProblem framing_problem = {};         ///< of messages without lengths of the standard
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

/// Of a file that may be damaged: a container that nothing marks is recognised by its extension, as the first bytes may
/// be damaged; so is one whose magic is damaged.
const ContainerRow* container_of_damaged(const std::filesystem::path& file, const ContainerRow* by_content)
{
    const auto* const named = container_named(file);
    const bool by_name = named != nullptr && ((named->recovered_by_search && by_content->traits.text) ||
                                              (named->traits.index && by_content->recovered_by_search));
    return by_name ? named : by_content;
}

/// Reads a length-prefixed file whose messages have no such lengths, too. Returns why it cannot, where it is one.
FramingProblem read_other_framing(const ContainerRow& container, std::unique_ptr<ByteSource>& source,
                                  const Front& front, const OpenOptions& options)
{
    if (!container.recovered_by_search || options.unpack_series) return {};
    auto framing = with_lengths(std::move(source), front.bytes(), options);
    source = std::move(framing.source);
    return std::move(framing.problem);
}

Probed probe(std::unique_ptr<ByteSource> source, const OpenOptions& options)
{
    const auto& stop = options.stop;
    Front front(source, stop);
    std::string_view compression = not_compressed;
    if (const auto* const decompressor = decompressor_of(front.bytes())) {
        compression = decompressor->compression;
        source = decompressed(*decompressor, std::move(source));
        front = Front(source, stop);
    }
    check_not_empty(front, *source, stop);
    const auto& container = container_of_source(front.bytes(), *source);
    auto problem = read_other_framing(container, source, front, options);
    return {std::move(source), compression,           &container, other_kind(front.bytes()),
            &container,        front.bytes().empty(), nullptr,    std::move(problem)};
}

/// An input that may be damaged anywhere and can be read more than once: a regular file, or a copy of a pipe.
class DamagedInput {
public:
    DamagedInput(ByteSource& source, const std::stop_token& stop) : file_(source.random_access())
    {
        if (!file_) file_ = unpacked_file(source, stop);
        std::array<std::byte, probed_compression_bytes> front;
        decompressor_ = decompressor_of(Bytes(front).first(file_->read_at(0, front, 0)));
    }

    /// From its first byte; of a compressed one all that can be unpacked.
    [[nodiscard]] std::unique_ptr<ByteSource> unpacked()
    {
        if (!decompressor_) return std::make_unique<SeekableSource>(file_);
        log_ = std::make_shared<CompressionLog>();
        return std::make_unique<DamagedCompression>(*decompressor_, file_, log_);
    }
    [[nodiscard]] std::string_view compression() const noexcept
    {
        return decompressor_ ? decompressor_->compression : not_compressed;
    }
    /// Of the last unpacked(); null where nothing is compressed.
    [[nodiscard]] const std::shared_ptr<CompressionLog>& log() const noexcept { return log_; }

private:
    std::shared_ptr<const RandomAccess> file_;
    const DecompressorRow* decompressor_;
    std::shared_ptr<CompressionLog> log_;
};

/// `log`: of the decompression of the source; may be null.
Probed probe_damaged(std::unique_ptr<ByteSource> source, std::string_view compression,
                     std::shared_ptr<CompressionLog> log, const OpenOptions& options)
{
    const Front front(source, options.stop);
    check_not_empty(front, *source, options.stop);
    const auto& by_content = container_of_source(front.bytes(), *source);
    const auto* const container = container_of_damaged(source->name(), &by_content);
    auto problem = read_other_framing(*container, source, front, options);
    return {std::move(source), compression,           container,      other_kind(front.bytes()),
            &by_content,       front.bytes().empty(), std::move(log), std::move(problem)};
}

/// The file, or the same messages with lengths of the standard.
std::shared_ptr<const RandomAccess> standard_file(const std::shared_ptr<const RandomAccess>& file,
                                                  const OpenOptions& options)
{
    std::unique_ptr<ByteSource> source = std::make_unique<SeekableSource>(file);
    const Front front(source, options.stop);
    static_cast<void>(read_other_framing(
        *container_of_damaged(file->name(), &container_of_source(front.bytes(), *source)), source, front, options));
    return source->random_access() ? file : unpacked_file(*source, options.stop);
}

bool is_no_content(const Error& error) { return error.cause() == Cause::ambiguous && error.reason() == no_content; }

/// No message was found: is that due to damaged compression?
std::optional<Error> damage_before_first(const Probed& probed, const Error& error)
{
    if (!probed.log || !(is_no_content(error) || is_damage(error))) return std::nullopt;
    const auto damages = probed.log->take().damages;
    if (damages.empty()) return std::nullopt;
    const auto& first = damages.front().error;
    return first.reworded(first.reason() +
                          ", and no whole message can be read before this damage or after it: use another copy");
}

/// Of a file in which no message shows the type.
Error without_content(const Probed& probed, const Error& error)
{
    return error.reworded(std::string(!probed.empty                          ? "has only empty messages"
                                      : probed.compression == not_compressed ? "is empty"
                                                                             : "is empty, unpacked") +
                          ": nothing shows the message type. Select it with --type.");
}

/// Where `open` cannot read a file, the error says what is known of it: first bytes of a known other format, damage
/// before the first message, no message at all.
template <class Open>
auto open_unless_other(const Probed& probed, const std::filesystem::path& name, Open&& open)
{
    try {
        return open();
    } catch (const Error& error) {
        constexpr std::array unreadable{Cause::truncated, Cause::malformed, Cause::mismatch, Cause::ambiguous,
                                        Cause::limit};
        if (!probed.other_kind.empty() && std::ranges::find(unreadable, error.cause()) != unreadable.end())
            throw Error(error.cause(), {.file = name}, "this is not a trace but " + std::string(probed.other_kind));
        if (const auto damage = damage_before_first(probed, error)) throw Error(*damage);
        if (!probed.framing_problem.text.empty() && is_damage(error))
            throw error_of(error.cause(), name, probed.framing_problem);
        if (is_no_content(error)) throw without_content(probed, error);
        throw;
    }
}

/// Warnings name the file, and each comes once.
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

void check_may_hold_series(const Probed& probed)
{
    if (!probed.container->may_hold_series)
        throw Error(Cause::mismatch, {.file = probed.source->name()},
                    "only length-prefixed files can hold SensorDataSeries (found " +
                        std::string(probed.container->traits.name) + ")");
}

std::unique_ptr<FrameSource> open_stream(Probed probed, const OpenOptions& options)
{
    const auto name = probed.source->name();
    if (options.unpack_series) {
        check_may_hold_series(probed);
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

/// `log`: of the decompression of `probed.source`; may be null.
std::unique_ptr<FrameSource> open_salvaged(Probed probed, std::shared_ptr<CompressionLog> log,
                                           const OpenOptions& options)
{
    const auto& container = *probed.container;
    const auto places = options.unpack_series           ? SalvagedFrames::Places::unknown
                        : container.recovered_by_search ? SalvagedFrames::Places::exact
                        : container.traits.text         ? SalvagedFrames::Places::begins
                                                        : SalvagedFrames::Places::unknown;
    return std::make_unique<SalvagedFrames>(
        options, container.recovered_by_search, std::move(log), places,
        [&](const OpenOptions& inner) { return open_stream(std::move(probed), inner); });
}

/// A text that has the extension of a length-prefixed file is read as a text if no frame is found in it.
bool is_text_after_all(const Probed& probed, const Error& error)
{
    return is_damage(error) && probed.by_content != probed.container && probed.by_content->traits.text;
}

std::unique_ptr<FrameSource> salvaged_stream(ByteSource& source, const OpenOptions& options)
{
    DamagedInput input(source, options.stop);
    const auto probe = [&] {
        auto unpacked = input.unpacked();
        return probe_damaged(std::move(unpacked), input.compression(), input.log(), options);
    };
    auto probed = probe();
    if (options.unpack_series) {
        check_may_hold_series(probed);
        probed.source = unpacked_series(std::move(probed.source), options.on_skip);
    }
    Probed decision{nullptr, {}, probed.container, {}, probed.by_content};
    try {
        return open_salvaged(std::move(probed), input.log(), options);
    } catch (const Error& error) {
        if (!is_text_after_all(decision, error)) throw;
    }
    auto text = probe();
    text.container = text.by_content;
    return open_salvaged(std::move(text), input.log(), options);
}

std::unique_ptr<FrameSource> stream_of(std::unique_ptr<ByteSource> source, const OpenOptions& of_caller)
{
    const auto options = telling_once(of_caller, source->name());
    const bool waits = options.follow || options.live;
    if (options.skip_bad_frames && !waits) return salvaged_stream(*source, options);
    auto probed = probe(std::move(source), options);
    if (options.unpack_series) {
        check_may_hold_series(probed);
        probed.source = unpacked_series(std::move(probed.source), options.skip_bad_frames ? options.on_skip : nullptr);
    }
    return options.skip_bad_frames ? open_salvaged(std::move(probed), nullptr, options)
                                   : open_stream(std::move(probed), options);
}

void check_no_series(const Probed& probed, const OpenOptions& options)
{
    if (!options.unpack_series) return;
    check_may_hold_series(probed);
    throw Error(Cause::usage, {.file = probed.source->name()}, "SensorDataSeries can only be streamed");
}

std::shared_ptr<const Trace> trace_of(Probed probed, const OpenOptions& of_caller)
{
    const auto name = probed.source->name();
    const auto options = telling_once(of_caller, name);
    check_no_series(probed, options);
    auto file = probed.compression == not_compressed ? probed.source->random_access() : nullptr;
    if (!file) {
        if (options.before_whole_read) options.before_whole_read();
        file = unpacked_file(*probed.source, options.stop);
    }
    return open_unless_other(
        probed, name, [&] { return probed.container->open_trace(std::move(file), probed.compression, options); });
}

void report(CompressionLog& log, const OpenOptions& options)
{
    if (!options.on_skip) return;
    for (const auto& damage : log.take().damages) {
        SkippedBytes skipped{std::nullopt, damage.offset, damage.bytes, damage.error};
        skipped.compressed = true;
        options.on_skip(skipped);
    }
}

std::shared_ptr<const Trace> open_salvaged_trace(Probed probed, const std::shared_ptr<const RandomAccess>& file,
                                                 std::shared_ptr<CompressionLog> log, const OpenOptions& options)
{
    if (probed.container->recovered_by_search)
        return std::make_shared<LengthPrefixedTrace>(file, open_salvaged(std::move(probed), std::move(log), options),
                                                     options.max_message_bytes);
    if (log) report(*log, options);
    return open_unless_other(probed, file->name(),
                             [&] { return probed.container->open_trace(file, probed.compression, options); });
}

std::shared_ptr<const Trace> salvaged_trace(std::unique_ptr<ByteSource> source, const OpenOptions& of_caller)
{
    const auto options = telling_once(of_caller, source->name());
    auto file = source->random_access();
    if (!file && options.before_whole_read) options.before_whole_read();
    DamagedInput input(*source, options.stop);
    source = input.unpacked();
    if (input.log()) {
        if (file && options.before_whole_read) options.before_whole_read();
        file = unpacked_file(*source, options.stop);
    } else {
        file = source->random_access();
    }
    file = standard_file(file, options);
    const auto probe = [&] {
        return probe_damaged(std::make_unique<SeekableSource>(file), input.compression(), input.log(), options);
    };
    auto probed = probe();
    check_no_series(probed, options);
    Probed decision{nullptr, {}, probed.container, {}, probed.by_content};
    try {
        return open_salvaged_trace(std::move(probed), file, input.log(), options);
    } catch (const Error& error) {
        if (!is_text_after_all(decision, error)) throw;
    }
    auto text = probe();
    text.container = text.by_content;
    return open_salvaged_trace(std::move(text), file, input.log(), options);
}

std::shared_ptr<const Trace> trace_of(std::unique_ptr<ByteSource> source, const OpenOptions& options)
{
    if (options.skip_bad_frames) return salvaged_trace(std::move(source), options);
    return trace_of(probe(std::move(source), options), options);
}

}  // namespace

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
    return trace_of(FileSource::open(file), options);
}

std::shared_ptr<const Trace> open_trace(std::shared_ptr<const RandomAccess> bytes, const OpenOptions& options)
{
    return trace_of(std::make_unique<SeekableSource>(std::move(bytes)), options);
}

std::shared_ptr<const Trace> open_indexed(const std::filesystem::path& file, const OpenOptions& options)
{
    std::error_code none;
    if (options.follow || is_standard_input(file) || !std::filesystem::is_regular_file(file, none)) return nullptr;
    auto quiet = options;
    quiet.on_warning = nullptr;  // a file without an index is opened again
    auto probed = probe(FileSource::open(file), quiet);
    if (!probed.container->traits.index) return nullptr;
    return options.skip_bad_frames ? open_trace(file, options) : trace_of(std::move(probed), options);
}

std::unique_ptr<FrameSource> open_source(const std::filesystem::path& file, const OpenOptions& options)
{
    if (const auto trace = open_indexed(file, options)) return trace->reader();
    return open_stream(file, options);
}

}  // namespace ositrace
