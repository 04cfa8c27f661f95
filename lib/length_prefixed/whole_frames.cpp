// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/open_length_prefixed.hpp"

#include <algorithm>
#include <utility>

#include "lib/length_prefixed/recognize_damaged.hpp"
#include "lib/length_prefixed/resync_reader.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

/// The frames that are whole messages.
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
/// counts those of a damaged compressed frame.
class UnpackedFrames final : public FrameSource {
public:
    /// Offsets of frames count in the unpacked file.
    UnpackedFrames(std::unique_ptr<FrameSource> source, std::vector<CompressionDamage> damages,
                   std::function<void(const LostBytes&)> on_loss)
        : source_(std::move(source)), damages_(std::move(damages)), on_loss_(std::move(on_loss))
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return source_->info(); }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_->bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_->bytes_total(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (!source_->read(frame, stop)) {
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

    std::unique_ptr<FrameSource> source_;
    std::vector<CompressionDamage> damages_;
    std::function<void(const LostBytes&)> on_loss_;
    std::size_t next_ = 0;  ///< damage to be passed
    std::uint64_t frames_ = 0;
    std::uint64_t kept_ = 0;  ///< frames of its compressed frame
    std::optional<Nanoseconds> last_time_;
};

}  // namespace

std::unique_ptr<FrameSource> open_whole_frames(std::shared_ptr<const RandomAccess> file, std::string_view compression,
                                               std::vector<CompressionDamage> damages, const OpenOptions& options,
                                               std::function<void(const LostBytes&)> on_loss)
{
    auto verifier = recognize_damaged(file, options, options.stop);
    auto info = length_prefixed_info(file->name(), compression, verifier->channel());
    std::vector<std::uint64_t> seams;
    for (const auto& damage : damages)
        if (damage.bytes != 0) seams.push_back(damage.to);
    auto whole = std::make_unique<WholeFrames>(
        WindowedInput(std::make_unique<SeekableSource>(std::move(file))), std::move(info), std::move(verifier),
        ResyncOptions{.max_message_bytes = options.max_message_bytes, .keep_empty = options.keep_empty},
        std::move(seams), on_loss);
    return std::make_unique<UnpackedFrames>(std::move(whole), std::move(damages), std::move(on_loss));
}

}  // namespace ositrace
