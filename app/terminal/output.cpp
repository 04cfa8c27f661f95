// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/output.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <poll.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::app {
namespace {

Error failed_output() { return {Cause::io, {.file = "standard output"}, std::generic_category().message(errno)}; }

}  // namespace

void print(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw failed_output();
}

void print_summary(std::string_view text, Messages& messages)
try {
    print(text);
    flush_output();
} catch (const Error& error) {
    __fpurge(stdout);  // else the next flush fails again
    if (!output_reader_is_gone()) messages.warning(std::string(error.what()) + ": the summary is not printed");
}

void flush_output()
{
    if (std::fflush(stdout) != 0) throw failed_output();
}

bool is_standard_output(const std::filesystem::path& file)
{
    if (file == "-") return true;
    struct stat named{};
    struct stat ours{};
    return stat(file.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &ours) == 0 && named.st_dev == ours.st_dev &&
           named.st_ino == ours.st_ino;
}

bool output_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

bool output_reader_is_gone()
{
    pollfd state{STDOUT_FILENO, 0, 0};
    return poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

}  // namespace ositrace::app
