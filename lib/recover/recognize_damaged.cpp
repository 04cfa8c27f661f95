// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/recognize_damaged.hpp"

#include <algorithm>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/recover/frame_verifier.hpp"
#include "lib/trace/prefix_walker.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// How far into a file the first intact frames are looked for.
constexpr std::uint64_t max_search_bytes = std::uint64_t{256} << 20;
/// A payload that is looked at.
constexpr std::uint64_t max_payload_bytes = std::uint64_t{64} << 20;
constexpr std::size_t chained_frames = 3;

class FirstIntact {
public:
    FirstIntact(const SeekableFile& file, const OpenOptions& options) : file_(file), options_(options), reads_(file) {}

    /// `frames`: so many in a row, or all up to the end of the file.
    std::optional<Channel> find(std::size_t frames, const std::stop_token& stop)
    {
        const auto end = std::min(file_.size(), max_search_bytes);
        for (std::uint64_t offset = 0; offset + prefix_bytes < end; ++offset) {
            if (offset % 65536 == 0 && stop.stop_requested()) throw Error(Cause::cancelled, {.file = file_.name()}, "stopped");
            const auto places = chain_at(offset, frames);
            if (places.empty()) continue;
            if (auto channel = recognized(places)) return channel;
        }
        return std::nullopt;
    }
    /// Why the last candidate was none.
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }

private:
    struct Place {
        std::uint64_t offset;
        std::uint32_t length;
    };

    std::vector<Place> chain_at(std::uint64_t offset, std::size_t frames)
    {
        std::vector<Place> places;
        while (places.size() < frames && offset != file_.size()) {
            const auto length = length_prefix::length_at(reads_.at(offset, prefix_bytes));
            if (!length || *length == 0 || *length > options_.max_message_bytes || *length > file_.size() - offset - prefix_bytes)
                return {};
            places.push_back({offset + prefix_bytes, *length});
            offset += prefix_bytes + *length;
        }
        return places;
    }

    std::optional<Channel> recognized(const std::vector<Place>& places)
    try {
        std::vector<std::vector<std::byte>> payloads;
        for (const auto& place : places) {
            if (place.length > max_payload_bytes) continue;
            payloads.emplace_back(place.length);
            static_cast<void>(file_.read_at(place.offset, payloads.back()));
        }
        const std::vector<Bytes> views(payloads.begin(), payloads.end());
        if (views.empty()) return std::nullopt;
        auto channel = recognize_channel(file_.name(), views, options_);
        FrameVerifier verifier(channel);
        const bool whole = std::ranges::any_of(views, [&](Bytes payload) { return verifier.is_surely(payload); });
        return whole ? std::optional(std::move(channel)) : std::nullopt;
    } catch (const Error& error) {
        if (!failure_ || error.cause() == Cause::ambiguous) failure_ = error;
        return std::nullopt;
    }

    const SeekableFile& file_;
    const OpenOptions& options_;
    SmallReads reads_;
    std::optional<Error> failure_;
};

}  // namespace

Channel recognize_damaged(const SeekableFile& file, const OpenOptions& options, const std::stop_token& stop)
{
    FirstIntact first(file, options);
    if (auto channel = first.find(chained_frames, stop)) return *channel;
    if (auto channel = first.find(1, stop)) return *channel;
    if (first.failure() && first.failure()->cause() == Cause::ambiguous) throw *first.failure();
    throw Error(Cause::malformed, {.file = file.name()}, "there is not one whole frame in this file");
}

}  // namespace ositrace
