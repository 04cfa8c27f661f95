// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/mcap_observer.hpp"

namespace ositrace {

namespace {

/// The first of those in the input, where it has chunks.
std::optional<std::string> known_chunk_compression(const TraceInfo& info)
{
    const auto name = info.chunk_compression.substr(0, info.chunk_compression.find(','));
    const bool known =
        std::ranges::any_of(mcap::chunk_compressions(), [&](const auto& row) { return row.name == name; });
    return known ? std::optional(name) : std::nullopt;
}

class Recovery {
public:
    Recovery(const std::filesystem::path& in, const std::filesystem::path& out, const RecoverOptions& options,
             std::stop_token stop)
        : in_(in), out_(out), options_(options), stop_(std::move(stop))
    {
    }

    RecoverResult run()
    {
        copy_frames();
        if (written_) open_again(*written_);  // the frames that were read are no longer in memory
        return std::move(result_);
    }

private:
    void copy_frames()
    {
        McapIndexCheck index([this](const Error& error) { note_summary(error); });
        auto open = options_.open;
        open.stop = stop_;
        open.skip_bad_frames = true;
        open.depth = DamageDepth::content;
        open.mcap_observer = &index;
        open.on_skip = [this](const SkippedBytes& skipped) {
            const bool is_cut = skipped.bytes == 0 && skipped.kept == 0 && !skipped.compressed &&
                                skipped.error.cause() == Cause::truncated;
            if (is_cut || skipped.error.damage() == Damage::bad_summary_crc) return note_summary(skipped.error);
            note(skipped);
        };
        const auto source = open_stream(in_, open);
        copy(*source);
        result_.bytes_in = bytes_of(*source);
        number_by_output();
        // Of frames that no checksum confirms, conversion drops those that cannot be read.
        result_.kept_unproven = std::min(result_.kept_unproven, result_.frames);
    }

    void copy(FrameSource& source)
    {
        const auto format = output_format(out_, options_.write, source.info());
        auto write = options_.write;
        write.inputs.push_back(in_);
        write.keep_times = true;
        if (!write.chunk_compression) write.chunk_compression = known_chunk_compression(source.info());
        const auto writer = create_trace(out_, converted_info(source.info(), format), write);
        ConvertOptions convert_options;
        convert_options.to = format;
        convert_options.max_message_bytes = options_.open.max_message_bytes;
        convert_options.skip_bad_frames = convert_options.read_copied = true;
        convert_options.keep_empty = options_.open.keep_empty;
        convert_options.on_skip = [this](const SkippedBytes& skipped) {
            note(skipped);
            if (skipped.frame && dropped_.size() < options_.listed_losses) dropped_.push_back(*skipped.frame);
            dropped_bytes_ += skipped.bytes;
        };
        convert_options.on_progress = [&](const ConvertProgress& progress) {
            if (options_.on_progress)
                options_.on_progress(progress.frames, progress.bytes_consumed, progress.bytes_total);
        };
        result_.copied = convert(source, *writer, convert_options, stop_);
        result_.frames = result_.copied.frames;
        result_.bytes_out = writer->close();
        if (options_.on_written) options_.on_written(*writer);
        if (source.info().channels.size() == 1) {
            result_.type_name = source.info().channels.front().type_name;
            written_ = converted_channel(source.info().channels.front(), format);
        }
    }

    /// Of the uncompressed input: every byte of a length-prefixed file is in a frame or lost.
    [[nodiscard]] std::uint64_t bytes_of(const FrameSource& source) const
    {
        if (source.info().is_compressed() && source.info().container.payloads_in_place)
            return result_.copied.bytes_in - dropped_bytes_ + unpacked_lost_;
        return source.bytes_total().value_or(source.bytes_consumed());
    }

    /// Conversion drops frames that the source has numbered.
    void number_by_output()
    {
        for (auto& place : result_.lost)
            if (place.frame)
                *place.frame -=
                    static_cast<std::uint64_t>(std::ranges::lower_bound(dropped_, *place.frame) - dropped_.begin());
    }

    /// Few and strange frames may be whole and still fit several types. The output is complete: a stop comes too late.
    void open_again(const Channel& channel)
    {
        const auto extension = output_extension(out_, options_.write);
        if (result_.frames == 0 || !channel.type || !extension || !extension->encoding ||
            !std::filesystem::is_regular_file(out_))
            return;
        OpenOptions open;
        open.schema = options_.open.schema;
        open.max_message_bytes = options_.open.max_message_bytes;
        try {
            const auto type = open_stream(out_, open)->info().channels.front().type;
            if (type == channel.type) return;
            result_.why_stated = "the content looks like " + std::string(row_of(*type).name);
        } catch (const Error& error) {
            if (error.cause() != Cause::ambiguous && error.cause() != Cause::malformed &&
                error.cause() != Cause::mismatch)
                throw;
            result_.why_stated = error.reason();
        }
        result_.to_be_stated = {*channel.type, channel.format};
    }

    /// Of what no message depends on.
    void note_summary(const Error& error)
    {
        note({std::nullopt, error.where().offset.value_or(0), 0,
              error.reworded(error.reason() + "; the output has a new one")});
    }

    void note(const SkippedBytes& lost)
    {
        const std::scoped_lock lock(mutex_);  // the reading and the converting thread call this
        ++result_.losses;
        result_.lost_bytes += lost.bytes;
        if (!lost.compressed) unpacked_lost_ += lost.bytes;
        result_.lost_frames.add(lost);
        result_.kept_unproven += lost.kept;
        if (result_.lost.size() < options_.listed_losses) result_.lost.push_back(lost);
    }

    const std::filesystem::path& in_;
    const std::filesystem::path& out_;
    const RecoverOptions& options_;
    std::stop_token stop_;
    std::mutex mutex_;
    RecoverResult result_;
    std::vector<std::uint64_t> dropped_;  ///< numbers of frames that were read and not converted
    std::uint64_t dropped_bytes_ = 0;
    std::uint64_t unpacked_lost_ = 0;  ///< bytes, with those that were dropped
    std::optional<Channel> written_;   ///< the only one of the output
};

}  // namespace

RecoverResult recover_trace(const std::filesystem::path& in, const std::filesystem::path& out,
                            const RecoverOptions& options, std::stop_token stop)
{
    return Recovery(in, out, options, std::move(stop)).run();
}

}  // namespace ositrace
