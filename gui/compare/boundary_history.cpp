// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/boundary_history.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "gui/compare/boundary_results.hpp"
#include "gui/compare/error_history.hpp"
#include "gui/compare/result_rows.hpp"
#include "gui/text/csv.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/save_file.hpp"

namespace ositrace::gui {

namespace {

constexpr int metre_digits = 3;

/// Sorted by its size.
ResultCell size_cell(double metres)
{
    return std::isnan(metres) ? ResultCell() : ResultCell{fixed_text(metres, metre_digits), std::abs(metres)};
}

ResultCell count_cell(std::uint64_t count) { return {count_text(count), static_cast<double>(count)}; }

PlotLine line_of(const QString& name, Curve curve, std::size_t colour)
{
    PlotLine line{.name = name, .unit = QStringLiteral("m")};
    line.data = std::make_shared<const PlotData>(std::move(curve));
    line.colour = colour;
    line.always_shown = {0, 0};
    return line;
}

struct BoundaryRow {
    const BoundaryHistory* boundary = nullptr;
    const BoundarySample* sample = nullptr;
};

QByteArray row_text(const BoundaryRow& row, const BoundaryTraceComparison& comparison)
{
    const auto& moment = comparison.moments[row.sample->moment];
    const auto& sample = *row.sample;
    auto text = csv_time(moment.time);
    text += ',' + QByteArray::number(static_cast<qulonglong>(moment.messages.a));
    text += ',' + QByteArray::number(static_cast<qulonglong>(moment.messages.b));
    text += ',' + boundary_name(row.boundary->id, row.boundary->has_id).toLatin1();
    for (const auto value :
         {sample.mean, sample.mean_absolute, sample.largest, sample.largest_ahead, sample.unmatched}) {
        text += ',';
        if (!std::isnan(value)) text += QByteArray::number(static_cast<double>(value), 'g', 9);
    }
    return text + '\n';
}

}  // namespace

const BoundaryHistory* find_boundary(const BoundaryTraceComparison& comparison, const BoundaryId& id)
{
    const auto found =
        std::ranges::find_if(comparison.boundaries, [&](const BoundaryHistory& each) { return id_of(each) == id; });
    return found == comparison.boundaries.end() ? nullptr : &*found;
}

std::vector<const BoundaryHistory*> listed_boundaries(const BoundaryTraceComparison& comparison)
{
    std::vector<const BoundaryHistory*> boundaries;
    for (const auto& each : comparison.boundaries) boundaries.push_back(&each);
    if (boundaries.size() <= most_listed) return boundaries;
    std::ranges::stable_sort(boundaries, std::greater(),
                             [](const BoundaryHistory* each) { return std::abs(each->largest); });
    boundaries.resize(most_listed);
    return boundaries;
}

ResultTable boundary_history_table(const BoundaryTraceComparison& comparison)
{
    ResultTable table;
    table.columns = {
        {BoundaryChart::tr("B"), BoundaryChart::tr("Its id or tracking id; without one its place in the list")},
        {BoundaryChart::tr("largest [m]"),
         BoundaryChart::tr("The largest lateral error, B to the left is positive; a click goes there")},
        {BoundaryChart::tr("at"), BoundaryChart::tr("Time of the largest error; without one, of the first message")},
        {BoundaryChart::tr("ahead [m]"), BoundaryChart::tr("How far ahead the largest error is")},
        {BoundaryChart::tr("mean |.| [m]"),
         BoundaryChart::tr("Size of the lateral error, over the length in all messages")},
        {BoundaryChart::tr("mean [m]"), BoundaryChart::tr("Likewise with its sign")},
        {BoundaryChart::tr("messages"), BoundaryChart::tr("Messages that have it")},
        {BoundaryChart::tr("without A"), BoundaryChart::tr("Of these, messages in which no boundary of A is near it")}};
    for (const auto* const each : listed_boundaries(comparison)) {
        const bool has_errors = each->matched > 0;
        const auto time = comparison.moments[each->moment].time;
        auto& row = table.rows.emplace_back();
        row.is_odd = each->alone != 0;
        row.cells = {{boundary_name(each->id, each->has_id), static_cast<double>(each->id)},
                     has_errors ? size_cell(each->largest) : ResultCell(),
                     {seconds_text(time), static_cast<double>(time.count())},
                     has_errors ? ResultCell{fixed_text(each->largest_ahead, 1), each->largest_ahead} : ResultCell(),
                     has_errors ? size_cell(each->mean_absolute()) : ResultCell(),
                     has_errors ? size_cell(each->mean()) : ResultCell(),
                     count_cell(each->messages),
                     count_cell(each->alone)};
    }
    return table;
}

QString worst_text(const BoundaryTraceComparison& comparison, const BoundaryHistory& worst)
{
    return BoundaryChart::tr("boundary %1, %2 m at %3 (%4 m ahead)")
        .arg(boundary_name(worst.id, worst.has_id), fixed_text(worst.largest, metre_digits),
             seconds_text(comparison.moments[worst.moment].time), fixed_text(worst.largest_ahead, 0));
}

std::vector<PlotLine> boundary_lines(const BoundaryTraceComparison& comparison, const BoundaryHistory* boundary)
{
    Curve mean, largest;
    const auto add = [&](Nanoseconds time, float mean_of, float largest_of) {
        for (auto* const each : {&mean, &largest}) each->times.push_back(time);
        mean.values.push_back(static_cast<double>(mean_of));
        largest.values.push_back(std::abs(static_cast<double>(largest_of)));
    };
    if (boundary == nullptr) {
        for (const auto& moment : comparison.moments) add(moment.time, moment.mean_absolute, moment.largest);
    } else {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        for_each_run(
            boundary->samples, comparison.moments.size(),
            [&](const BoundarySample& sample) {
                add(comparison.moments[sample.moment].time, sample.mean_absolute, sample.largest);
            },
            [&](std::uint32_t moment) { add(comparison.moments[moment].time, none, none); });
    }
    const auto of = boundary == nullptr
                        ? BoundaryChart::tr("of all")
                        : BoundaryChart::tr("of boundary %1").arg(boundary_name(boundary->id, boundary->has_id));
    std::vector<PlotLine> lines{
        line_of(BoundaryChart::tr("mean |lateral| %1").arg(of), std::move(mean), mean_colour),
        line_of(BoundaryChart::tr("largest |lateral| %1").arg(of), std::move(largest), largest_colour)};
    for (auto& each : lines) each.note = BoundaryChart::tr("at the cursor");
    return lines;
}

std::vector<PlotMarks> boundary_marks(const BoundaryTraceComparison& comparison, const BoundaryHistory* boundary)
{
    PlotMarks alone{BoundaryChart::tr("without a boundary of A"), missed_colour(), {}};
    if (boundary == nullptr) {
        for (const auto& moment : comparison.moments)
            if (moment.alone != 0) alone.times.push_back(moment.time);
    } else {
        for (const auto& sample : boundary->samples)
            if (std::isnan(sample.largest)) alone.times.push_back(comparison.moments[sample.moment].time);
    }
    return {std::move(alone)};
}

QString write_boundary_csv(const BoundaryTraceComparison& comparison, const QString& file)
{
    std::vector<BoundaryRow> rows;
    for (const auto& boundary : comparison.boundaries)
        for (const auto& sample : boundary.samples) rows.push_back({&boundary, &sample});
    std::ranges::stable_sort(rows, {}, [](const BoundaryRow& row) { return row.sample->moment; });
    return save_file(file, [&](const auto& append) {
        const QByteArray header(
            "time_s,message_a,message_b,boundary,mean_m,mean_absolute_m,largest_m,at_m,without_a_m\n");
        append(as_bytes(header));
        for (const auto& row : rows) append(as_bytes(row_text(row, comparison)));
    });
}

}  // namespace ositrace::gui
