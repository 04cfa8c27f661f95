// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/error_curves.hpp"

#include <limits>
#include <optional>
#include <utility>

#include <QObject>

#include "gui/compare/result_rows.hpp"

namespace ositrace::gui {

namespace {

const QColor missed_colour(0xd8, 0x8a, 0x00), ghost_colour(0xb0, 0x5c, 0xd0);

}  // namespace

std::vector<PlotLine> error_lines(const TraceComparison& comparison, ObjectError kind, const ObjectHistory* object)
{
    const auto place = static_cast<std::size_t>(kind);
    const auto shown = [kind](float error) { return shown_error(kind, static_cast<double>(error)); };
    std::vector<PlotLine> lines;
    const auto add = [&](const QString& name, Curve curve) {
        PlotLine line{.name = name, .unit = shown_unit(kind)};
        line.data = std::make_shared<const PlotData>(std::move(curve));
        line.colour = lines.size();
        line.always_shown = {0, 0};
        lines.push_back(std::move(line));
    };
    if (object == nullptr) {
        Curve mean, largest;
        for (const auto& moment : comparison.moments) {
            for (auto* const each : {&mean, &largest}) each->times.push_back(moment.time);
            mean.values.push_back(shown(moment.mean[place]));
            largest.values.push_back(shown(moment.largest[place]));
        }
        add(QObject::tr("mean of all"), std::move(mean));
        add(QObject::tr("largest of all"), std::move(largest));
        return lines;
    }
    Curve curve;
    std::optional<std::uint32_t> before;
    for (const auto& sample : object->samples) {
        if (before && sample.moment > *before + 1) {  // it had no partner meanwhile
            curve.times.push_back(comparison.moments[*before + 1].time);
            curve.values.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        before = sample.moment;
        curve.times.push_back(comparison.moments[sample.moment].time);
        curve.values.push_back(shown(sample.errors[place]));
    }
    add(QObject::tr("object %1").arg(object->id), std::move(curve));
    return lines;
}

std::vector<PlotMarks> error_marks(const TraceComparison& comparison, const ObjectHistory* object)
{
    PlotMarks missed{QObject::tr("missed"), missed_colour, {}}, ghosts{QObject::tr("ghosts"), ghost_colour, {}};
    if (object != nullptr) {
        for (const auto moment : object->missed_moments) missed.times.push_back(comparison.moments[moment].time);
        return {std::move(missed)};
    }
    for (const auto& moment : comparison.moments) {
        if (moment.missed != 0) missed.times.push_back(moment.time);
        if (moment.ghosts != 0) ghosts.times.push_back(moment.time);
    }
    return {std::move(missed), std::move(ghosts)};
}

}  // namespace ositrace::gui
