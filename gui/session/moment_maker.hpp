// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ositrace/map_finder.hpp>
#include <ositrace/picture_maker.hpp>

#include "gui/session/moment_cache.hpp"
#include "gui/session/moment_request.hpp"

namespace ositrace::gui {

/// Reads and decodes what a moment shows: of every channel the last message at or before its time. What was shown
/// lately is kept. One thread.
class MomentMaker {
public:
    explicit MomentMaker(std::size_t cache_budget) : cache_(cache_budget) {}

    /// Never null; what cannot be read says so in its ShownFrame.
    [[nodiscard]] std::shared_ptr<const Moment> make(const MomentRequest& request);
    /// Makes it when it is not kept already; false when it would not be kept.
    bool make_ahead(const MomentRequest& request);
    [[nodiscard]] const MomentCache& cache() const noexcept { return cache_; }

private:
    struct Source {
        std::shared_ptr<const Trace> trace;
        Nanoseconds shift{};
    };
    [[nodiscard]] std::shared_ptr<Moment> read(const MomentRequest& request,
                                               const std::vector<std::optional<std::uint64_t>>& numbers);
    [[nodiscard]] std::shared_ptr<const Picture> picture_of(const Moment& moment, const OpenChannels& channels);
    void begin(const std::shared_ptr<const OpenChannels>& channels);

    MomentCache cache_;
    PictureMaker pictures_;
    std::vector<MapFinder> maps_;  ///< by channel
    std::vector<Source> sources_;  ///< by channel: what the cache belongs to
    std::size_t largest_ = 0;      ///< bytes of the largest moment made
};

/// The number of the message that each channel shows; empty before its first.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> numbers_at(const MomentRequest& request);

/// The key of what a request shows, where these are its numbers.
[[nodiscard]] MomentKey key_of(const MomentRequest& request, const std::vector<std::optional<std::uint64_t>>& numbers);

/// The request for the next moment at which a channel shows another message, in a direction; empty where there is none.
[[nodiscard]] std::optional<MomentRequest> next_request(const MomentRequest& request, int direction);

}  // namespace ositrace::gui
