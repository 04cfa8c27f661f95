// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_name.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

constexpr std::string_view multi = "multi";

bool is_digits(std::string_view text) noexcept
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// 20210818T150542Z; fractions and time zones other than Z occur.
bool is_timestamp(std::string_view text) noexcept
{
    constexpr std::size_t date = 8;
    constexpr std::size_t time = 6;
    return text.size() > date + time && is_digits(text.substr(0, date)) && text[date] == 'T' &&
           is_digits(text.substr(date + 1, time)) &&
           text.find_first_not_of("0123456789.,Z+-", date + 1 + time) == std::string_view::npos;
}

template <class Number>
std::optional<Number> number_of(std::string_view digits) noexcept
{
    Number value{};
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::string_view extension_of(std::string_view file_name) noexcept
{
    if (const auto known = trace_extension(file_name)) return known->text;
    const auto dot = file_name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : file_name.substr(dot);
}

/// Splits a text at underscores, from its front.
class NameParts {
public:
    explicit NameParts(std::string_view text) noexcept : rest_(text) {}
    [[nodiscard]] std::string_view next() const noexcept { return rest_.substr(0, rest_.find('_')); }
    void drop_next() noexcept { rest_.remove_prefix(std::min(next().size() + 1, rest_.size())); }
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
};

void require(bool fulfilled, std::string_view part, std::string_view expected)
{
    if (!fulfilled)
        throw Error(Cause::usage, "a trace's file name needs " + std::string(part) + ", " + std::string(expected));
}

}  // namespace

std::optional<TraceName> parse_trace_name(std::string_view file_name)
{
    TraceName name;
    name.extension = extension_of(file_name);
    NameParts parts(file_name.substr(0, file_name.size() - name.extension.size()));

    name.timestamp = parts.next();
    if (!is_timestamp(name.timestamp)) return std::nullopt;
    parts.drop_next();

    name.type = message_type_by_code(parts.next());
    if (!name.type && parts.next() != multi) return std::nullopt;
    parts.drop_next();

    for (auto* version : {&name.osi_version, &name.protobuf_version}) {
        if (!is_digits(parts.next())) break;
        *version = parts.next();
        parts.drop_next();
    }
    if (!name.protobuf_version.empty()) name.frames = number_of<std::uint64_t>(parts.next());
    if (name.frames) parts.drop_next();
    name.custom = parts.rest();
    return name;
}

std::string to_string(const TraceName& name)
{
    require(is_timestamp(name.timestamp), "a timestamp", "as in 20210818T150542Z");
    require(is_digits(name.osi_version), "the OSI version", "as in 380");
    require(is_digits(name.protobuf_version), "the Protobuf version", "as in 32112");
    require(name.frames.has_value(), "the number of frames", "as in 3600");
    require(name.custom.find('/') == std::string::npos, "a custom name", "one without '/'");
    require(trace_extension(name.extension).has_value(), "an extension", "as in .osi");
    auto text = name.timestamp + '_';
    text.append(name.type ? row_of(*name.type).code : multi);
    text += '_' + name.osi_version + '_' + name.protobuf_version + '_' + std::to_string(*name.frames);
    if (!name.custom.empty()) text += '_' + name.custom;
    return text + name.extension;
}

std::string trace_timestamp(std::chrono::sys_seconds time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    char text[40];
    std::snprintf(text, sizeof text, "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    return text;
}

std::string version_digits(std::string_view version)
{
    std::string digits(version);
    std::erase(digits, '.');
    return digits;
}

std::optional<OsiVersion> osi_version_from_digits(std::string_view digits) noexcept
{
    constexpr std::size_t shortest = 3;
    constexpr std::size_t longest = 6;
    if (!is_digits(digits) || digits.size() < shortest || digits.size() > longest) return std::nullopt;
    return OsiVersion{*number_of<std::uint32_t>(digits.substr(0, 1)),
                      *number_of<std::uint32_t>(digits.substr(1, digits.size() - 2)),
                      *number_of<std::uint32_t>(digits.substr(digits.size() - 1))};
}

/// Major versions of libprotobuf and of the Python package in a release with two digits; other languages have others.
static std::string_view major_of_release(std::string_view release) noexcept
{
    if (release < "22") return "3";
    if (release < "26") return "4";
    return release < "30" ? "5" : "6";
}

std::optional<std::string> protobuf_version_from_digits(std::string_view digits)
{
    constexpr std::size_t shortest = 3;
    constexpr std::size_t longest = 5;
    if (!is_digits(digits) || digits.size() < shortest || digits.size() > longest) return std::nullopt;
    const auto version = [](std::string_view major, std::string_view minor, std::string_view patch) {
        return std::string(major).append(1, '.').append(minor).append(1, '.').append(patch);
    };
    const auto major = digits.substr(0, 1);
    if (major == "3" && digits.size() == shortest && digits[1] > '4')
        return version(major, digits.substr(1, 1), digits.substr(2));
    const bool three_parts =
        digits.size() > shortest && (major == "3" || major == major_of_release(digits.substr(1, 2)));
    if (three_parts) return version(major, digits.substr(1, 2), digits.substr(3));
    const auto release = digits.substr(0, 2);
    return version(major_of_release(release), release, digits.substr(2));
}

std::optional<std::string> protobuf_version_of_release(std::string_view text)
{
    constexpr std::string_view first_release = "21";  // that is counted without a major
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || !is_digits(text.substr(0, dot))) return std::nullopt;
    const auto rest = text.substr(dot + 1);
    const auto second = rest.find('.');
    if (!is_digits(rest.substr(0, second)) || (second != std::string_view::npos && !is_digits(rest.substr(second + 1))))
        return std::nullopt;
    const auto release = text.substr(0, dot);
    const bool without_major =
        second == std::string_view::npos && release.size() == first_release.size() && release >= first_release;
    return without_major ? std::string(major_of_release(release)).append(1, '.').append(text) : std::string(text);
}

bool is_protobuf_version(std::string_view digits, std::string_view version)
{
    const auto read = protobuf_version_from_digits(digits);
    return version_digits(version) == digits ||
           (read && (read == version || read == protobuf_version_of_release(version)));
}

}  // namespace ositrace
