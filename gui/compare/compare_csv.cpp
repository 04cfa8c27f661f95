// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/compare_csv.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <QSaveFile>

#include "gui/quantity.hpp"

namespace ositrace::gui {

namespace {

/// A line of the file, with what it is sorted by.
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
    text += ',' + seconds_text(moment.time).chopped(2).toUtf8();  // without its unit
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

QString write_csv(const TraceComparison& comparison, const QString& file)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return out.errorString();
    out.write(header_row());
    for (const auto& line : csv_lines(comparison)) out.write(row_text(line, comparison));
    return out.commit() ? QString() : out.errorString();
}

}  // namespace ositrace::gui
