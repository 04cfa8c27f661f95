// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/event_stream.hpp"

#include <charconv>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include <ositrace/cause_name.hpp>

#include "app/terminal/json.hpp"

namespace ositrace::app {
namespace {

constexpr const char* variable = "OSITRACE_EVENTS";

/// -1: nobody reads events.
int descriptor_from_environment()
{
    const char* const text = std::getenv(variable);
    if (text == nullptr) return -1;
    const std::string_view number(text);
    int descriptor = -1;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), descriptor);
    const bool valid = error == std::errc{} && end == number.end() && descriptor > STDERR_FILENO &&
                       fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
    unsetenv(variable);
    return valid ? descriptor : -1;
}

}  // namespace

EventStream::EventStream() : descriptor_(descriptor_from_environment()) {}

EventStream::~EventStream()
{
    if (descriptor_ >= 0) close(descriptor_);
}

void EventStream::progress(std::string_view label, std::uint64_t frames, std::optional<std::uint64_t> bytes,
                           std::optional<double> done)
{
    if (descriptor_ < 0) return;
    JsonWriter json;
    json.begin_object().member("event", "progress").member("label", label).member("frames", frames);
    put(json.member("bytes", bytes).member("done", done).end_object().text());
}

void EventStream::line(std::string_view severity, std::string_view text)
{
    if (descriptor_ < 0) return;
    JsonWriter json;
    put(json.begin_object().member("event", severity).member("text", text).end_object().text());
}

void EventStream::failure(const Error& error)
{
    if (descriptor_ < 0) return;
    const auto& where = error.where();
    JsonWriter json;
    json.begin_object().member("event", "failure").member("text", std::string_view(error.what()));
    json.member("reason", std::string_view(error.reason())).member("code", name_of(error.cause()));
    json.member("file", where.file.empty() ? std::nullopt : std::optional(where.file.string()));
    json.member("frame", where.frame).member("byte", where.offset).member("field", std::string_view(where.field));
    put(json.end_object().text());
}

void EventStream::put(const std::string& event)
{
    for (std::string_view rest = event; !rest.empty();) {
        const auto written = write(descriptor_, rest.data(), rest.size());
        if (written <= 0) return;
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace ositrace::app
