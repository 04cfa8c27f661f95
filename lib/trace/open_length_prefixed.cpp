// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/open_length_prefixed.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/recognize.hpp>

#include "lib/trace/index_cache.hpp"
#include "lib/trace/length_prefixed_stream.hpp"
#include "lib/trace/length_prefixed_trace.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

namespace {

/// Of the first frames, that are looked at before a decision must fall.
constexpr std::size_t max_recognition_bytes = std::size_t{1} << 20;

/// The first frames of a stream, read as far as they are needed to tell what it is.
class FirstFrames {
public:
    FirstFrames(LengthPrefixedReader& reader, const OpenOptions& options)
        : reader_(reader), stop_(options.stop), max_message_bytes_(options.max_message_bytes)
    {
    }

    /// False when enough was read, or no more is there.
    bool read_more()
    {
        if (payloads_.size() == recognition_payloads || bytes_ >= max_recognition_bytes || taken_.failure) return false;
        try {
            FrameBatch batch;
            if (!reader_.read(batch, stop_)) return false;
            look_at(batch);
            taken_.batches.push_back(std::move(batch));
        } catch (const Error& error) {
            if (payloads_.empty()) throw error.cause() == Cause::limit ? no_trace(error) : error;
            taken_.failure = std::current_exception();
        } catch (...) {
            if (payloads_.empty()) throw;
            taken_.failure = std::current_exception();
        }
        return true;
    }
    [[nodiscard]] const std::vector<Bytes>& payloads() const noexcept { return payloads_; }
    /// What stood in front of them, or in their place.
    [[nodiscard]] const std::optional<Error>& damage() const noexcept { return damage_; }
    [[nodiscard]] FirstBatches take() { return std::move(taken_); }

private:
    /// A program, a picture: their first bytes are no length that a message has.
    [[nodiscard]] Error no_trace(const Error& error) const
    {
        return {error.cause(), error.where(),
                "this is no trace, or its first message is longer than the limit of " +
                    std::to_string(max_message_bytes_) + " bytes"};
    }
    void look_at(const FrameBatch& batch)
    {
        if (batch.skipped && !damage_) damage_ = batch.skipped->error;
        for (const auto& record : batch.records) {
            if (payloads_.size() == recognition_payloads) return;
            if (record.bytes.empty()) continue;
            payloads_.push_back(record.bytes);
            bytes_ += record.bytes.size();
        }
    }

    LengthPrefixedReader& reader_;
    std::stop_token stop_;
    std::size_t max_message_bytes_;
    std::vector<Bytes> payloads_;
    std::size_t bytes_ = 0;
    FirstBatches taken_;
    std::optional<Error> damage_;
};

/// Waits for no more frames than the decision needs: on a live pipe the second may be long in coming. A first frame
/// that nothing explains decides nothing: what a file is must not depend on how many of its frames were read at once.
/// What is found behind damage, and is nothing, is the damage's doing.
Channel recognize_first(FirstFrames& first, const std::filesystem::path& file, const OpenOptions& options)
{
    while (first.payloads().empty() && first.read_more()) {
    }
    if (options.stop.stop_requested())
        throw Error(Cause::cancelled, {.file = file}, "stopped while waiting for the first frame");
    for (;;) {
        try {
            return recognize_channel(file, first.payloads(), options);
        } catch (const Error& error) {
            const bool open = error.cause() == Cause::ambiguous || error.cause() == Cause::malformed ||
                              error.cause() == Cause::mismatch;
            if (open && first.read_more()) continue;
            if (open && first.damage()) throw Error(*first.damage());
            throw;
        }
    }
}

length_prefix::PlausibleStart start_of(const Channel& channel)
{
    return [schema = channel.schema, root = channel.root, format = channel.format](Bytes bytes) {
        return plausible_start(bytes, *root, format);
    };
}

/// What can be expected before anything is recognised.
length_prefix::PlausibleStart start_of(const OpenOptions& options)
{
    if (!options.type || !options.encoding) return [](Bytes) { return true; };
    Channel channel;
    channel.schema = options.schema ? options.schema : Schema::built_in();
    channel.root = &channel.schema->root(*options.type);
    channel.format = {*options.encoding, options.layout.value_or(Layout::numbered)};
    return start_of(channel);
}

/// A reader of the source, and what its first frames say.
struct Opened {
    std::unique_ptr<LengthPrefixedReader> reader;
    TraceInfo info;
    FirstBatches first;
};

Opened open(std::unique_ptr<ByteSource> source, std::string_view compression, const OpenOptions& options)
{
    Opened opened;
    opened.info.file = source->name();
    opened.info.container = length_prefixed_container;
    opened.info.compression = compression;
    opened.reader = std::make_unique<LengthPrefixedReader>(
        std::move(source), LengthPrefixedReaderOptions{.max_message_bytes = options.max_message_bytes,
                                                       .skip_bad_frames = options.skip_bad_frames});
    opened.reader->expect(start_of(options));
    FirstFrames first(*opened.reader, options);
    opened.info.channels.push_back(recognize_first(first, opened.info.file, options));
    opened.reader->expect(start_of(opened.info.channels.front()));
    opened.first = first.take();
    return opened;
}

}  // namespace

std::unique_ptr<FrameSource> open_length_prefixed_stream(std::unique_ptr<ByteSource> source,
                                                         std::string_view compression, const OpenOptions& options)
{
    auto opened = open(std::move(source), compression, options);
    return std::make_unique<LengthPrefixedStream>(std::move(opened.reader), std::move(opened.info),
                                                  std::move(opened.first), options.on_skip);
}

std::shared_ptr<const Trace> open_length_prefixed_trace(SeekableFile file, std::string_view compression,
                                                        const OpenOptions& options)
{
    const auto shared = std::make_shared<const SeekableFile>(std::move(file));
    auto opened = open(std::make_unique<SeekableSource>(shared), compression, options);
    PrefixWalkerOptions walking{options.max_message_bytes, options.skip_bad_frames, options.on_skip,
                                start_of(opened.info.channels.front())};
    IndexKeeping keeping;
    if (options.keep_index && !shared->temporary()) keeping.directory = index_cache_directory();
    return std::make_shared<LengthPrefixedTrace>(shared, std::move(opened.info), std::move(walking),
                                                 std::move(keeping));
}

}  // namespace ositrace
