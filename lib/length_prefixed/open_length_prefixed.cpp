// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/open_length_prefixed.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/recognize.hpp>

#include "formats/core/message_limit.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/index_cache.hpp"
#include "lib/length_prefixed/length_prefixed_stream.hpp"
#include "lib/length_prefixed/length_prefixed_trace.hpp"
#include "lib/length_prefixed/recognize_damaged.hpp"
#include "lib/length_prefixed/resync_reader.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// Of the first frames, before recognition must decide.
constexpr std::size_t max_recognition_bytes = std::size_t{1} << 20;

/// Damage::first_frame, unless it is known what is damaged.
Error first_frame(const Error& error, const std::filesystem::path& file)
{
    auto placed = error.within({.file = file, .frame = 0, .offset = 0, .field = {}});
    if (error.damage() != Damage::other || !is_damage(error)) return placed;
    return {placed.cause(), placed.where(), placed.reason(), Damage::first_frame};
}

/// The first frames of a stream, read as far as recognition needs them.
class FirstFrames {
public:
    FirstFrames(LengthPrefixedReader& reader, const OpenOptions& options)
        : reader_(reader), stop_(options.stop), max_message_bytes_(options.max_message_bytes)
    {
    }

    /// False when enough was read, or no more is there.
    bool read_more()
    {
        if (payloads_.size() == recognition_payloads || bytes_ >= max_recognition_bytes || first_.failure) return false;
        try {
            FrameBatch batch;
            if (!reader_.read(batch, stop_)) return false;
            for (const auto& record : batch.records) {
                if (payloads_.size() == recognition_payloads) break;
                if (record.bytes.empty()) continue;
                payloads_.push_back(record.bytes);
                bytes_ += record.bytes.size();
            }
            first_.batches.push_back(std::move(batch));
        } catch (const Error& error) {
            if (payloads_.empty())
                throw first_frame(error.cause() == Cause::limit ? no_trace(error) : error, error.where().file);
            first_.failure = std::current_exception();
        } catch (...) {
            if (payloads_.empty()) throw;
            first_.failure = std::current_exception();
        }
        return true;
    }
    [[nodiscard]] const std::vector<Bytes>& payloads() const noexcept { return payloads_; }
    [[nodiscard]] FirstBatches batches() { return std::move(first_); }

private:
    /// A program, a picture: their first bytes are no length that a message has. A limit that was lowered may be the
    /// reason, too.
    [[nodiscard]] Error no_trace(const Error& error) const
    {
        const bool lowered = max_message_bytes_ < default_max_message_bytes;
        return error.reworded("this is not a trace, or its first message" +
                              (lowered ? exceeds_limit(max_message_bytes_) : exceeds(max_message_bytes_, "bytes")));
    }

    LengthPrefixedReader& reader_;
    std::stop_token stop_;
    std::size_t max_message_bytes_;
    std::vector<Bytes> payloads_;
    std::size_t bytes_ = 0;
    FirstBatches first_;
};

/// Waits for no more frames than the decision needs: on a live pipe the second may be long in coming. A first frame
/// that nothing explains decides nothing: what a file is must not depend on how many of its frames were read at once.
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
            if (may_change(error) && first.read_more()) continue;
            if (error.damage() == Damage::first_frame) throw first_frame(error, file);
            throw;
        }
    }
}

/// A reader of the source, and what its first frames are.
struct Opened {
    std::unique_ptr<LengthPrefixedReader> reader;
    TraceInfo info;
    FirstBatches first;
};

Opened open(std::unique_ptr<ByteSource> source, std::string_view compression, const OpenOptions& options)
{
    Opened opened;
    const auto file = source->name();
    opened.reader = std::make_unique<LengthPrefixedReader>(
        std::move(source),
        LengthPrefixedReaderOptions{.max_message_bytes = options.max_message_bytes, .keep_empty = options.keep_empty});
    FirstFrames first(*opened.reader, options);
    opened.info = length_prefixed_info(file, compression, recognize_first(first, file, options));
    opened.first = first.batches();
    return opened;
}

