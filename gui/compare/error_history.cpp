// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/error_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QObject>

#include "gui/compare/result_rows.hpp"
#include "gui/text/csv.hpp"
#include "gui/text/save_file.hpp"

namespace ositrace::gui {

namespace {

const QColor ghost_colour(0xb0, 0x5c, 0xd0);

/// A line of the file of values, with what it is sorted by.
struct CsvLine {
    std::uint32_t moment = 0;
    int state = 0;  ///< place in `state_names`
    const ObjectHistory* object = nullptr;
    const ErrorSample* sample = nullptr;
    const GhostSample* ghost = nullptr;
};
constexpr std::array state_names{"pair", "missed", "ghost"};
constexpr std::array kind_names{"moving", "stationary"};

std::vector<CsvLine> csv_lines(const TraceComparison& comparison)
{
    std::vector<CsvLine> lines;
    for (const auto& object : comparison.objects) {
        for (const auto& sample : object.samples) lines.push_back({sample.moment, 0, &object, &sample});
        for (const auto moment : object.missed_moments) lines.push_back({moment, 1, &object});
    }
    for (const auto& ghost : comparison.ghost_list) lines.push_back({ghost.moment, 2, nullptr, nullptr, &ghost});
    std::ranges::stable_sort(lines, [](const CsvLine& a, const CsvLine& b) {
        return a.moment != b.moment ? a.moment < b.moment : a.state < b.state;
    });
    return lines;
}

QByteArray header_row()
{
    QByteArray text = "state,kind,time_s,message_a,message_b,object_a,object_b";
    for (std::size_t i = 0; i != object_error_count; ++i) {
        const auto& row = row_of(static_cast<ObjectError>(i));
        auto unit = std::string(row.unit);
        std::ranges::replace(unit, '/', '_');
        text += QByteArray::fromStdString("," + std::string(row.title) + "_" + unit);
    }
    return text + '\n';
}

QByteArray row_text(const CsvLine& line, const TraceComparison& comparison)
{
    const auto& moment = comparison.moments[line.moment];
    QByteArray text = state_names.at(static_cast<std::size_t>(line.state));
    const auto kind = line.object != nullptr ? line.object->kind : line.ghost->kind;
    text += ',';
    text += kind_names.at(static_cast<std::size_t>(kind));
    text += ',' + csv_time(moment.time);
    text += ',' + QByteArray::number(static_cast<qulonglong>(moment.messages.a));
    text += ',' + QByteArray::number(static_cast<qulonglong>(moment.messages.b)) + ',';
    if (line.object != nullptr && line.object->has_id)
        text += QByteArray::number(static_cast<qulonglong>(line.object->id));
    text += ',';
    if (line.sample != nullptr) text += QByteArray::number(static_cast<qulonglong>(line.sample->id_b));
    if (line.object == nullptr) text += QByteArray::number(static_cast<qulonglong>(line.ghost->id_b));
    for (std::size_t i = 0; i != object_error_count; ++i) {
        text += ',';
        if (line.sample == nullptr || std::isnan(line.sample->errors.at(i))) continue;
        text += QByteArray::number(static_cast<double>(line.sample->errors.at(i)), 'g', 9);
    }
    return text + '\n';
}

}  // namespace

QColor missed_colour() { return QColor::fromRgb(0xd88a00); }

std::vector<PlotLine> error_lines(const TraceComparison& comparison, ObjectError kind, const ObjectHistory* object)
{
    const auto place = static_cast<std::size_t>(kind);
    const auto shown = [kind](float error) { return shown_error(kind, static_cast<double>(error)); };
    std::vector<PlotLine> lines;
    const auto add = [&](const QString& name, Curve curve, std::size_t colour = mean_colour) {
        PlotLine line{.name = name, .unit = shown_unit(kind)};
        line.data = std::make_shared<const PlotData>(std::move(curve));
        line.colour = colour;
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
        add(QObject::tr("largest of all"), std::move(largest), largest_colour);
        // The summary has the mean of the whole trace.
        for (auto& each : lines) each.note = QObject::tr("at the cursor");
        return lines;
    }
    Curve curve;
    const auto add_value = [&](std::uint32_t moment, double value) {
        curve.times.push_back(comparison.moments[moment].time);
        curve.values.push_back(value);
    };
    for_each_run(
        object->samples, comparison.moments.size(),
        [&](const ErrorSample& sample) { add_value(sample.moment, shown(sample.errors[place])); },
        [&](std::uint32_t moment) { add_value(moment, std::numeric_limits<double>::quiet_NaN()); });
    add(QObject::tr("object %1").arg(object->id), std::move(curve));
    return lines;
}

std::vector<PlotMarks> error_marks(const TraceComparison& comparison, const ObjectHistory* object)
{
    PlotMarks missed{QObject::tr("missed"), missed_colour(), {}}, ghosts{QObject::tr("ghosts"), ghost_colour, {}};
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

QString write_csv(const TraceComparison& comparison, const QString& file)
{
    return save_file(file, [&](const auto& append) {
        append(as_bytes(header_row()));
        for (const auto& line : csv_lines(comparison)) append(as_bytes(row_text(line, comparison)));
    });
}

}  // namespace ositrace::gui
