// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/check.hpp"
#include "app/terminal/json.hpp"

namespace ositrace::app {
namespace {

std::optional<std::string> unless_empty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

void add_finding(JsonWriter& json, const Finding& finding)
{
    json.begin_object()
        .member("id", finding.id)
        .member("severity", name_of(finding.severity))
        .member("file", finding.file.string())
        .member("frame", finding.frame)
        .key("time");
    finding.time ? json.nanoseconds(finding.time->count()) : json.null();
    json.member("byte", finding.byte)
        .member("channel", unless_empty(finding.channel))
        .member("field", unless_empty(finding.field))
        .member("message", finding.message)
        .end_object();
}

void add_file(JsonWriter& json, const CheckedFile& file)
{
    json.begin_object()
        .member("path", file.file.string())
        .member("error", unless_empty(file.error))
        .member("frames", file.result ? std::optional(file.result->frames) : std::nullopt)
        .key("counts")
        .begin_array();
    if (file.result) {
        for (const auto& count : file.result->counts) {
            json.begin_object()
                .member("id", count.id)
                .member("severity", name_of(count.severity))
                .member("description", count.description)
                .member("count", count.count)
                .end_object();
        }
    }
    json.end_array().key("notes").begin_array();
    if (file.result)
        for (const auto& note : file.result->notes) json.value(note);
    json.end_array().end_object();
}

}  // namespace

std::string check_json(const std::vector<CheckedFile>& files)
{
    JsonWriter json;
    std::uint64_t errors = 0, warnings = 0, infos = 0;
    json.begin_object().member("format", std::uint64_t{1}).key("findings").begin_array();
    for (const auto& file : files) {
        if (!file.result) continue;
        for (const auto& finding : file.result->findings) add_finding(json, finding);
        errors += file.result->errors;
        warnings += file.result->warnings;
        infos += file.result->infos;
    }
    json.end_array()
        .member("errors", errors)
        .member("warnings", warnings)
        .member("infos", infos)
        .key("files")
        .begin_array();
    for (const auto& file : files) add_file(json, file);
    return json.end_array().end_object().text();
}

}  // namespace ositrace::app
