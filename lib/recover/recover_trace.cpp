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

#include "lib/length_prefixed/open_length_prefixed.hpp"
#include "lib/length_prefixed/recognize_damaged.hpp"
#include "lib/length_prefixed/resync_reader.hpp"
#include "lib/mcap/chunk_compression.hpp"
#include "lib/mcap/mcap_observer.hpp"
#include "lib/open/damaged_file.hpp"
#include "lib/trace/payload_header.hpp"

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

/// The whole frames of a damaged length-prefixed file. What touches is reported as one loss, when it is known what
/// follows. Memory: that of ResyncReader.
class WholeFrames final : public FrameSource {
public:
    /// `seams`: offsets before which bytes are missing, in order.
    WholeFrames(WindowedInput input, TraceInfo info, std::shared_ptr<FrameVerifier> verifier,
                const ResyncOptions& options, std::vector<std::uint64_t> seams,
                std::function<void(const LostBytes&)> on_loss)
        : info_(std::move(info)),
          seams_(std::move(seams)),
          verifier_(std::move(verifier)),
          reader_(std::move(input), verifier_, options),
          on_loss_(std::move(on_loss))
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return reader_.source().bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override
    {
        return reader_.source().bytes_total();
    }
    bool read(Frame& frame, std::stop_token stop) override
    {
        while (!stop.stop_requested()) {
            if (next_ == batch_.records.size()) {
                next_ = 0;
                if (!reader_.read(batch_, stop)) {
                    if (!stop.stop_requested()) report_loss(std::nullopt);
                    return false;
                }
                if (const auto& skipped = batch_.skipped)
                    lose(skipped->offset, skipped->bytes, skipped->frames, skipped->error.reason());
                continue;
            }
            const auto& record = batch_.records[next_++];
            if (const auto problem = problem_of(record)) {
                lose(record.offset, length_prefix::prefix_bytes + record.bytes.size(), 1, *problem);
                continue;
            }
            if (!record.bytes.empty()) verifier_->accept(record.bytes);
            frame = Frame{};
            frame.bytes = record.bytes;
            frame.owner = batch_.owner;
            frame.index = frames_++;
            frame.offset = record.offset;
            const auto time = readable_timestamp(frame.bytes, info_.channels.front());
            report_loss(time);
            if (time) last_time_ = time;
            return true;
        }
        return false;
    }

private:
    std::optional<std::string> problem_of(const FrameBatch::Record& record)
    {
        if (record.bytes.empty()) return std::nullopt;
        const auto seam = std::ranges::upper_bound(seams_, record.offset);
        if (seam != seams_.end() && *seam < record.offset + length_prefix::prefix_bytes + record.bytes.size())
            return "bytes are missing inside, where the compressed file is damaged";
        return verifier_->problem_of(record.bytes);
    }
    void lose(std::uint64_t from, std::uint64_t bytes, std::uint64_t frames, const std::string& reason)
    {
        if (!loss_) loss_ = LostBytes{frames_, from, 0, last_time_, std::nullopt, reason};
        loss_->bytes = from + bytes - loss_->offset;
        loss_->frames += frames;
    }
    void report_loss(std::optional<Nanoseconds> before)
    {
        if (!loss_) return;
        loss_->before = before;
        on_loss_(*std::exchange(loss_, std::nullopt));
    }

    TraceInfo info_;
    std::vector<std::uint64_t> seams_;
    std::shared_ptr<FrameVerifier> verifier_;
    ResyncReader reader_;
    std::function<void(const LostBytes&)> on_loss_;
    FrameBatch batch_;
    std::size_t next_ = 0;      ///< in batch_.records
    std::uint64_t frames_ = 0;  ///< handed out
    std::optional<Nanoseconds> last_time_;
    std::optional<LostBytes> loss_;
};

/// Frames of a file that was unpacked as far as possible: reports between which of them something is missing, and
/// counts those of a damaged compressed frame. Memory: one entry for each damage, up to a limit; then one for all
/// others together.
class UnpackedFrames final : public FrameSource {
public:
    /// Borrows the source. `damages` in the order of the file; offsets of frames count in the unpacked file.
    UnpackedFrames(FrameSource& source, std::vector<CompressionDamage> damages,
                   std::function<void(const LostBytes&)> on_loss)
        : source_(source), damages_(std::move(damages)), on_loss_(std::move(on_loss))
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return source_.info(); }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_.bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_.bytes_total(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (!source_.read(frame, stop)) {
            if (!stop.stop_requested())
                while (next_ != damages_.size()) report(std::nullopt);
            return false;
        }
        const auto time = readable_timestamp(frame.bytes, info().channels.front());
        while (next_ != damages_.size() && frame.offset >= damages_[next_].to) report(time);
        ++frames_;
        // A frame that reaches from a damaged compressed frame into the next one begins in the damaged one.
        if (next_ != damages_.size() && frame.offset >= damages_[next_].from) ++kept_;
        if (time) last_time_ = time;
        return true;
    }

private:
    void report(std::optional<Nanoseconds> before)
    {
        const auto& damage = damages_[next_++];
        LostBytes loss{frames_, damage.offset, damage.bytes, last_time_, before, damage.error.reason()};
        loss.kept = std::exchange(kept_, 0);
        loss.compressed = true;
        on_loss_(loss);
    }

    FrameSource& source_;
    std::vector<CompressionDamage> damages_;
    std::function<void(const LostBytes&)> on_loss_;
    std::size_t next_ = 0;  ///< damage to be passed
    std::uint64_t frames_ = 0;
    std::uint64_t kept_ = 0;  ///< frames of its compressed frame
    std::optional<Nanoseconds> last_time_;
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
        std::shared_ptr<FrameVerifier> verifier;
        if (damaged.file) verifier = recognize(damaged);
        if (!verifier) {
            for (const auto& damage : damages) note(damage);
            return copy_stream(std::move(damaged));
        }
        const auto file = std::move(damaged.file);
        TraceInfo info;
        info.file = in_;
        info.container = damaged.container->traits;
        info.compression = damaged.compression;
        info.channels.push_back(verifier->channel());
        const auto on_loss = [this](const LostBytes& loss) { note(loss); };
        const ResyncOptions resync{.max_message_bytes = options_.open.max_message_bytes,
                                   .keep_empty = options_.open.keep_empty};
        std::vector<std::uint64_t> seams;
        for (const auto& damage : damages)
            if (damage.bytes != 0) seams.push_back(damage.to);
        WholeFrames whole(WindowedInput(std::make_unique<SeekableSource>(file)), std::move(info), std::move(verifier),
                          resync, std::move(seams), on_loss);
        result_.bytes_in = file->size();
        UnpackedFrames frames(whole, std::move(damages), on_loss);
        copy(frames);
    }

    /// Null: it is a text with the extension of another container, and now open as such.
    std::shared_ptr<FrameVerifier> recognize(DamagedFile& damaged)
    try {
        return recognize_damaged(damaged.file, options_.open, stop_);
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
        };
        open.is_whole = [judge = std::make_shared<MessageJudge>()](const Channel& channel, Bytes payload,
                                                                   bool searched) {
            return judge->is_whole(channel, payload, searched);
        };
        return open_stream(std::move(damaged), open);
    }

    void copy(FrameSource& source)
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
        result_.lost_frames += loss.frames;
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
    return Recovery(in, out, options, std::move(stop)).run();
}

}  // namespace ositrace
