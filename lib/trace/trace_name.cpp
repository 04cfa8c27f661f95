// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_name.hpp>

#include <algorithm>
#include <array>
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
    if (const auto known = trace_extension(file_name)) return file_name.substr(file_name.size() - known->text.size());
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

std::optional<MessageType> type_in_name(std::string_view file_name)
{
    if (const auto name = parse_trace_name(file_name)) return name->type;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::optional<MessageType> found;
    auto at = file_name.begin();
    const auto end = file_name.end() - static_cast<std::ptrdiff_t>(extension_of(file_name).size());
    while ((at = std::find_if(at, end, is_letter)) != end) {
        const auto word_end = std::find_if_not(at, end, is_letter);
        for (const auto& row : message_types()) {
            const auto is_word = [&](std::string_view name) {
                return std::equal(at, word_end, name.begin(), name.end(),
                                  [&](char a, char b) { return lower(a) == lower(b); });
            };
            if (!is_word(row.code) && !is_word(row.name)) continue;
            if (found && found != row.type) return std::nullopt;
            found = row.type;
        }
        at = word_end;
    }
    return found;
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

namespace {

struct ProtobufReleases {
    unsigned major, minor;
    unsigned last_patch;
};

constexpr unsigned any_patch = 12;  // of releases that may still get some

/// Of libprotobuf; 4.21 is that of the Python package. Later ones may follow: see was_released().
constexpr ProtobufReleases protobuf_releases[] = {
    {3, 0, 2},          {3, 1, 0},          {3, 2, 0},          {3, 3, 0},  {3, 4, 1},  {3, 5, 2},  {3, 6, 1},
    {3, 7, 1},          {3, 8, 0},          {3, 9, 2},          {3, 10, 1}, {3, 11, 4}, {3, 12, 4}, {3, 13, 0},
    {3, 14, 0},         {3, 15, 8},         {3, 16, 3},         {3, 17, 3}, {3, 18, 3}, {3, 19, 6}, {3, 20, 3},
    {3, 21, 12},        {4, 21, 12},        {4, 22, 5},         {4, 23, 4}, {4, 24, 4}, {4, 25, 9}, {5, 26, 1},
    {5, 27, 5},         {5, 28, 3},         {5, 29, 6},         {6, 30, 2}, {6, 31, 1}, {6, 32, 1}, {6, 33, any_patch},
    {7, 34, any_patch}, {7, 35, any_patch}, {7, 36, any_patch},
};
constexpr auto& last_known = protobuf_releases[std::size(protobuf_releases) - 1];
constexpr unsigned first_without_major = 21;

bool was_released(const OsiVersion& version) noexcept
{
    if (version.major == last_known.major && version.minor > last_known.minor && version.minor <= 59)
        return version.patch <= any_patch;
    return std::ranges::any_of(protobuf_releases, [&](const ProtobufReleases& row) {
        return row.major == version.major && row.minor == version.minor && version.patch <= row.last_patch;
    });
}

/// Of a release that is counted without it: 21.12 is 3.21.12.
unsigned major_of_release(unsigned minor) noexcept
{
    const auto row = std::ranges::find(protobuf_releases, minor, &ProtobufReleases::minor);
    return row == std::end(protobuf_releases) ? last_known.major : row->major;
}

/// `digits` in parts of these lengths, the major version maybe of none; nullopt: they do not fit, or begin with a zero.
std::optional<OsiVersion> in_parts(std::string_view digits, std::array<std::size_t, 3> lengths)
{
    if (digits.size() != lengths[0] + lengths[1] + lengths[2]) return std::nullopt;
    OsiVersion version;
    std::uint32_t* const to[] = {&version.major, &version.minor, &version.patch};
    for (std::size_t i = 0; i != lengths.size(); ++i) {
        const auto part = digits.substr(0, lengths[i]);
        digits.remove_prefix(lengths[i]);
        if (part.size() == 2 && part.front() == '0') return std::nullopt;
        if (!part.empty()) *to[i] = *number_of<std::uint32_t>(part);
    }
    return version;
}

}  // namespace

std::optional<std::string> protobuf_version_from_digits(std::string_view digits)
{
    constexpr std::array<std::size_t, 3> single{1, 1, 1};
    if (!is_digits(digits)) return std::nullopt;
    if (const auto macro = in_parts(digits, {1, 3, 3}); macro && was_released(*macro)) return macro->to_string();
    for (const auto& lengths : {single, {1, 2, 1}, {1, 1, 2}, {1, 2, 2}})
        if (const auto version = in_parts(digits, lengths); version && was_released(*version))
            return version->to_string();
    for (const std::size_t patch : {1, 2}) {
        auto version = in_parts(digits, {0, 2, patch});
        if (!version || version->minor < first_without_major) continue;
        version->major = major_of_release(version->minor);
        if (was_released(*version)) return version->to_string();
    }
    const auto version = in_parts(digits, single);
    return version ? std::optional(version->to_string()) : std::nullopt;
}

std::optional<std::string> protobuf_version_of_release(std::string_view text)
{
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || !is_digits(text.substr(0, dot))) return std::nullopt;
    const auto rest = text.substr(dot + 1);
    const auto second = rest.find('.');
    if (!is_digits(rest.substr(0, second)) || (second != std::string_view::npos && !is_digits(rest.substr(second + 1))))
        return std::nullopt;
    const auto release = dot == 2 ? *number_of<unsigned>(text.substr(0, dot)) : 0;
    const bool without_major = second == std::string_view::npos && release >= first_without_major;
    return without_major ? std::to_string(major_of_release(release)).append(1, '.').append(text) : std::string(text);
}

bool is_protobuf_version(std::string_view digits, std::string_view version)
{
    const auto read = protobuf_version_from_digits(digits);
    return version_digits(version) == digits ||
           (read && (read == version || read == protobuf_version_of_release(version)));
}

}  // namespace ositrace
