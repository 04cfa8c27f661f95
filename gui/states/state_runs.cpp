// SPDX-License-Identifier: MPL-2.0
#include "gui/states/state_runs.hpp"

#include <utility>

namespace ositrace::gui {

StateUpdate StateRuns::add(SeriesBatch batch)
{
    StateUpdate update;
    update.curves = std::move(batch.new_curves);
    update.texts = std::move(batch.new_texts);
    update.messages = batch.first + batch.times.size();
    open_.resize(open_.size() + update.curves.size());
    const auto deliver = [&](std::uint32_t curve) {
        auto& open = open_[curve];
        if (std::exchange(open.is_changed, false)) update.runs.push_back({curve, *open.run});
    };
    for (const auto& sample : batch.samples) {
        const auto message = batch.first + sample.message;
        auto& open = open_[sample.curve];
        if (open.run && open.run->last + 1 == message && open.run->bits == sample.bits) {
            open.run->last = message;
            open.is_changed = true;
            continue;
        }
        deliver(sample.curve);
        if (is_full()) continue;
        ++count_;
        open = {StateRun{message, message, sample.bits}, true};
    }
    for (std::uint32_t curve = 0; curve != open_.size(); ++curve) deliver(curve);
    return update;
}

}  // namespace ositrace::gui
