// SPDX-License-Identifier: MPL-2.0
#include <ositrace/calendar_time.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include <ositrace/trace_metadata.hpp>

namespace ositrace {

namespace {

constexpr std::int64_t nanoseconds_of_second = 1'000'000'000;

/// Parses a text from its front; after the first failure everything fails.
class DateParts {
public:
    explicit DateParts(std::string_view text) noexcept : text_(text) {}

    int digits(std::size_t count, int low, int high) noexcept
    {
        int value = 0;
        for (std::size_t i = 0; i < count; ++i) value = value * 10 + digit();
        ok_ = ok_ && value >= low && value <= high;
        return value;
    }
    bool is(std::string_view any_of) noexcept
    {
        if (text_.empty() || any_of.find(text_.front()) == std::string_view::npos) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(std::string_view any_of) noexcept { ok_ = is(any_of) && ok_; }
    /// An optional fraction, `.25`, as nanoseconds; digits after the ninth are ignored.
    std::int64_t fraction() noexcept
    {
        if (!is(".")) return 0;
        std::int64_t value = digit();
        std::int64_t unit = nanoseconds_of_second / 10;
        value *= unit;
        while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') value += digit() * (unit /= 10);
        return value;
    }
    [[nodiscard]] char front() const noexcept { return text_.empty() ? '\0' : text_.front(); }
    [[nodiscard]] bool complete() const noexcept { return ok_ && text_.empty(); }

private:
    int digit() noexcept
    {
        if (text_.empty() || text_.front() < '0' || text_.front() > '9') {
            ok_ = false;
            return 0;
        }
        const int value = text_.front() - '0';
        text_.remove_prefix(1);
        return value;
    }

    std::string_view text_;
    bool ok_ = true;
};

/// A date and time of RFC 3339.
struct CalendarTime {
    std::chrono::year_month_day date;
    std::chrono::seconds of_day{};
    std::int64_t nanoseconds = 0;
    std::chrono::seconds zone{};  ///< ahead of UTC
};

std::chrono::seconds zone(DateParts& parts) noexcept
{
    if (parts.is("Zz")) return std::chrono::seconds{0};
    const int sign = parts.front() == '-' ? -1 : 1;
    parts.expect("+-");
    const int hours = parts.digits(2, 0, 23);
    parts.expect(":");
    return sign * (std::chrono::hours(hours) + std::chrono::minutes(parts.digits(2, 0, 59)));
}

std::optional<CalendarTime> parse(std::string_view text) noexcept
{
    using namespace std::chrono;
    DateParts parts(text);
    const int year_number = parts.digits(4, 0, 9999);
    parts.expect("-");
    const int month_number = parts.digits(2, 1, 12);
    parts.expect("-");
    const int day_number = parts.digits(2, 1, 31);
    parts.expect("Tt");
    seconds time = hours(parts.digits(2, 0, 23));
    parts.expect(":");
    time += minutes(parts.digits(2, 0, 59));
    parts.expect(":");
    time += seconds(parts.digits(2, 0, 60));  // 60: a leap second
    const auto fraction = parts.fraction();
    const auto ahead = zone(parts);
    const year_month_day date{year(year_number), month(static_cast<unsigned>(month_number)),
                              day(static_cast<unsigned>(day_number))};
    if (!parts.complete() || !date.ok()) return std::nullopt;
    return CalendarTime{date, time, fraction, ahead};
}

}  // namespace

std::optional<Nanoseconds> parse_calendar_time(std::string_view text) noexcept
{
    const auto parsed = parse(text);
    if (!parsed) return std::nullopt;
    const auto day = std::chrono::sys_days(parsed->date).time_since_epoch();
    const std::int64_t total = (day + parsed->of_day - parsed->zone).count();
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / nanoseconds_of_second - 1;
    if (total > most || total < -most) return std::nullopt;
    return Nanoseconds(total * nanoseconds_of_second + parsed->nanoseconds);
}

bool is_date_time_stamp(std::string_view text) noexcept
{
    constexpr auto farthest_zone = std::chrono::hours(14);
    const auto parsed = parse(text);
    const bool has_leap_second = text.substr(std::min<std::size_t>(17, text.size()), 2) == "60";
    return parsed && !has_leap_second && text.find_first_of("tz") == std::string_view::npos &&
           std::chrono::abs(parsed->zone) <= farthest_zone;
}

std::optional<Nanoseconds> zero_time_of(const TraceInfo& info)
{
    const auto stated = trace_entry(info, osi_metadata::zero_time_key);
    return stated ? parse_calendar_time(*stated) : std::nullopt;
}

}  // namespace ositrace
