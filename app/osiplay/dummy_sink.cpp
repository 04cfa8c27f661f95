// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_kinds.hpp"

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>

namespace ositrace::app {
namespace {

void set(std::string_view setting, DummySensorOptions& options)
try {
    const auto equals = setting.find('=');
    set_parameter(options, setting.substr(0, equals),
                  equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1));
} catch (const Error& error) {
    throw Error(Cause::usage, "--set: " + std::string(error.what()));
}

}  // namespace

CreatedSink make_dummy(const SinkRequest& request, const SinkContext&)
{
    DummySensorOptions options;
    for (const auto& option : request.options) set(option.value, options);
    return {nullptr, dummy_sensor(options), request.text};
}

}  // namespace ositrace::app
