// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/output.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <ositrace/error.hpp>

#include "lib/system/terminal.hpp"

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
    drop_buffered_output();
    if (!output_reader_is_gone()) messages.warning(std::string(error.what()) + ": the summary is not printed");
}

void flush_output()
{
    if (std::fflush(stdout) != 0) throw failed_output();
}

}  // namespace ositrace::app