/// What an input has buffered, and the rest of its source.
class RestOfInput final : public ByteSource {
public:
    explicit RestOfInput(WindowedInput input) : input_(std::move(input)) {}

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        const auto bytes = input_.ensure(1, stop);
        const auto count = std::min(into.size(), bytes.size());
        std::copy_n(bytes.begin(), count, into.begin());
        input_.consume(count);
        return count;
    }
    [[nodiscard]] const std::filesystem::path& name() const noexcept override { return input_.source().name(); }
    [[nodiscard]] std::optional<std::uint64_t> end() const override { return input_.source().end(); }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return input_.source().bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override
    {
        return input_.source().bytes_total();
    }

private:
    WindowedInput input_;
};

/// `file`: null where the input cannot be read twice; then it is copied. Sets the input to its beginning.
std::shared_ptr<FrameVerifier> recognize(std::shared_ptr<const RandomAccess> file, WindowedInput& input,
                                         const OpenOptions& options)
{
    std::optional<Error> failure;
    if (auto verifier = recognize_in_place(input, options, failure)) return verifier;
    if (!file) {
        RestOfInput rest(std::move(input));
        file = unpacked_file(rest, options.stop);
    }
    input = WindowedInput(std::make_unique<SeekableSource>(file));  // frees what it has read
    try {
        return recognize_anywhere(*file, options);
    } catch (const Error& error) {
        // The first frames say more than that nothing was found.
        if (failure && error.cause() == Cause::malformed) throw Error(*failure);
        throw;
    }
}

ResyncOptions resync_options(const OpenOptions& options)
{
    return {.max_message_bytes = options.max_message_bytes,
            .keep_empty = options.keep_empty,
            .live = options.follow || options.live};
}

std::unique_ptr<FrameSource> open_damaged(std::unique_ptr<ByteSource> source, std::string_view compression,
                                          const OpenOptions& options)
{
    auto file = source->random_access();
    WindowedInput input(std::move(source));
    auto verifier = recognize(std::move(file), input, options);
    auto info = length_prefixed_info(input.source().name(), compression, verifier->channel());
    auto reader = std::make_unique<ResyncReader>(std::move(input), std::move(verifier), resync_options(options));
    return std::make_unique<LengthPrefixedStream>(std::move(reader), std::move(info), true, FirstBatches{},
                                                  options.on_skip);
}

}  // namespace

TraceInfo length_prefixed_info(const std::filesystem::path& file, std::string_view compression, Channel channel)
{
    TraceInfo info;
    info.file = file;
    info.container = length_prefixed_container;
    info.compression = compression;
    info.channels.push_back(std::move(channel));
    return info;
}

std::unique_ptr<FrameSource> open_length_prefixed_stream(std::unique_ptr<ByteSource> source,
                                                         std::string_view compression, const OpenOptions& options)
{
    if (options.skip_bad_frames) return open_damaged(std::move(source), compression, options);
    auto opened = open(std::move(source), compression, options);
    const bool flat = opened.info.channels.front().format.encoding == Encoding::flatbuffers;
    return std::make_unique<LengthPrefixedStream>(
        std::move(opened.reader), std::move(opened.info), options.keep_empty || !flat, std::move(opened.first), nullptr,
        options.follow && compression == not_compressed ? options.on_skip : nullptr);
}

std::shared_ptr<const Trace> open_length_prefixed_trace(std::shared_ptr<const RandomAccess> file,
                                                        std::string_view compression, const OpenOptions& options)
{
    LengthPrefixedTraceOptions trace{options.max_message_bytes, options.keep_empty, {}};
    auto opened = open(std::make_unique<SeekableSource>(file), compression, options);
    if (options.keep_index && !file->version().empty()) trace.keeping.directory = index_cache_directory();
    return std::make_shared<LengthPrefixedTrace>(std::move(file), std::move(opened.info), std::move(trace));
}

}  // namespace ositrace
