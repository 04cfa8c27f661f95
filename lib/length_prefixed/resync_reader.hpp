// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "lib/length_prefixed/length_prefixed_reader.hpp"
#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

struct ResyncOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool keep_empty = false;        ///< see OpenOptions
    bool live = false;              ///< hand out a whole frame before the next one has begun
    std::uint64_t first_index = 0;  ///< of the frame that the input begins with
};

/// The frames of a damaged length-prefixed stream. What it finds does not depend on how the input arrives, nor on what
/// becomes of the frames.
///
/// A frame is handed out where the frame before it ends, if something that begins like a frame follows it, or the end.
/// Otherwise its content is read from end to end. If it is a whole message and contains no other frame, it is handed
/// out; the damage is after it. Otherwise the next frame is searched for at every byte: one that is surely a message
/// (FrameVerifier) and is followed by another one or the end, or states a version and a time. Then
/// - frames whose lengths lead exactly to it are handed out, although their content may be damaged;
/// - if all bytes up to it are surely one message, only the length was wrong: it is handed out;
/// - else the bytes up to it are skipped.
/// If a frame holds others up to its end, its length is wrong: it is handed out without them, and they follow.
/// Memory: the frame at the position and its neighbours; while it searches, 32 MiB and the candidate with its
/// neighbour. Time is linear in the size of the input.
class ResyncReader final : public FrameBatchReader {
public:
    ResyncReader(WindowedInput input, std::shared_ptr<FrameVerifier> verifier, ResyncOptions options);

    bool read(FrameBatch& batch, const std::stop_token& stop) override;
    [[nodiscard]] const ByteSource& source() const noexcept override { return input_.source(); }

private:
    enum class Neighbour { none, frame, empty_messages };
    struct LastFrame {
        std::shared_ptr<const void> owner;
        Bytes payload;
    };
    /// What the beginning of all payloads has in common.
    struct Signature {
        std::array<std::byte, 4> bytes{};
        std::size_t size = 0;
    };
    static constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();

    void collect(FrameBatch& batch);
    bool step(FrameBatch& batch);
    [[nodiscard]] std::optional<std::size_t> length_before_frames_in(Bytes payload);
    bool step_over_zeros(FrameBatch& batch);
    void resync(FrameBatch& batch, std::uint32_t length, const Error& why, bool length_is_possible);
    void hand_out(FrameBatch& batch, std::uint32_t length);
    void hand_out_empty_frames(FrameBatch& batch);
    void lose(FrameBatch& batch, std::uint64_t from, std::uint64_t to, const Error& why, std::uint64_t frames);
    void note(Bytes payload);
    void learn_last();

    Bytes at(std::uint64_t offset, std::size_t count);
    Bytes buffered_at(std::uint64_t offset, std::size_t count);
    [[nodiscard]] bool ends_before(std::uint64_t offset) const;
    [[nodiscard]] Neighbour neighbour_at(std::uint64_t offset);
    [[nodiscard]] bool neighbour_in(Bytes rest) const;
    [[nodiscard]] bool is_unusual(std::uint32_t length) const;
    [[nodiscard]] bool is_familiar(Bytes payload_front, std::uint32_t length) const;
    [[nodiscard]] bool empty_messages_are_legal(std::uint64_t zeros) const;
    [[nodiscard]] std::uint64_t search(std::uint64_t from, std::uint64_t to);
    [[nodiscard]] bool is_frame(std::uint64_t offset, std::uint32_t length);
    [[nodiscard]] bool may_spend(std::uint64_t offset) const;
    [[nodiscard]] std::uint64_t max_length_at(std::uint64_t offset) const;
    [[nodiscard]] bool leads_to(std::uint64_t next, std::uint32_t length);
    [[nodiscard]] bool is_message_up_to(std::uint64_t next);
    [[nodiscard]] std::uint32_t shorter_length(std::uint32_t length);
    [[nodiscard]] std::uint64_t fronts_in(std::uint64_t from, std::uint64_t to);
    [[nodiscard]] std::uint64_t frames_in(std::uint64_t bytes, std::uint64_t next);

    WindowedInput input_;
    std::optional<FrameBatch> waiting_;  ///< to be returned next
    std::shared_ptr<FrameVerifier> verifier_;
    std::optional<FrameVerifier> judge_;  ///< of frames whose length may be wrong
    ResyncOptions options_;
    std::stop_token stop_;
    std::uint64_t next_index_;
    std::uint64_t believed_until_ = 0;      ///< lengths lead to this offset
    std::uint64_t empty_frames_ = 0;        ///< to be handed out before the next frame
    std::uint64_t empty_frames_begin_ = 0;  ///< offset of the first
    std::uint64_t spent_bytes_ = 0;         ///< read in candidates
    LastFrame last_;                        ///< handed out, not learned from
    Signature signature_;
    std::uint32_t smallest_ = std::numeric_limits<std::uint32_t>::max(), largest_ = 0, last_length_ = 0;
};

}  // namespace ositrace
