// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <span>
#include <system_error>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "app/terminal/json.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/output.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {

namespace {

constexpr const char* events_variable = "OSITRACE_EVENTS";

constexpr auto redraw_every = std::chrono::milliseconds(100);

enum class Recovery : std::uint8_t { none, possible, likely };

/// Does `recover` help? Not with text: the user corrects it with an editor. If the first frame of a file is damaged, it
/// may be no trace at all.
Recovery recovery_of(const Error& e)
{
    const auto& where = e.where();
    std::error_code none;
    if (!is_damage(e) || !where.frame || !where.offset || !std::filesystem::is_regular_file(where.file, none))
        return Recovery::none;
    const auto name = where.file.filename().string();
    const auto extension = trace_extension(name);
    if (extension && extension->container.text) return Recovery::none;
    if (e.damage() == Damage::first_frame) return extension ? Recovery::possible : Recovery::none;
    return *where.offset != 0 && e.cause() != Cause::limit ? Recovery::likely : Recovery::none;
}

}  // namespace

EventStream::EventStream() : output_(inherited_output(events_variable)) {}

void EventStream::progress(std::string_view label, std::uint64_t frames, std::optional<std::uint64_t> bytes,
                           std::optional<double> done)
{
    if (!output_) return;
    JsonWriter json;
    json.begin_object().member("event", "progress").member("label", label).member("frames", frames);
    put(json.member("bytes", bytes).member("done", done).end_object().text());
}

void EventStream::line(std::string_view severity, std::string_view text)
{
    if (!output_) return;
    JsonWriter json;
    put(json.begin_object().member("event", severity).member("text", text).end_object().text());
}

void EventStream::failure(const Error& error)
{
    if (!output_) return;
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
    // An error is no reason to stop: nobody reads events any more.
    static_cast<void>(write_pieces(output_, std::array{std::as_bytes(std::span(event))}, false));
}

Messages::Messages(std::string_view program) : program_(program), terminal_(is_terminal(StandardStream::error)) {}

void Messages::error(std::string_view text) { print_line("error", text); }

void Messages::error(const Error& error)
{
    const std::lock_guard lock(mutex_);
    events_.failure(error);
    print_shown(error.what());
}

void Messages::failure(const Error& error)
{
    this->error(error);
    const auto recovery = recover.empty() ? Recovery::none : recovery_of(error);
    if (recovery == Recovery::none) return;
    this->error((recovery == Recovery::likely ? "try '" : "if this is a damaged trace, try '") + program_ + ' ' +
                std::string(recover) + ' ' + error.where().file.string() + " -o OUT' to save what can be read");
}

void Messages::warning(std::string_view text)
{
    if (!quiet) print_line("warning", text);
}

void Messages::detail(std::string_view text)
{
    if (verbose && !quiet) print_line("detail", text);
}

void Messages::print_line(std::string_view severity, std::string_view text)
{
    const std::lock_guard lock(mutex_);
    events_.line(severity, text);
    print_shown(text);
}

void Messages::print_shown(std::string_view text)
{
    wipe();
    std::string shown;  // lines stay lines
    for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? 0 : end + 1)) {
        end = text.find('\n');
        shown.append(shown.empty() ? "" : "\n").append(printable(text.substr(0, end)));
    }
    // One write per line, so that the lines of parallel programs do not mix.
    const std::string line = program_ + ": " + shown + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void Messages::progress(const Progress& progress)
{
    if (!events_ && !shows_status()) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_drawn_ < redraw_every) return;
    last_drawn_ = now;
    events_.progress(progress.label, progress.frames, progress.bytes, progress.done);
    if (!shows_status()) return;
    const std::string line = "\r\x1b[K" + to_string(progress);
    std::fwrite(line.data(), 1, line.size(), stderr);
    drawn_ = true;
}

void Messages::status(std::string_view text)
{
    if (!shows_status()) return;
    const std::lock_guard lock(mutex_);
    const std::string line = "\r\x1b[K" + std::string(text);
    std::fwrite(line.data(), 1, line.size(), stderr);
    drawn_ = true;
}

void Messages::clear_progress()
{
    const std::lock_guard lock(mutex_);
    wipe();
}

void Messages::wipe()
{
    if (drawn_) std::fputs("\r\x1b[K", stderr);
    drawn_ = false;
}

std::string to_string(const Messages::Progress& progress)
{
    const double seconds = progress.elapsed.count();
    std::string text = progress.label + ": " + count_text(progress.frames, "frame");
    if (progress.bytes && seconds > 0) text += ", " + rate_text(static_cast<double>(*progress.bytes) / seconds);
    if (progress.done && *progress.done > 0) {
        const double done = std::min(1.0, *progress.done);
        text += ", " + std::to_string(std::lround(done * 100)) + " %, " + duration_text(seconds * (1 - done) / done) +
                " left";
    }
    return text;
}

}  // namespace ositrace::app
