// SPDX-License-Identifier: MPL-2.0
#include "lib/system/terminal.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <io.h>

#include "lib/system/windows/broken_output.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

constexpr std::array streams{STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

HANDLE handle_of(StandardStream stream) noexcept { return ::GetStdHandle(streams[static_cast<std::size_t>(stream)]); }

UINT code_page_before = 0;
DWORD usual_mode = 0;
std::atomic<bool> changed = false;

FileHandle duplicate_of(HANDLE handle) noexcept
{
    HANDLE duplicate = nullptr;
    const auto process = ::GetCurrentProcess();
    return ::DuplicateHandle(process, handle, process, &duplicate, 0, FALSE, DUPLICATE_SAME_ACCESS) != 0
               ? own(duplicate)
               : FileHandle();
}

}  // namespace

void prepare_standard_streams() noexcept
{
    for (const int descriptor : {0, 1, 2}) ::_setmode(descriptor, _O_BINARY);
    std::setvbuf(stderr, nullptr, _IONBF, 0);  // which elsewhere it is
    for (const auto stream : {StandardStream::output, StandardStream::error}) {
        DWORD mode = 0;
        if (::GetConsoleMode(handle_of(stream), &mode) != 0)
            ::SetConsoleMode(handle_of(stream), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    code_page_before = ::GetConsoleOutputCP();
    // It remains when the program has ended.
    if (code_page_before != 0 && ::SetConsoleOutputCP(CP_UTF8) != 0)
        std::atexit([] { ::SetConsoleOutputCP(code_page_before); });
}

bool is_terminal(StandardStream stream) noexcept
{
    DWORD mode = 0;
    return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

bool is_standard_output(const std::filesystem::path& file) noexcept
try {
    if (file == "-") return true;
    const auto output = duplicate_of(handle_of(StandardStream::output));
    const auto named = status_of(file);
    return output && named && named->kind == FileKind::regular && status_of(output, file).identity == named->identity;
} catch (const std::exception&) {  // out of memory, or no status
    return false;
}

bool output_reader_is_gone() noexcept
{
    // stdio says of every such failure: invalid argument.
    if (std::ferror(stdout) != 0 && ::GetFileType(handle_of(StandardStream::output)) == FILE_TYPE_PIPE)
        standard_output_broke = true;
    return standard_output_broke;
}

void drop_buffered_output() noexcept
{
    static_cast<void>(output_reader_is_gone());  // which the error flag tells
    const int kept = ::_dup(1);
    const int nothing = ::_wopen(L"NUL", _O_WRONLY | _O_BINARY);
    if (kept >= 0 && nothing >= 0 && ::_dup2(nothing, 1) == 0) {
        std::clearerr(stdout);
        std::fflush(stdout);
        ::_dup2(kept, 1);
    }
    for (const int descriptor : {kept, nothing})
        if (descriptor >= 0) ::_close(descriptor);
}

FileHandle inherited_output(const char* variable)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr) return {};
    const std::string_view number(text);
    FileHandle::Native handle = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), handle);
    const bool valid = error == std::errc{} && end == number.data() + number.size() && handle > 0 &&
                       ::SetHandleInformation(handle_of(handle), HANDLE_FLAG_INHERIT, 0) != 0;
    ::_putenv_s(variable, "");
    return valid ? FileHandle(handle) : FileHandle();
}

OutputAside::OutputAside() noexcept : kept_(duplicate_of(handle_of(StandardStream::output)))
{
    if (kept_) ::_dup2(2, 1);
}

OutputAside::~OutputAside()
{
    if (!kept_) return;
    const int descriptor = ::_open_osfhandle(kept_.release(), _O_BINARY);
    if (descriptor < 0) return;
    ::_dup2(descriptor, 1);
    ::_close(descriptor);
}

bool read_single_keys() noexcept
{
    const auto input = handle_of(StandardStream::input);
    if (::GetConsoleMode(input, &usual_mode) == 0) return false;
    const DWORD lines = ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT;
    changed = ::SetConsoleMode(input, (usual_mode & ~lines) | ENABLE_VIRTUAL_TERMINAL_INPUT) != 0;
    return changed;
}

void restore_terminal() noexcept
{
    if (changed.exchange(false)) ::SetConsoleMode(handle_of(StandardStream::input), usual_mode);
}

}  // namespace ositrace
