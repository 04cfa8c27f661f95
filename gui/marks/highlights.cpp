// SPDX-License-Identifier: MPL-2.0
#include "gui/marks/highlights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Highlights", text); }

constexpr int color_red = 2, mode_off = 2;         // of TrafficLight.Classification
constexpr const char* least_acceleration = "0.1";  // m/s^2
constexpr std::string_view braking = "hard_braking", acceleration = "hard_acceleration";

TrafficOptions gentle_options()
{
    TrafficOptions options(events_row().options);
    options.set("braking", least_acceleration);
    options.set("acceleration", least_acceleration);
    return options;
}

}  // namespace

/// Of braking and acceleration the row with the greatest amount; of equal ones the first.
class HighlightFinder::Extremes final : public TrafficRowSink {
public:
    struct Extreme {
        std::string_view kind;
        const char* what;
        double value = 0;
        double seconds = 0;  ///< when it has this value
        std::uint64_t id = 0;
        QString who;
    };

    void add(std::span<const TrafficCell> row) override
    {
        const auto value = event_value<double>(row, "value");
        const auto kind = event_value<std::string_view>(row, "kind");
        const auto extreme = std::ranges::find(extremes_, kind, &Extreme::kind);
        if (extreme == extremes_.end() || !value || std::abs(*value) <= std::abs(extreme->value)) return;
        extreme->value = *value;
        extreme->seconds = event_value<double>(row, "value_time").value_or(0);
        extreme->id = event_value<std::uint64_t>(row, "object").value_or(0);
        extreme->who = who_of_event(row, "object", "name");
    }
    [[nodiscard]] const auto& all() const noexcept { return extremes_; }

private:
    std::array<Extreme, 2> extremes_{
        Extreme{.kind = braking, .what = QT_TRANSLATE_NOOP("Highlights", "hardest braking"), .who = {}},
        Extreme{.kind = acceleration, .what = QT_TRANSLATE_NOOP("Highlights", "hardest acceleration"), .who = {}}};
};

HighlightFinder::HighlightFinder(const Channel& channel)
    : motion_(events_row().create(gentle_options())),
      extremes_(std::make_unique<Extremes>()),
      lights_(channel, {.lights = true})
{
}
HighlightFinder::HighlightFinder(HighlightFinder&&) noexcept = default;
HighlightFinder& HighlightFinder::operator=(HighlightFinder&&) noexcept = default;
HighlightFinder::~HighlightFinder() = default;

void HighlightFinder::add(const Frame& frame, const Channel& channel)
{
    motion_->add(frame, channel, *extremes_);
    const auto& now = lights_.read(frame);
    if (!now.time) return;
    std::set<std::uint64_t> red;
    for (const auto& bulb : now.bulbs)
        if (bulb.color == color_red && bulb.mode != mode_off) red.insert(bulb.id);
    const auto fresh = std::ranges::find_if(red, [this](std::uint64_t id) { return !red_.contains(id); });
    if (fresh != red.end() && red_lights_.size() != most_red_lights)
        red_lights_.push_back({.what = tr("red light"),
                               .text = QString::number(*fresh),
                               .time = *now.time,
                               .id = *fresh,
                               .category = Category::traffic_light});
    red_ = std::move(red);
}

std::vector<Highlight> HighlightFinder::finish(const TimesRead& times)
{
    motion_->finish(*extremes_);
    std::vector<Highlight> all;
    for (const auto& each : extremes_->all())
        if (each.value != 0)
            all.push_back({.what = tr(each.what),
                           .text = tr("object %1, %2 m/s\u00b2").arg(each.who, rounded_text(each.value, 3)),
                           .time = times.of(each.seconds),
                           .id = each.id});
    std::ranges::move(red_lights_, std::back_inserter(all));
    return all;
}

}  // namespace ositrace::gui
