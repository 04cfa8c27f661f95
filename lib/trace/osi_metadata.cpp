// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/osi_metadata.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/utf8.hpp>

namespace ositrace {

namespace {

using namespace osi_metadata;

constexpr std::array made_by_writers{version_key, min_osi_version_key, max_osi_version_key, min_protobuf_version_key,
                                     max_protobuf_version_key};

/// Does `text` begin with a form in which `0` is any digit? Removes the match.
bool take_form(std::string_view& text, std::string_view form) noexcept
{
    if (text.size() < form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
    text.remove_prefix(form.size());
    return true;
}

unsigned number_at(std::string_view text, std::size_t place, std::size_t count) noexcept
{
    unsigned number = 0;
    std::from_chars(text.data() + place, text.data() + place + count, number);
    return number;
}

}  // namespace

bool is_release(std::string_view text) noexcept { return release_in(text).has_value(); }

std::optional<OsiVersion> release_in(std::string_view text) noexcept
{
    OsiVersion version;
    const auto* at = text.data();
    const auto* const end = at + text.size();
    for (auto* part : {&version.major, &version.minor, &version.patch}) {
        if (part != &version.major) {
            if (at == end || *at != '.') return std::nullopt;
            ++at;
        }
        const auto [after, error] = std::from_chars(at, end, *part);
        if (error != std::errc{}) return std::nullopt;
        at = after;
    }
    return at == end ? std::optional(version) : std::nullopt;
}

bool is_date_time_stamp(std::string_view text) noexcept
{
    const auto whole = text;
    if (!take_form(text, "0000-00-00T00:00:00")) return false;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number_at(whole, 0, 4))),
                                          std::chrono::month(number_at(whole, 5, 2)),
                                          std::chrono::day(number_at(whole, 8, 2))};
    if (!day.ok() || number_at(whole, 11, 2) > 23 || number_at(whole, 14, 2) > 59 || number_at(whole, 17, 2) > 59)
        return false;
    if (text.starts_with('.')) {
        const auto end = std::min(text.find_first_not_of("0123456789", 1), text.size());
        if (end == 1) return false;
        text.remove_prefix(end);
    }
    if (text == "Z") return true;
    return (take_form(text, "+00:00") || take_form(text, "-00:00")) && text.empty();
}

void check_trace_entry(std::string_view key, std::string_view value)
{
    const auto entry = std::string(key) + '=' + std::string(value);
    if (!is_utf8(entry)) throw Error(Cause::usage, entry + ": is not UTF-8, which MCAP requires");
    if (std::ranges::find(made_by_writers, key) != made_by_writers.end())
        throw Error(Cause::usage, entry + ": the writer states the versions of the data itself");
    if (key.starts_with(reserved_prefix))
        throw Error(
            Cause::usage,
            entry +
                ": names that begin with net.asam.osi are reserved for the OSI standard, which defines no such key");
    if ((key == zero_time_key || key == creation_time_key) && !is_date_time_stamp(value))
        throw Error(Cause::usage,
                    entry + ": expected a time with its zone, " + std::string(key) + "=2021-08-18T15:05:42Z");
    if ((key == description_key || key == authors_key || key == data_sources_key) && value.empty())
        throw Error(Cause::usage, entry + ": expected a text");
}

}  // namespace ositrace
