// SPDX-License-Identifier: MPL-2.0
// Objects that appear and vanish, and gaps in their tracks.
#include <optional>
#include <vector>

#include "lib/traffic/events.hpp"

namespace ositrace::traffic {

namespace {

class PresenceEvents final : public EventDetector {
public:
    void step(const TrafficMoment& moment, std::vector<Event>& events) override
    {
        for (const auto& actor : moment.actors) {
            const bool is_new = seen_.size() <= actor.slot;
            if (is_new) seen_.resize(actor.slot + 1);
            auto& seen = seen_[actor.slot];
            if (!actor.continues && (!is_new || moment.before)) {
                auto& event = events.emplace_back();
                event.kind = is_new ? EventKind::appears : EventKind::gap;
                event.begin = is_new ? moment.time : seen.time;
                event.end = moment.time;
                event.frame = is_new ? moment.frame : seen.frame;
                event.object = actor.mover.id;
                event.source = source;
            }
            seen = {actor.mover.id, moment.time, moment.frame};
        }
        last_ = moment.time;
    }

    void finish(std::vector<Event>& events) override
    {
        for (const auto& seen : seen_)
            if (seen.time != last_) {
                auto& event = events.emplace_back();
                event.kind = EventKind::vanishes;
                event.begin = event.end = seen.time;
                event.frame = seen.frame;
                event.object = seen.id;
                event.source = source;
            }
    }

private:
    static constexpr std::string_view source = "presence";
    struct Seen {
        std::uint64_t id = 0;
        Nanoseconds time{};
        std::uint64_t frame = 0;
    };
    std::vector<Seen> seen_;
    std::optional<Nanoseconds> last_;
};

}  // namespace

std::unique_ptr<EventDetector> presence_events(const EventOptions& /*options*/)
{
    return std::make_unique<PresenceEvents>();
}

}  // namespace ositrace::traffic
