// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/map_finder.hpp>
#include <ositrace/picture_maker.hpp>
#include <ositrace/trail_finder.hpp>

#include "gui/compare/comparison.hpp"
#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// The recently shown snapshots, within a budget of bytes. One thread.
class SnapshotCache {
public:
    explicit SnapshotCache(std::size_t budget) : budget_(budget) {}
    /// Null if it is not in the cache.
    [[nodiscard]] std::shared_ptr<const Snapshot> find(const SnapshotKey& key);
    /// A snapshot larger than half of the budget is not stored.
    void keep(const SnapshotKey& key, std::shared_ptr<const Snapshot> snapshot);
    void clear() noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::size_t budget() const noexcept { return budget_; }

private:
    struct Kept {
        SnapshotKey key;
        std::shared_ptr<const Snapshot> snapshot;
        std::size_t bytes = 0;
    };
    std::size_t budget_;
    std::size_t bytes_ = 0;
    std::list<Kept> by_use_;  ///< most recently used first
    std::map<SnapshotKey, std::list<Kept>::iterator> by_key_;
};

/// Builds snapshots: reads and decodes the last message of every channel at or before a time. Recently shown snapshots
/// are cached. One thread.
class SnapshotBuilder {
public:
    explicit SnapshotBuilder(std::size_t cache_budget) : cache_(cache_budget) {}

    /// Never null; a message that cannot be read is reported in its ShownFrame.
    [[nodiscard]] std::shared_ptr<const Snapshot> build(const SnapshotRequest& request);
    /// Builds a snapshot for the cache; false if it would not be cached.
    bool build_ahead(const SnapshotRequest& request);
    [[nodiscard]] const SnapshotCache& cache() const noexcept { return cache_; }

private:
    [[nodiscard]] std::shared_ptr<Snapshot> built(const SnapshotRequest& request);
    [[nodiscard]] std::optional<Snapshot::Next> next_of(const Snapshot& snapshot, SnapshotRequest request);
    struct Source {
        std::shared_ptr<const Trace> trace;
        Nanoseconds shift{};
    };
    [[nodiscard]] std::shared_ptr<Snapshot> read(const SnapshotRequest& request,
                                                 const std::vector<std::optional<std::uint64_t>>& numbers);
    [[nodiscard]] std::shared_ptr<const Picture> picture_of(const Snapshot& snapshot, const SnapshotRequest& request);
    void begin(const SnapshotRequest& request);

    SnapshotCache cache_;
    PictureMaker pictures_;
    ComparisonMaker comparisons_;
    std::shared_ptr<const CompareChoice> compared_;  ///< of the snapshots in the cache
    std::vector<MapFinder> maps_;                    ///< by channel
    std::vector<TrailFinder> trails_;
    std::vector<Source> sources_;  ///< by channel: the content of the cache belongs to these
    std::size_t largest_ = 0;      ///< bytes of the largest snapshot so far
};

/// The number of the message that each channel shows; empty before its first.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> numbers_at(const SnapshotRequest& request);

/// The key of the snapshot that a request with these message numbers shows.
[[nodiscard]] SnapshotKey key_of(const SnapshotRequest& request,
                                 const std::vector<std::optional<std::uint64_t>>& numbers);

/// The request for the next time, in a direction, at which a channel shows another message; empty if there is none.
[[nodiscard]] std::optional<SnapshotRequest> next_request(const SnapshotRequest& request, int direction);

}  // namespace ositrace::gui
