// SPDX-License-Identifier: MPL-2.0
#include "lib/system/windows/native.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "lib/system/whole_name.hpp"

namespace {

struct ErrorText {
    int number;
    const char* text;
};

/// The words of Linux for errors of sockets, which the C library of Windows has none for.
constexpr std::array error_texts{
    ErrorText{EADDRINUSE, "Address already in use"},
    ErrorText{EADDRNOTAVAIL, "Cannot assign requested address"},
    ErrorText{EAFNOSUPPORT, "Address family not supported by protocol"},
    ErrorText{ECONNABORTED, "Software caused connection abort"},
    ErrorText{ECONNREFUSED, "Connection refused"},
    ErrorText{ECONNRESET, "Connection reset by peer"},
    ErrorText{EHOSTUNREACH, "No route to host"},
    ErrorText{EMSGSIZE, "Message too long"},
    ErrorText{ENETDOWN, "Network is down"},
    ErrorText{ENETUNREACH, "Network is unreachable"},
    ErrorText{ENOBUFS, "No buffer space available"},
    ErrorText{ENOTCONN, "Transport endpoint is not connected"},
    ErrorText{EPROTONOSUPPORT, "Protocol not supported"},
    ErrorText{ETIMEDOUT, "Connection timed out"},
    ErrorText{EWOULDBLOCK, "Resource temporarily unavailable"},
};

}  // namespace

/// In the place of the C library's, for all of the program: the standard library and ZeroMQ ask it, too.
extern "C" char* strerror(int number)
{
    const auto row = std::ranges::find(error_texts, number, &ErrorText::number);
    if (row != error_texts.end()) return const_cast<char*>(row->text);
    const bool known = number >= 0 && number < _sys_nerr;
    return known ? _sys_errlist[number] : const_cast<char*>("Unknown error");
}

namespace ositrace {

namespace {

/// Windows takes longer names of files, and of folders, only with this front, and then changes nothing in them.
constexpr std::wstring_view verbatim = L"\\\\?\\";
constexpr std::size_t longest_plain_name = 247;

std::string text_of(DWORD code)
{
    if (code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION || code == ERROR_USER_MAPPED_FILE)
        return "is open in another program";
    wchar_t text[512];
    auto length = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0, text,
                                   static_cast<DWORD>(std::size(text)), nullptr);
    while (length != 0 && (text[length - 1] == L'\n' || text[length - 1] == L'\r' || text[length - 1] == L'.' ||
                           text[length - 1] == L' '))
        --length;
    return length == 0 ? "error " + std::to_string(code) + " of Windows" : utf8({text, length});
}

class WindowsCategory final : public std::error_category {
public:
    const char* name() const noexcept override { return "windows"; }
    std::string message(int code) const override { return text_of(static_cast<DWORD>(code)); }
};

std::errc common_error(DWORD code) noexcept
{
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME: return std::errc::no_such_file_or_directory;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT: return std::errc::permission_denied;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return std::errc::file_exists;
    case ERROR_DIRECTORY: return std::errc::not_a_directory;
    case ERROR_DIR_NOT_EMPTY: return std::errc::directory_not_empty;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return std::errc::no_space_on_device;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED: return std::errc::broken_pipe;
    case ERROR_INVALID_HANDLE: return std::errc::bad_file_descriptor;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return std::errc::not_enough_memory;
    case ERROR_FILENAME_EXCED_RANGE: return std::errc::filename_too_long;
    case ERROR_TOO_MANY_OPEN_FILES: return std::errc::too_many_files_open;
    case WSAEWOULDBLOCK: return std::errc::operation_would_block;
    case WSAECONNREFUSED: return std::errc::connection_refused;
    case WSAECONNRESET: return std::errc::connection_reset;
    case WSAECONNABORTED: return std::errc::connection_aborted;
    case WSAETIMEDOUT: return std::errc::timed_out;
    case WSAEADDRINUSE: return std::errc::address_in_use;
    case WSAEADDRNOTAVAIL: return std::errc::address_not_available;
    case WSAENETUNREACH: return std::errc::network_unreachable;
    case WSAEHOSTUNREACH: return std::errc::host_unreachable;
    case WSAENOTCONN: return std::errc::not_connected;
    case WSAEMSGSIZE: return std::errc::message_size;
    case WSAEACCES: return std::errc::permission_denied;
    default: return {};
    }
}

}  // namespace

std::error_code error_of(DWORD code) noexcept
{
    static const WindowsCategory category;
    const auto common = common_error(code);
    if (common != std::errc{}) return std::make_error_code(common);
    return {static_cast<int>(code), category};
}

FileStatus::Time time_of(const FILETIME& time) noexcept
{
    constexpr std::int64_t ticks_per_second = 10'000'000, seconds_to_1970 = 11'644'473'600, nanoseconds_per_tick = 100;
    const auto ticks = static_cast<std::int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime;
    return {.seconds = ticks / ticks_per_second - seconds_to_1970,
            .nanoseconds = ticks % ticks_per_second * nanoseconds_per_tick};
}

std::chrono::nanoseconds processor_time_of(HANDLE process) noexcept
{
    FILETIME created{};
    FILETIME ended{};
    FILETIME kernel{};
    FILETIME user{};
    ::GetProcessTimes(process, &created, &ended, &kernel, &user);
    const auto of = [](const FILETIME& time) {
        constexpr int nanoseconds_per_tick = 100;
        return std::chrono::nanoseconds((static_cast<std::int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime) *
                                        nanoseconds_per_tick);
    };
    return of(kernel) + of(user);
}

std::wstring command_line(std::span<const std::string> words)
{
    std::wstring line;
    for (const auto& word : words) {
        if (!line.empty()) line += L' ';
        line += L'"';
        std::size_t backslashes = 0;
        for (const auto c : wide(word)) {
            if (c == L'"')
                line.append(backslashes + 1, L'\\');  // backslashes count double before a quotation mark alone
            backslashes = c == L'\\' ? backslashes + 1 : 0;
            line += c;
        }
        line.append(backslashes, L'\\').append(1, L'"');
    }
    return line;
}

std::string utf8(std::wstring_view text)
{
    const auto length = static_cast<int>(text.size());
    std::string result(
        static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr)),
        '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, result.data(), static_cast<int>(result.size()), nullptr,
                          nullptr);
    return result;
}

std::wstring wide(std::string_view text)
{
    const auto length = static_cast<int>(text.size());
    std::wstring result(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0)),
                        L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, result.data(), static_cast<int>(result.size()));
    return result;
}

std::wstring native_name(const std::filesystem::path& file)
{
    if (file.native().starts_with(verbatim)) return file.native();
    const auto whole = whole_name(file).native();
    if (whole.size() <= longest_plain_name) return file.native();
    if (whole.starts_with(L"\\\\")) return std::wstring(verbatim).append(L"UNC").append(whole.substr(1));
    return std::wstring(verbatim).append(whole);
}

}  // namespace ositrace
