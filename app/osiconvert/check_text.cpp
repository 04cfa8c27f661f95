// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/check.hpp"

#include <map>
#include <set>

#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::app {
namespace {

/// `timestamp.is_set` of `ositrace.alt:osi:3.8.0:timestamp.is_set`
std::string_view rule_of(std::string_view id) { return id.substr(id.rfind(':') + 1); }

std::string line_of(const Finding& finding)
{
    std::string line =
        shown_file(finding.file, "standard input") + ": " + std::string(name_of(finding.severity)) + ": ";
    if (!finding.channel.empty()) line += finding.channel + ": ";
    if (const auto place = place_text(finding); !place.empty()) line += place + ": ";
    if (!finding.field.empty()) line += finding.field + ": ";
    return line.append(finding.message).append(" [").append(rule_of(finding.id)).append("]");
}

/// How many findings of an id are listed, and how many exist.
struct Listed {
    std::uint64_t listed = 0;
    std::uint64_t of = 0;
};

std::map<std::string_view, Listed> listed_by_id(const CheckResult& result)
{
    std::map<std::string_view, Listed> by_id;
    for (const auto& count : result.counts) by_id[count.id].of = count.count;
    for (const auto& finding : result.findings) ++by_id[finding.id].listed;
    return by_id;
}

}  // namespace

std::string place_text(const Finding& finding)
{
    std::string text;
    if (finding.frame) text = "frame " + std::to_string(*finding.frame);
    if (finding.byte) text.append(text.empty() ? "" : " ").append("at byte ").append(std::to_string(*finding.byte));
    if (finding.time) text.append(text.empty() ? "" : ", ").append(exact_seconds_text(*finding.time));
    return text;
}

std::vector<std::string> finding_lines(const CheckResult& result)
{
    std::vector<std::string> lines;
    auto by_id = listed_by_id(result);
    std::map<std::string_view, std::uint64_t> listed_so_far;
    for (const auto& finding : result.findings) {
        auto& line = lines.emplace_back(printable(line_of(finding)));
        const auto& [listed, of] = by_id[finding.id];
        if (++listed_so_far[finding.id] == listed && of != listed)
            line += " (" + std::to_string(of - listed) + " more)";
    }
    return lines;
}

std::string check_text(const CheckedFile& file)
{
    if (!file.result) return {};
    const auto& result = *file.result;
    const auto name = shown_file(file.file, "standard input");
    std::string text;
    for (const auto& line : finding_lines(result)) text.append(line).append("\n");
    auto by_id = listed_by_id(result);
    for (const auto& count : result.counts)
        if (by_id[count.id].listed == 0)
            text += name + ": " + std::string(name_of(count.severity)) + ": " + std::to_string(count.count) +
                    " times [" + std::string(rule_of(count.id)) + "]\n";
    for (const auto& note : result.notes) text.append(name).append(": note: ").append(note).append("\n");
    return text + name + ": " + count_text(result.frames, "frame") + ", " + count_text(result.errors, "error") + ", " +
           count_text(result.warnings, "warning") + ", " + count_text(result.infos, "info") + '\n';
}

std::string conformity_text(const std::vector<CheckedFile>& files)
{
    std::set<std::string_view> kinds;
    std::uint64_t errors = 0, unchecked = 0;
    for (const auto& file : files) {
        unchecked += !file.result;
        if (!file.result) continue;
        errors += file.result->errors;
        for (const auto& count : file.result->counts) kinds.insert(count.id);
    }
    std::string text = std::string("conforming: ") + (errors != 0 ? "no" : unchecked != 0 ? "unknown" : "yes");
    if (!kinds.empty())
        text += ", " + count_text(kinds.size(), "kind") + (kinds.size() == 1 ? " of finding" : " of findings");
    if (!kinds.empty() && errors == 0) text += ", none of them an error";
    if (unchecked != 0) text += ", " + count_text(unchecked, "file") + " not checked";
    return text + '\n';
}

}  // namespace ositrace::app
