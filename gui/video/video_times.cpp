// SPDX-License-Identifier: MPL-2.0
#include "gui/video/video_times.hpp"

#include <charconv>
#include <cmath>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

namespace {

std::optional<double> positive_number(std::string_view text) noexcept
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || end != text.data() + text.size() || !(number > 0)) return std::nullopt;
    return number;
}

std::optional<double> within(std::optional<double> number, double least, double most) noexcept
{
    return number && *number >= least && *number <= most ? number : std::nullopt;
}

}  // namespace

Nanoseconds VideoTimes::time(std::uint64_t frame) const noexcept
{
    const double seconds = static_cast<double>(frame) * rate / frames_per_second;
    return shifted(section.from, Nanoseconds(std::llround(seconds * 1e9)));
}

std::uint64_t VideoTimes::count() const noexcept
{
    if (section.from >= section.to) return 0;
    // As double: the difference of two times of a damaged file may exceed int64.
    const double span = (static_cast<double>(section.to.count()) - static_cast<double>(section.from.count())) / 1e9;
    const double estimate = span * frames_per_second / rate;
    if (estimate > static_cast<double>(max_frames) + 2) return max_frames + 1;
    auto frames = static_cast<std::uint64_t>(estimate);
    while (frames > 1 && time(frames - 1) >= section.to) --frames;
    while (time(frames) < section.to) ++frames;
    return frames;
}

std::optional<double> parse_frames_per_second(std::string_view text) noexcept
{
    const auto line = text.find('/');
    auto number = positive_number(text.substr(0, line));
    if (line != std::string_view::npos) {
        const auto divisor = positive_number(text.substr(line + 1));
        number = number && divisor ? std::optional(*number / *divisor) : std::nullopt;
    }
    return within(number, 0.01, 1000);
}

std::optional<double> parse_video_rate(std::string_view text) noexcept
{
    return within(positive_number(text), 0.001, 1000);
}

}  // namespace ositrace::gui
