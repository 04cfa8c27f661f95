// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/pair_curves.hpp"

#include <cmath>
#include <utility>

#include <QObject>

#include "gui/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double longest_collision = 20;  // s: longer times to a collision do not matter, and would flatten the others

/// `least 3.21 at 4.500 s`
QString least_text(const PlotLine& line)
{
    const auto& [times, values] = line.data->curve;
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i != values.size(); ++i)
        if (std::isfinite(values[i]) && (!least || values[i] < values[*least])) least = i;
    if (!least) return QObject::tr("never");
    return QObject::tr("least %1 at %2")
        .arg(values[*least], 0, 'f', 2)
        .arg(seconds_text(line.in_session(times[*least]), std::chrono::milliseconds(1)));
}

}  // namespace

std::optional<PairExpressions> pair_expressions(const Thing& thing, const Thing& other)
{
    if (thing.key.source != other.key.source || !thing.has_id || !other.has_id) return std::nullopt;
    const auto by_id = [](const Thing& each) {
        const auto bracket = each.path.rfind('[');
        return bracket == std::string::npos ? std::string()
                                            : each.path.substr(0, bracket) + "[id=" + std::to_string(each.key.id) + ']';
    };
    const auto one = by_id(thing), two = by_id(other);
    if (one.empty() || two.empty()) return std::nullopt;
    return PairExpressions{"gap(" + one + ", " + two + ')', "time_to_collision(" + one + ", " + two + ')'};
}

std::vector<PlotLine> pair_lines(const PlotUpdate& update, Nanoseconds shift)
{
    std::vector<PlotLine> lines;
    const std::array names{std::pair(QObject::tr("gap"), QStringLiteral("m")),
                           std::pair(QObject::tr("time to collision"), QStringLiteral("s"))};
    for (std::size_t i = 0; i != std::min(names.size(), update.curves.size()); ++i) {
        if (update.curves[i].empty()) continue;
        PlotLine line{.name = names[i].first, .unit = names[i].second};
        line.data = update.curves[i].front().data;
        line.shift = shift;
        line.colour = i;
        line.always_shown = {0, 0};
        if (i == 1) line.most_shown = longest_collision;
        line.note = least_text(line);
        lines.push_back(std::move(line));
    }
    if (!lines.empty() && lines.front().data->curve.values.empty()) lines.clear();
    return lines;
}

}  // namespace ositrace::gui
