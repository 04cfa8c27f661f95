// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/fmu_sink.hpp"

#include <filesystem>
#include <map>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/fmu.hpp>

#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// `NAME=VALUE`; the name of a topic may hold a `=` itself where the last one counts.
void add_pair(const SinkOption& option, std::size_t equals, std::map<std::string, std::string>& to)
{
    if (equals == std::string::npos || equals == 0) throw Error(Cause::usage, option.name + ": '" + option.value + "' is not NAME=VALUE");
    const auto name = option.value.substr(0, equals);
    if (!to.emplace(name, option.value.substr(equals + 1)).second) throw Error(Cause::usage, option.name + ": '" + name + "' is given twice");
}

std::chrono::milliseconds parse_timeout(const SinkOption& option)
{
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(Nanoseconds(parse_seconds(option.value)));
    if (time.count() <= 0) throw Error(Cause::usage, option.name + ": '" + option.value + "' is not more than 0 seconds");
    return time;
}

FmuOptions fmu_options_of(const SinkRequest& request)
{
    FmuOptions options;
    for (const auto& option : request.options) {
        if (option.name == "--set") add_pair(option, option.value.find('='), options.parameters);
        else if (option.name == "--connect") add_pair(option, option.value.rfind('='), options.connections);
        else if (option.name == "--timeout") options.timeout = parse_timeout(option);
        else if (option.name == "--in-process") options.in_process = true;
    }
    return options;
}

}  // namespace

MadeSink make_fmu(const SinkRequest& request, const SinkSurroundings& around)
{
    auto options = fmu_options_of(request);
    options.stop = around.stop;
    options.on_message = [&messages = around.messages, name = std::filesystem::path(request.rest).stem().string()](std::string_view line) {
        messages.warning(name + ": " + std::string(line));
    };
    return {nullptr, std::make_unique<FmuModel>(request.rest, std::move(options))};
}

}  // namespace ositrace::app
