// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_export.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace ositrace::gui {

namespace {

constexpr qsizetype piece_bytes = 1 << 16;

/// Quoted where it must be.
QByteArray csv_field(const QString& text)
{
    auto bytes = text.toUtf8();
    if (!bytes.contains(',') && !bytes.contains('"') && !bytes.contains('\n')) return bytes;
    return '"' + bytes.replace('"', "\"\"") + '"';
}

QByteArray exact_seconds(Nanoseconds time)
{
    constexpr std::int64_t per_second = 1'000'000'000;
    const auto whole = time.count() / per_second;
    auto rest = QByteArray::number(std::abs(time.count() % per_second)).rightJustified(9, '0');
    return (time.count() < 0 && whole == 0 ? "-" : "") + QByteArray::number(whole) + '.' + rest;
}

/// Walks over the samples of a curve, those of equal times together.
class CurveWalk {
public:
    CurveWalk(const PlotLine& line, Nanoseconds from) : line_(line)
    {
        if (!line.data) return;
        const auto& times = line.data->curve.times;
        next_ =
            static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), line.in_curve(from)) - times.begin());
    }

    [[nodiscard]] std::optional<Nanoseconds> next_time() const
    {
        if (!line_.data || next_ == line_.data->curve.times.size()) return std::nullopt;
        return line_.in_session(line_.data->curve.times[next_]);
    }
    /// The samples at this time are passed over; the text of the last one.
    QByteArray take(Nanoseconds time)
    {
        bool has_sample = false;
        for (; next_time() == time; ++next_) has_sample = true;
        return has_sample ? csv_field(line_.value_text(time)) : QByteArray();
    }

private:
    const PlotLine& line_;
    std::size_t next_ = 0;
};

}  // namespace

void write_csv(const std::vector<PlotLine>& lines, const TimeSection& section,
               const std::function<bool(const QByteArray&)>& write, const std::stop_token& stop)
{
    QByteArray piece = "time [s]";
    std::vector<CurveWalk> walks;
    for (const auto& each : lines) {
        piece += ',' + csv_field(each.unit.isEmpty() ? each.name : QStringLiteral("%1 [%2]").arg(each.name, each.unit));
        walks.emplace_back(each, section.from);
    }
    piece += '\n';
    while (!stop.stop_requested()) {
        std::optional<Nanoseconds> time;
        for (const auto& each : walks)
            if (const auto next = each.next_time(); next && (!time || *next < *time)) time = next;
        if (!time || *time > section.to) break;
        piece += exact_seconds(*time);
        for (auto& each : walks) piece += ',' + each.take(*time);
        piece += '\n';
        if (piece.size() < piece_bytes) continue;
        if (!write(piece)) return;
        piece.clear();
    }
    write(piece);
}

}  // namespace ositrace::gui
