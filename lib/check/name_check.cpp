// SPDX-License-Identifier: MPL-2.0
#include "lib/check/name_check.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <ositrace/trace_name.hpp>

namespace ositrace {

namespace {

/// `20210818T150542Z`
bool is_calendar_time(const std::string& text)
{
    const auto part = [&](std::size_t at, std::size_t count) {
        unsigned value = 0;
        std::from_chars(text.data() + at, text.data() + at + count, value);
        return value;
    };
    if (text.size() < 15) return false;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                          std::chrono::month(part(4, 2)), std::chrono::day(part(6, 2))};
    return day.ok() && part(9, 2) < 24 && part(11, 2) < 60 && part(13, 2) <= 60;
}

std::string types_of(const TraceInfo& info)
{
    std::set<std::string> codes;
    for (const auto& channel : info.channels)
        if (channel.type) codes.insert(std::string(row_of(*channel.type).code));
    if (codes.size() > 1) return "multi";
    return codes.empty() ? std::string() : *codes.begin();
}

std::string listed(const std::set<OsiVersion>& versions)
{
    std::string text;
    for (const auto& version : versions) text.append(text.empty() ? "" : ", ").append(version.to_string());
    return text;
}

bool has_digits_of(const std::set<OsiVersion>& versions, const std::string& digits)
{
    return std::ranges::any_of(
        versions, [&](const OsiVersion& version) { return version_digits(version.to_string()) == digits; });
}

class NameCheck {
public:
    NameCheck(const TraceName& name, const NamedContent& content, Findings& findings)
        : name_(name), content_(content), findings_(findings)
    {
    }

    void check_type()
    {
        const auto found = types_of(content_.info);
        const auto named = name_.type ? std::string(row_of(*name_.type).code) : std::string("multi");
        if (!found.empty() && found != named)
            add(Kind::name_type, "the name says " + named + ", the messages are " + found);
    }
    void check_osi_version()
    {
        if (name_.osi_version.empty()) return;
        const auto& metadata = content_.osi_version;
        if (!name_.type && metadata) {
            if (version_digits(*metadata) != name_.osi_version)
                add(Kind::name_osi_version, "the name says " + name_.osi_version + ", the metadata " + *metadata);
        } else if (!content_.osi_versions.empty() && !has_digits_of(content_.osi_versions, name_.osi_version)) {
            add(Kind::name_osi_version,
                "the name says " + name_.osi_version + ", the messages " + listed(content_.osi_versions));
        }
    }
    void check_protobuf_version()
    {
        const auto& metadata = content_.protobuf_version;
        if (!metadata || name_.protobuf_version.empty() || is_protobuf_version(name_.protobuf_version, *metadata))
            return;
        add(Kind::name_protobuf_version, "the name says " + name_.protobuf_version + ", the metadata " + *metadata);
    }
    void check_frames()
    {
        if (!name_.frames || *name_.frames == content_.most_frames) return;
        add(Kind::name_frames, "the name says " + std::to_string(*name_.frames) + ", the file has " +
                                   std::to_string(content_.most_frames));
    }
    void check_timestamp()
    {
        if (!is_calendar_time(name_.timestamp)) add(Kind::name_timestamp, "there is no time " + name_.timestamp);
    }

private:
    void add(Kind kind, std::string message)
    {
        findings_.add(kind, {}, [&] { return message; });
    }

    const TraceName& name_;
    const NamedContent& content_;
    Findings& findings_;
};

void check_extension(const std::string& file_name, const NamedContent& content, Findings& findings)
{
    const auto& info = content.info;
    const auto extension = trace_extension(file_name);
    const auto add = [&](const std::string& found, std::string_view named) {
        findings.add(Kind::name_extension, {},
                     [&] { return "the extension stands for " + std::string(named) + ", found " + found; });
    };
    if (!extension) return add(info.container, "no trace");
    if (extension->container != info.container) return add(info.container, extension->container);
    if (extension->compression != info.compression && !info.compression.empty())
        return add("compression " + info.compression, "compression " + std::string(extension->compression));
    if (info.channels.empty() || !extension->encoding || *extension->encoding == info.channels.front().format.encoding)
        return;
    add(std::string(row_of(info.channels.front().format.encoding).name), row_of(*extension->encoding).name);
}

bool is_named(const TraceName& name)
{
    return !name.osi_version.empty() && !name.protobuf_version.empty() && name.frames.has_value();
}

}  // namespace

void check_name(const NamedContent& content, Findings& findings)
{
    const auto file_name = content.info.file.filename().string();
    check_extension(file_name, content, findings);
    const auto name = parse_trace_name(file_name);
    if (!name || !is_named(*name))
        findings.add(Kind::name_form, {}, [] {
            return std::string(
                "expected "
                "<timestamp>_<type>_<osi-version>_<protobuf-version>_<number-of-frames>_<custom-trace-name>.<extension>"
                " "
                "(osiconvert rename gives it)");
        });
    if (!name) return;
    NameCheck check(*name, content, findings);
    check.check_timestamp();
    check.check_type();
    check.check_osi_version();
    check.check_protobuf_version();
    check.check_frames();
}

}  // namespace ositrace
