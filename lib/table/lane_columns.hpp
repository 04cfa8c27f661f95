// SPDX-License-Identifier: MPL-2.0
// The lane coordinates of rows, which are found frame by frame, as the lanes of a trace may change.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/lane_frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/table.hpp>

#include "lib/table/plan.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

class LaneColumns {
public:
    LaneColumns(LaneSources sources, TableLanes lanes) : sources_(sources), lanes_(std::move(lanes)) {}

    /// Places of the rows from `first` on, which a frame has added.
    void add(const MessageView& frame, Store& store, const LevelData& rows, std::size_t first);
    void resize(std::size_t rows) { places_.resize(rows); }
    /// Of each row.
    [[nodiscard]] std::span<const std::optional<LanePlace>> places() const noexcept { return places_; }

private:
    void follow(const MessageView& frame);
    [[nodiscard]] std::optional<LanePlace> place_of(Store& store, std::size_t row) const;

    LaneSources sources_;
    TableLanes lanes_;
    std::size_t known_ = 0;  ///< a hash of the lanes of the last frame that had some
    std::vector<std::optional<LanePlace>> places_;
};

}  // namespace ositrace::table
