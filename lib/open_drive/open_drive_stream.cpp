// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/open_drive_stream.hpp"

#include <algorithm>
#include <string>

#include <ositrace/open_drive.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/core/message_limit.hpp"
#include "lib/io/input_file.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/spooled_trace.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

namespace {

/// What a map is does not depend on options.
void check_options(const OpenOptions& options)
{
    if (options.encoding == Encoding::flatbuffers)
        throw Error(Cause::mismatch, "is an OpenDRIVE map, which is read as protobuf; leave out --input-encoding");
    if (options.type && *options.type != MessageType::ground_truth)
        throw Error(Cause::mismatch, "is an OpenDRIVE map, which is read as GroundTruth; leave out --type");
    if (options.schema && options.schema != Schema::built_in())
        throw Error(Cause::mismatch, "is an OpenDRIVE map, which is read with the built-in schema; leave out --schema");
}

/// The message that was made of a whole document.
class MapStream final : public FrameSource {
public:
    MapStream(TraceInfo info, std::shared_ptr<const ByteBuffer> message, std::uint64_t bytes_read)
        : info_(std::move(info)), message_(std::move(message)), bytes_read_(bytes_read)
    {
        info_.container = open_drive_container;
        info_.channels.assign(1, recognized_channel({MessageType::ground_truth, {}}, Schema::built_in()));
    }

    const TraceInfo& info() const noexcept override { return info_; }

    bool read(Frame& frame, std::stop_token) override
    {
        if (!message_) return false;
        frame = Frame{};
        frame.bytes = message_->bytes();
        frame.owner = std::move(message_);
        return true;
    }

    std::uint64_t bytes_consumed() const noexcept override { return bytes_read_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return bytes_read_; }

private:
    TraceInfo info_;
    std::shared_ptr<const ByteBuffer> message_;  ///< until it was read
    std::uint64_t bytes_read_;
};

}  // namespace

std::string whole_text(ByteSource& source, std::size_t max_bytes, const std::stop_token& stop)
{
    constexpr std::size_t step = std::size_t{1} << 20;
    std::string text;
    for (;;) {
        const auto size = text.size();
        text.resize(size + step);
        const auto count = read_fully(source, std::as_writable_bytes(std::span(text).subspan(size)), stop);
        text.resize(size + count);
        if (text.size() > max_bytes) throw Error(Cause::limit, "the map" + exceeds_limit(max_bytes));
        if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped while reading the map");
        if (count < step) return text;
    }
}

bool is_open_drive(Bytes front)
{
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    auto text = text_of(front);
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    // A length prefix may begin with the same byte.
    const auto is_text = [](char c) {
        return c == '\t' || c == '\r' || c == '\n' || static_cast<unsigned char>(c) >= ' ';
    };
    return text.starts_with('<') && text.size() >= 4 && std::ranges::all_of(text, is_text);
}

std::unique_ptr<FrameSource> stream_of(const TraceMap& map)
{
    TraceInfo info;
    info.file = map.document.reference;
    info.compression = not_compressed;
    return std::make_unique<MapStream>(std::move(info), map.map.message, 0);
}

std::unique_ptr<FrameSource> open_open_drive_stream(std::unique_ptr<ByteSource> source, std::string_view compression,
                                                    const OpenOptions& options)
{
    TraceInfo info;
    info.file = source->name();
    info.compression = compression;
    try {
        check_options(options);
        MapOptions map_options;
        map_options.max_deviation = options.map_deviation;
        map_options.max_message_bytes = options.max_message_bytes;
        if (!is_standard_input(info.file)) map_options.reference = info.file.filename().string();
        auto map = read_open_drive(whole_text(*source, options.max_message_bytes, options.stop), map_options);
        if (options.on_warning)
            for (const auto& note : map.notes) options.on_warning(note.within({.file = info.file}));
        return std::make_unique<MapStream>(std::move(info), std::move(map.message), source->bytes_consumed());
    } catch (const Error& error) {
        throw error.within({.file = info.file});
    }
}

std::shared_ptr<const Trace> open_open_drive_trace(std::shared_ptr<const RandomAccess> file,
                                                   std::string_view compression, const OpenOptions& options)
{
    const auto map = open_open_drive_stream(std::make_unique<SeekableSource>(std::move(file)), compression, options);
    return spooled_trace(*map, options);
}

}  // namespace ositrace
