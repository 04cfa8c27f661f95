// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <ositrace/recover.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/buffer_pool.hpp"
#include "lib/io/seekable_file.hpp"
#include "lib/recover/recognize_damaged.hpp"
#include "lib/trace/prefix_walker.hpp"

namespace ositrace {

/// The whole frames of a damaged length-prefixed file. Where a frame follows another its length decides, and its
/// content is read from end to end. A length that is wrong in one byte is put right when the content up to the next
/// frame is a whole message. Behind other damage the next frame is looked for at every byte: one that is surely a
/// message of the trace (FrameVerifier). Memory: one frame.
class Salvage final : public FrameSource {
public:
    /// `known`: of the file, what its frames were recognised by. `on_loss` is called by read(), in the order of the
    /// file.
    Salvage(std::shared_ptr<const SeekableFile> file, TraceInfo info, IntactFrame known, std::size_t max_message_bytes,
            std::function<void(const LostBytes&)> on_loss);

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override
    {
        return position_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return file_->size(); }

private:
    /// What stands at an offset.
    struct Record {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
        std::optional<std::string> problem;  ///< of the length
        [[nodiscard]] std::uint64_t end() const noexcept;
    };
    [[nodiscard]] Record record_at(std::uint64_t offset);
    [[nodiscard]] std::shared_ptr<Block> load(const Record& record);
    [[nodiscard]] std::uint64_t zeros_at(std::uint64_t offset) const;
    void take_zeros();
    void give(Frame& frame, const Record& record, std::shared_ptr<Block> payload);
    void pass_over(const Record& bad, const std::string& reason, const std::stop_token& stop);
    [[nodiscard]] std::uint64_t next_place(const Record& bad, const std::stop_token& stop);
    [[nodiscard]] bool is_surely(std::uint64_t offset);
    [[nodiscard]] bool leads_on(std::uint64_t offset);
    [[nodiscard]] bool begins_plausibly(std::uint64_t offset, std::uint32_t length);
    [[nodiscard]] std::optional<Record> repaired(const Record& bad, std::uint64_t next);
    void lose(std::uint64_t from, std::uint64_t to, const std::string& reason);
    void report_loss(std::optional<Nanoseconds> before);

    std::shared_ptr<const SeekableFile> file_;
    TraceInfo info_;
    std::size_t max_message_bytes_;
    std::function<void(const LostBytes&)> on_loss_;
    IntactFrame known_;  ///< its payload: of a first frame that is not given yet
    FrameVerifier& verifier_;
    SmallReads reads_;
    BufferPool buffers_;
    std::atomic<std::uint64_t> position_{0};
    std::optional<Record> repaired_;  ///< at the position, to be given: its length is not what the file says
    std::uint64_t empty_frames_ = 0;  ///< at the position, to be given
    std::uint64_t given_ = 0;
    std::optional<Nanoseconds> last_time_;
    std::optional<LostBytes> loss_;   ///< to be reported when it is known what comes behind
    std::uint64_t wasted_bytes_ = 0;  ///< read for candidates that were none
};

}  // namespace ositrace
