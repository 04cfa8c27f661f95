// SPDX-License-Identifier: MPL-2.0
#include "gui/session/moment_cache.hpp"

#include <utility>

namespace ositrace::gui {

std::shared_ptr<const Moment> MomentCache::find(const MomentKey& key)
{
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->moment;
}

void MomentCache::keep(const MomentKey& key, std::shared_ptr<const Moment> moment)
{
    const auto bytes = moment->bytes();
    if (bytes > budget_ / 2 || by_key_.contains(key)) return;
    by_use_.push_front({key, std::move(moment), bytes});
    by_key_.emplace(key, by_use_.begin());
    bytes_ += bytes;
    while (bytes_ > budget_) {
        bytes_ -= by_use_.back().bytes;
        by_key_.erase(by_use_.back().key);
        by_use_.pop_back();
    }
}

void MomentCache::clear() noexcept
{
    by_key_.clear();
    by_use_.clear();
    bytes_ = 0;
}

}  // namespace ositrace::gui
