// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/recover/frame_verifier.hpp"
#include "lib/recover/recognize_damaged.hpp"
#include "lib/recover/salvage.hpp"
#include "lib/recover/summary_damage.hpp"
#include "lib/recover/unpacked_frames.hpp"
#include "lib/trace/damaged_file.hpp"
#include "lib/trace/open_length_prefixed.hpp"

namespace ositrace {

namespace {

/// Ends where its source breaks for good.
class UntilBroken final : public FrameSource {
public:
    UntilBroken(FrameSource& source, std::function<void(const Error&)> on_break)
        : source_(source), on_break_(std::move(on_break))
    {
    }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return source_.info(); }
    bool read(Frame& frame, std::stop_token stop) override
    try {
        return !broken_ && source_.read(frame, std::move(stop));
    } catch (const Error& error) {
        if (error.cause() != Cause::malformed && error.cause() != Cause::truncated && error.cause() != Cause::limit)
            throw;
        broken_ = true;
        on_break_(error);
        return false;
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_.bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_.bytes_total(); }

private:
    FrameSource& source_;
    std::function<void(const Error&)> on_break_;
    bool broken_ = false;
};

/// One verifier for all channels of a table.
class MessageJudge {
public:
    bool is_whole(const Channel& channel, Bytes payload, bool searched)
    {
        auto& verifier = verifiers_[{channel.root, channel.format.encoding, channel.format.layout}];
        if (!verifier) verifier = std::make_unique<FrameVerifier>(channel);
        if (searched) return verifier->is_surely(payload);
        if (verifier->problem_of(payload)) return false;
        verifier->accept(payload);
        return true;
    }

private:
    std::map<std::tuple<const MessageTable*, Encoding, Layout>, std::unique_ptr<FrameVerifier>> verifiers_;
};

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
        std::vector<CompressionDamage> damages;
        bool is_open = false;
        auto damaged = open_damaged(
            in_, [&, this](const CompressionDamage& damage) { is_open ? note(damage) : add_damage(damages, damage); },
            stop_);
        is_open = true;
        if (!damaged.file) {
            for (const auto& damage : damages) note(damage);
            return copy_stream(std::move(damaged));
        }
        const auto file = std::make_shared<const SeekableFile>(std::move(*damaged.file));
        TraceInfo info;
        info.file = in_;
        info.container = damaged.container;
        info.compression = damaged.compression;
        auto intact = recognize_damaged(*file, options_.open, stop_);
        info.channels.push_back(intact.verifier->channel());
        Salvage salvage(file, std::move(info), std::move(intact), options_.open.max_message_bytes,
                        [this](const LostBytes& loss) { note(loss); });
        result_.bytes_in = file->size();
        UnpackedFrames frames(salvage, std::move(damages), [this](const LostBytes& loss) { note(loss); });
        return copy(frames);
    }

private:
    RecoverResult copy_stream(DamagedFile damaged)
    {
        const bool has_summary = damaged.container == mcap_container && damaged.compression == "none";
        auto behind_data = has_summary ? summary_damage(in_, stop_) : std::nullopt;
        const auto source = stream(std::move(damaged));
        UntilBroken until_broken(*source, [&](const Error& error) {
            const auto size = source->bytes_total().value_or(source->bytes_consumed());
            const auto offset = error.where().offset.value_or(size);
            note({error.where().frame.value_or(0), offset, size - std::min(size, offset), std::nullopt, std::nullopt,
                  error.reason()});
        });
        result_.bytes_in = source->bytes_total().value_or(0);
        auto result = copy(until_broken);
        if (behind_data && result.losses == 0) {  // else it may be a part of what was told
            ++result.losses;
            result.lost.push_back(std::move(*behind_data));
        }
        return result;
    }

    /// Containers that know themselves where they go on.
    std::unique_ptr<FrameSource> stream(DamagedFile damaged)
    {
        auto open = options_.open;
        open.stop = stop_;
        open.skip_bad_frames = true;
        open.on_skip = [this](const SkippedBytes& skipped) {
            note({skipped.frame, skipped.offset, skipped.bytes, std::nullopt, std::nullopt, skipped.error.reason(),
                  skipped.kept});
        };
        open.is_whole = [judge = std::make_shared<MessageJudge>()](const Channel& channel, Bytes payload,
                                                                   bool searched) {
            return judge->is_whole(channel, payload, searched);
        };
        return open_stream(std::move(damaged), open);
    }

    RecoverResult copy(FrameSource& source)
    {
        const auto& channels = source.info().channels;
        const bool one = channels.size() == 1;
        const Format format = channels.empty() ? Format{} : wanted_format(channels.front().format);
        auto write = options_.write;
        write.inputs.push_back(in_);
        write.keep_times = true;
        if (!write.chunk_compression) write.chunk_compression = known_chunk_compression(source.info());
        const auto writer = create_trace(out_, one ? converted_info(source.info(), format) : source.info(), write);
        ConvertOptions convert_options;
        convert_options.to = format;
        convert_options.max_message_bytes = options_.open.max_message_bytes;
        convert_options.on_progress = [&](const ConvertProgress& progress) {
            if (options_.on_progress)
                options_.on_progress(progress.frames, progress.bytes_consumed, progress.bytes_total);
        };
        result_.copied = convert(source, *writer, convert_options, stop_);
        result_.frames = result_.copied.frames;
        result_.bytes_out = writer->close();
        if (options_.on_written) options_.on_written(*writer);
        if (result_.bytes_in == 0) result_.bytes_in = source.bytes_consumed();
        if (source.info().channels.size() == 1) {
            result_.type_name = source.info().channels.front().type_name;
            open_again(source.info().channels.front(), format);
        }
        return std::move(result_);
    }

    /// Few and strange frames may be whole and still fit several types.
    void open_again(const Channel& channel, Format format)
    {
        const auto extension = output_extension(out_, options_.write);
        if (result_.frames == 0 || !channel.type || !extension || !extension->encoding ||
            !std::filesystem::is_regular_file(out_))
            return;
        OpenOptions open;
        open.schema = options_.open.schema;
        open.max_message_bytes = options_.open.max_message_bytes;
        open.stop = stop_;
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
        result_.to_be_stated = {*channel.type, format};
    }

    /// That of the output's extension, where it says one.
    [[nodiscard]] Format wanted_format(Format format) const
    {
        const auto extension = output_extension(out_, options_.write);
        if (extension && extension->encoding && *extension->encoding != format.encoding)
            return {*extension->encoding, Layout::numbered};
        return format;
    }

    /// In a container that knows itself where it goes on.
    void note(const CompressionDamage& damage)
    {
        LostBytes loss{std::nullopt, damage.offset, damage.bytes, std::nullopt, std::nullopt, damage.error.reason()};
        loss.compressed = true;
        note(loss);
    }

    void note(const LostBytes& loss)
    {
        const std::scoped_lock lock(mutex_);  // compressed bytes are read ahead on a thread
        ++result_.losses;
        result_.lost_bytes += loss.bytes;
        result_.kept_unproven += loss.kept;
        if (result_.lost.size() < options_.listed_losses) result_.lost.push_back(loss);
    }

    const std::filesystem::path& in_;
    const std::filesystem::path& out_;
    const RecoverOptions& options_;
    std::stop_token stop_;
    std::mutex mutex_;
    RecoverResult result_;
};

}  // namespace

RecoverResult recover_trace(const std::filesystem::path& in, const std::filesystem::path& out,
                            const RecoverOptions& options, std::stop_token stop)
{
    return Recovery(in, out, options, std::move(stop)).run();
}

}  // namespace ositrace
