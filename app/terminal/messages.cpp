// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include <ositrace/trace_name.hpp>

#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

constexpr auto redraw_every = std::chrono::milliseconds(100);

/// Does `recover` help? Not with text: the user corrects it with an editor.
bool is_recoverable(const Error& e)
{
    const auto& where = e.where();
    if ((e.cause() != Cause::truncated && e.cause() != Cause::malformed) || !where.frame ||
        where.offset.value_or(0) == 0)
        return false;
    const auto name = where.file.filename().string();
    const auto extension = trace_extension(name);
    std::error_code none;
    return !(extension && extension->container.text) && std::filesystem::is_regular_file(where.file, none);
}

}  // namespace

Messages::Messages(std::string_view program) : program_(program), terminal_(isatty(STDERR_FILENO) == 1) {}

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
    if (!recover.empty() && is_recoverable(error))
        this->error("try '" + program_ + ' ' + std::string(recover) + ' ' + error.where().file.string() +
                    " -o OUT' to save what can be read");
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
    std::string text = progress.label + ": " + std::to_string(progress.frames) + " frames";
    if (progress.bytes && seconds > 0) text += ", " + rate_text(static_cast<double>(*progress.bytes) / seconds);
    if (progress.done && *progress.done > 0) {
        const double done = std::min(1.0, *progress.done);
        text += ", " + std::to_string(std::lround(done * 100)) + " %, " + duration_text(seconds * (1 - done) / done) +
                " left";
    }
    return text;
}

}  // namespace ositrace::app
