// SPDX-License-Identifier: MPL-2.0
#include "gui/text/quantity.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace ositrace::gui {

namespace {

constexpr std::int64_t second = 1'000'000'000;

QString text_with_decimals(Nanoseconds time, int decimals)
{
    const auto count = time.count();
    const bool negative = count < 0;
    auto magnitude = negative ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    if (decimals < 9) {  // rounded: 14.255999999 s of a writer that uses floating point is 14.256 s
        std::uint64_t unit = second;
        for (int i = 0; i != decimals; ++i) unit /= 10;
        magnitude = (magnitude + unit / 2) / unit * unit;
    }
    std::array<char, 48> text;
    std::snprintf(text.data(), text.size(), "%s%llu.%09llu", negative ? "-" : "",
                  static_cast<unsigned long long>(magnitude / second),
                  static_cast<unsigned long long>(magnitude % second));
    auto all = QString::fromLatin1(text.data());
    all.truncate(all.indexOf(QLatin1Char('.')) + 1 + decimals);
    return all + QStringLiteral(" s");
}

double milliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

}  // namespace

QString seconds_text(Nanoseconds time)
{
    constexpr std::int64_t microsecond = 1000;
    auto count = time.count();
    if (const auto part = count % microsecond; std::abs(part) == 1)
        count -= part;
    else if (std::abs(part) == microsecond - 1)
        count += part > 0 ? 1 : -1;
    int decimals = 9;
    for (auto rest = count; decimals > 3 && rest % 10 == 0; rest /= 10) --decimals;
    return text_with_decimals(Nanoseconds(count), decimals);
}

QString seconds_text(Nanoseconds time, Nanoseconds step)
{
    int decimals = 0;
    for (auto unit = second; decimals < 9 && step.count() % unit != 0; unit /= 10) ++decimals;
    return text_with_decimals(time, std::max(decimals, 1));
}

QString section_text(const TimeSection& section)
{
    return QStringLiteral("%1 to %2")
        .arg(seconds_text(section.from, std::chrono::milliseconds(1)),
             seconds_text(section.to, std::chrono::milliseconds(1)));
}

/// As double: the difference of two times of a file may not fit in Nanoseconds.
QString duration_text(Nanoseconds from, Nanoseconds to)
{
    using Seconds = std::chrono::duration<double>;
    return QString::number(Seconds(to).count() - Seconds(from).count(), 'f', 3) + QStringLiteral(" s");
}

QString milliseconds_text(Nanoseconds time)
{
    return QString::number(milliseconds(time), 'g', 6) + QStringLiteral(" ms");
}

QString milliseconds_text(Nanoseconds time, int decimals)
{
    return QString::number(milliseconds(time), 'f', decimals) + QStringLiteral(" ms");
}

QString fixed_text(double value, int decimals)
{
    const auto text = QString::number(value, 'f', decimals);
    const bool is_zero =
        std::all_of(text.begin(), text.end(), [](QChar c) { return c == '-' || c == '0' || c == '.'; });
    return is_zero && text.startsWith(QLatin1Char('-')) ? text.mid(1) : text;
}

QString rounded_text(double value, int significant_digits)
{
    return QString::number(value == 0 ? 0 : value, 'g', significant_digits);
}

QString size_text(std::uint64_t bytes)
{
    if (bytes < 1000) return QString::number(bytes) + QStringLiteral(" B");
    constexpr std::array units{" kB", " MB", " GB", " TB", " PB", " EB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals) + QLatin1String(units[unit]);
}

QString count_text(std::uint64_t count)
{
    constexpr qsizetype group = 3;
    auto text = QString::number(count);
    for (auto at = text.size() - group; at > 0; at -= group) text.insert(at, QChar(0x202f));  // narrow no-break space
    return text;
}

QString count_text(std::uint64_t count, std::string_view singular)
{
    auto text = count_text(count) + QLatin1Char(' ') +
                QString::fromUtf8(singular.data(), static_cast<qsizetype>(singular.size()));
    return count == 1 ? text : text + QLatin1Char('s');
}

QString hertz_text(double rate, int significant_digits) { return QString::number(rate, 'g', significant_digits); }

}  // namespace ositrace::gui
