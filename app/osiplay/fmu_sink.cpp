// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_kinds.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/fmu_model.hpp>

#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `NAME=VALUE`; a topic may contain a `=`: then the last one separates.
void add_pair(const SinkOption& option, std::size_t equals, std::map<std::string, std::string>& to)
{
    if (equals == std::string::npos || equals == 0)
        throw Error(Cause::usage, option.name + ": '" + option.value + "' is not NAME=VALUE");
    const auto name = option.value.substr(0, equals);
    if (!to.emplace(name, option.value.substr(equals + 1)).second)
        throw Error(Cause::usage, option.name + ": '" + name + "' is given twice");
}

std::chrono::milliseconds parse_timeout(const SinkOption& option)
{
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(Nanoseconds(parse_seconds(option.value)));
    if (time.count() <= 0)
        throw Error(Cause::usage, option.name + ": '" + option.value + "' is not a positive number of seconds");
    return time;
}

/// The prefix of topics and of --connect: `left.OSMPSensorDataOut`.
std::string name_of(const SinkFile& model)
{
    const auto given = model.words.find("name");
    if (given == model.words.end()) return model.file.stem().string();
    const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
    if (given->second.empty() || !std::ranges::all_of(given->second, fits))
        throw Error(Cause::usage, "'" + given->second + "' is not a name for a model (letters, digits, _ and -)");
    return given->second;
}

FmuOptions fmu_options_of(const SinkRequest& request)
{
    FmuOptions options;
    options.name = name_of(request.file);
    if (const auto outputs = request.file.words.find("outputs"); outputs != request.file.words.end())
        options.outputs = outputs->second;
    for (const auto& option : request.options) {
        if (option.name == "--set")
            add_pair(option, option.value.find('='), options.parameters);
        else if (option.name == "--connect")
            add_pair(option, option.value.rfind('='), options.connections);
        else if (option.name == "--timeout")
            options.timeout = parse_timeout(option);
        else if (option.name == "--in-process")
            options.in_process = true;
    }
    return options;
}

}  // namespace

CreatedSink make_fmu(const SinkRequest& request, const SinkContext& context)
{
    auto options = fmu_options_of(request);
    CreatedSink made{.name = options.name};
    for (auto& [topic, variable] : options.connections) {
        made.topics.push_back(topic);
        if (variable.starts_with(options.name + ".")) variable.erase(0, options.name.size() + 1);
    }
    options.overwrite_outputs = context.write.overwrite;
    options.stop = context.stop;
    options.verbose = context.messages.verbose;
    options.on_message = [&messages = context.messages, name = options.name](std::string_view line) {
        messages.warning(name + ": " + std::string(line));
    };
    options.on_program_end = [&messages = context.messages](std::string_view line) {
        messages.error(std::string(line));
    };
    made.model = open_fmu(request.file.file, std::move(options));
    return made;
}

}  // namespace ositrace::app
