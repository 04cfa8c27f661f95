// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "gui/session/moment.hpp"

namespace ositrace::gui {

/// The moments that were shown last, within a budget of bytes. One thread.
class MomentCache {
public:
    explicit MomentCache(std::size_t budget) : budget_(budget) {}
    /// Null when it is not there.
    [[nodiscard]] std::shared_ptr<const Moment> find(const MomentKey& key);
    /// A moment that is larger than half of the budget is not kept.
    void keep(const MomentKey& key, std::shared_ptr<const Moment> moment);
    void clear() noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::size_t budget() const noexcept { return budget_; }

private:
    struct Kept {
        MomentKey key;
        std::shared_ptr<const Moment> moment;
        std::size_t bytes = 0;
    };
    std::size_t budget_;
    std::size_t bytes_ = 0;
    std::list<Kept> by_use_;  ///< the last used in front
    std::map<MomentKey, std::list<Kept>::iterator> by_key_;
};

}  // namespace ositrace::gui
