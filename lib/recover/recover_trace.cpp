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

#include "lib/io/file_handle.hpp"
#include "lib/length_prefixed/frame_verifier.hpp"
#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/mcap_observer.hpp"
#include "lib/open/damaged_file.hpp"

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
        if (!is_damage(error)) throw;
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

void add_damage(std::vector<CompressionDamage>& damages, const CompressionDamage& damage)
{
    constexpr std::size_t max_damages = 65'536;
    if (damages.size() < max_damages) return damages.push_back(damage);
    auto& last = damages.back();
    last.bytes += damage.bytes;
    last.to = damage.to;
}

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
        copy_frames();
        if (written_) open_again(*written_);  // the frames that were read are no longer in memory
        return std::move(result_);
    }

private:
    void copy_frames()
    {
        std::vector<CompressionDamage> damages;
        bool is_open = false;
        auto damaged = open_damaged(
            in_, [&, this](const CompressionDamage& damage) { is_open ? note(damage) : add_damage(damages, damage); },
            stop_);
        is_open = true;
        if (damaged.file)
            if (const auto frames = whole_frames(damaged, damages)) {
                result_.bytes_in = damaged.file->size();
                return copy(*frames);
            }
        for (const auto& damage : damages) note(damage);
        copy_stream(std::move(damaged));
    }

    /// Null: it is a text with the extension of another container, and now open as such.
    std::unique_ptr<FrameSource> whole_frames(DamagedFile& damaged, const std::vector<CompressionDamage>& damages)
    try {
        auto open = options_.open;
        open.stop = stop_;
        return open_whole_frames(damaged.file, damaged.compression, damages, open,
                                 [this](const LostBytes& loss) { note(loss); });
    } catch (const Error& error) {
        if (error.cause() != Cause::malformed || !reopen_as_text(damaged, stop_)) throw;
        return nullptr;
    }

    void copy_stream(DamagedFile damaged)
    {
        McapIndexCheck index([this](const Error& error) { note_summary(error); });
        const auto source = stream(std::move(damaged), index);
        UntilBroken until_broken(*source, [&](const Error& error) {
            const auto size = source->bytes_total().value_or(source->bytes_consumed());
            const auto offset = error.where().offset.value_or(size);
            note({error.where().frame.value_or(0), offset, size - std::min(size, offset), std::nullopt, std::nullopt,
                  error.reason()});
        });
        result_.bytes_in = source->bytes_total().value_or(0);
        copy(until_broken);
    }

    /// Containers that know themselves where they go on.
    std::unique_ptr<FrameSource> stream(DamagedFile damaged, McapObserver& observer)
    {
        auto open = options_.open;
        open.stop = stop_;
        open.skip_bad_frames = true;
        open.mcap_observer = &observer;
        open.on_skip = [this](const SkippedBytes& skipped) {
            const bool is_cut = skipped.bytes == 0 && skipped.kept == 0 && skipped.error.cause() == Cause::truncated;
            if (is_cut || skipped.error.damage() == Damage::bad_summary_crc) return note_summary(skipped.error);
            note({skipped.frame, skipped.offset, skipped.bytes, std::nullopt, std::nullopt, skipped.error.reason(),
                  skipped.frames, skipped.kept});
            if (skipped.error.damage() == Damage::statistics) result_.lost_frames.set_complete();
        };
        open.is_whole = [judge = std::make_shared<MessageJudge>()](const Channel& channel, Bytes payload,
                                                                   bool searched) {
            return judge->is_whole(channel, payload, searched);
        };
        return open_stream(std::move(damaged), open);
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
        convert_options.skip_bad_frames = true;
        convert_options.keep_empty = options_.open.keep_empty;
        convert_options.on_skip = [this](const SkippedBytes& skipped) {
            note({std::nullopt, skipped.offset, skipped.bytes, std::nullopt, std::nullopt, skipped.error.reason(),
                  skipped.frames});
        };
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
            written_ = converted_channel(source.info().channels.front(), format);
        }
    }

    /// Few and strange frames may be whole and still fit several types.
    void open_again(const Channel& channel)
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
        result_.to_be_stated = {*channel.type, channel.format};
    }

    /// In a container that knows itself where it goes on.
    void note(const CompressionDamage& damage)
    {
        LostBytes loss{std::nullopt, damage.offset, damage.bytes, std::nullopt, std::nullopt, damage.error.reason()};
        loss.compressed = true;
        note(loss);
    }

    /// Of what no message depends on.
    void note_summary(const Error& error)
    {
        const auto& where = error.where();
        note({std::nullopt, where.offset.value_or(0), 0, std::nullopt, std::nullopt,
              (where.field.empty() ? "" : where.field + ": ") + error.reason() + "; the output has a new one"});
    }

    void note(const LostBytes& loss)
    {
        const std::scoped_lock lock(mutex_);  // compressed bytes are read ahead on a thread
        ++result_.losses;
        result_.lost_bytes += loss.bytes;
        result_.lost_frames.add(loss.frames, loss.bytes);
        result_.kept_unproven += loss.kept;
        if (result_.lost.size() < options_.listed_losses) result_.lost.push_back(loss);
    }

    const std::filesystem::path& in_;
    const std::filesystem::path& out_;
    const RecoverOptions& options_;
    std::stop_token stop_;
    std::mutex mutex_;
    RecoverResult result_;
    std::optional<Channel> written_;  ///< the only one of the output
};

}  // namespace

RecoverResult recover_trace(const std::filesystem::path& in, const std::filesystem::path& out,
                            const RecoverOptions& options, std::stop_token stop)
{
    auto told_once = options;
    told_once.open = telling_once(options.open, input_name(in));
    return Recovery(in, out, told_once, std::move(stop)).run();
}

}  // namespace ositrace
