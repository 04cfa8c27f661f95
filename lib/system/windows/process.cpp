// SPDX-License-Identifier: MPL-2.0
#include "lib/system/process.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "lib/system/windows/native.hpp"

#include <shellapi.h>

namespace ositrace {

std::span<char*> program_arguments(int, char**)
{
    static std::vector<std::string> words;
    static std::vector<char*> begins;
    int count = 0;
    auto* const found = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    words.clear();
    for (int i = 0; found != nullptr && i < count; ++i) words.push_back(utf8(found[i]));
    ::LocalFree(static_cast<HLOCAL>(found));
    begins.clear();
    for (auto& word : words) begins.push_back(word.data());
    begins.push_back(nullptr);
    return std::span(begins).first(words.size());
}

std::uint64_t process_id() noexcept { return ::GetCurrentProcessId(); }

std::filesystem::path this_program()
{
    constexpr std::size_t longest_name = 32768;
    std::wstring name(longest_name, L'\0');
    name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
    return name;
}

std::string program_name(std::string_view name) { return std::string(name) + ".exe"; }

std::chrono::nanoseconds own_processor_time() noexcept { return processor_time_of(::GetCurrentProcess()); }

std::error_code run_instead(const std::filesystem::path& program, std::span<char* const> arguments)
{
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    auto line = command_line(words);
    STARTUPINFOW start{};
    start.cb = sizeof start;
    PROCESS_INFORMATION started{};
    if (::CreateProcessW(native_name(program).c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start,
                         &started) == 0)
        return last_error();
    ::CloseHandle(started.hThread);
    ::SetConsoleCtrlHandler(nullptr, TRUE);  // Ctrl-C is for the other program
    ::WaitForSingleObject(started.hProcess, INFINITE);
    DWORD code = EXIT_FAILURE;
    ::GetExitCodeProcess(started.hProcess, &code);
    std::exit(static_cast<int>(code));
}

std::string machine_name()
{
    std::array<wchar_t, 256> name{};
    auto size = static_cast<DWORD>(name.size());
    return ::GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) != 0 ? utf8({name.data(), size}) : "";
}

std::optional<std::uint64_t> machine_memory_bytes() noexcept
{
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (::GlobalMemoryStatusEx(&status) == 0) return std::nullopt;
    return status.ullTotalPhys;
}

}  // namespace ositrace
