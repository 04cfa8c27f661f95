// SPDX-License-Identifier: MPL-2.0
#include "lib/system/child_process.hpp"

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "lib/system/line_reader.hpp"
#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"

#include <psapi.h>

namespace ositrace {

namespace {

constexpr UINT killed_code = 0x0517'dead;  // which no program returns itself

/// A copy that a child process inherits.
FileHandle inheritable(HANDLE handle)
{
    HANDLE copy = nullptr;
    const auto process = ::GetCurrentProcess();
    if (::DuplicateHandle(process, handle, process, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == 0)
        throw_system_error(last_error(), {}, "DuplicateHandle");
    return own(copy);
}

/// Names the handles that a child inherits, and no others.
class InheritedHandles {
public:
    explicit InheritedHandles(std::vector<HANDLE> handles) : handles_(std::move(handles))
    {
        SIZE_T bytes = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        memory_.resize(bytes);
        if (::InitializeProcThreadAttributeList(list(), 1, 0, &bytes) == 0 ||
            ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                        handles_.size() * sizeof(HANDLE), nullptr, nullptr) == 0)
            throw_system_error(last_error(), {}, "UpdateProcThreadAttribute");
    }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;
    ~InheritedHandles() { ::DeleteProcThreadAttributeList(list()); }

    [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list()
    {
        return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    }

private:
    std::vector<HANDLE> handles_;
    std::vector<std::byte> memory_;
};

/// Ends all processes in it when its last handle is closed.
FileHandle new_job()
{
    auto job = own(::CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    ::SetInformationJobObject(handle_of(job), JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

ProcessEnd end_of(DWORD code)
{
    constexpr DWORD first_exception = 0x8000'0000;
    if (code == killed_code) return {false, "was killed"};
    if (code < first_exception) return {code == 0, "ended its own process (exit code " + std::to_string(code) + ")"};
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "0x%08lX", code);
    const char* const name = code == static_cast<DWORD>(STATUS_ACCESS_VIOLATION) ? "access violation, "
                             : code == static_cast<DWORD>(STATUS_STACK_OVERFLOW) ? "stack overflow, "
                                                                                 : "";
    return {false, std::string("crashed (") + name + number.data() + ")"};
}

}  // namespace

class ChildProcess::Implementation {
public:
    Implementation(const std::filesystem::path& program, const SharedMemory& memory,
                   std::function<void(std::string_view line)> on_line)
        : job_(new_job())
    {
        auto output = make_pipe("pipe");
        const auto output_write = inheritable(handle_of(output.write));
        const auto shared = inheritable(handle_of(memory.handle()));
        const auto parent = inheritable(handle_of(own(::OpenProcess(SYNCHRONIZE, FALSE, ::GetCurrentProcessId()))));
        SECURITY_ATTRIBUTES inherits{
            .nLength = sizeof inherits, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
        const auto nothing = own(::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherits,
                                               OPEN_EXISTING, 0, nullptr));
        InheritedHandles handles({handle_of(output_write), handle_of(shared), handle_of(parent), handle_of(nothing)});
        STARTUPINFOEXW start{};
        start.StartupInfo.cb = sizeof start;
        start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        start.StartupInfo.hStdInput = handle_of(nothing);
        start.StartupInfo.hStdOutput = start.StartupInfo.hStdError = handle_of(output_write);
        start.lpAttributeList = handles.list();
        auto line = command_line(
            std::array{program.string(), std::to_string(shared.native()), std::to_string(parent.native())});
        PROCESS_INFORMATION started{};
        // Without a window, and so without the Ctrl-C of ours.
        if (::CreateProcessW(native_name(program).c_str(), line.data(), nullptr, nullptr, TRUE,
                             EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED | CREATE_NO_WINDOW, nullptr, nullptr,
                             &start.StartupInfo, &started) == 0)
            throw_system_error(last_error(), {}, program.string());
        process_ = own(started.hProcess);
        const auto thread = own(started.hThread);
        ::AssignProcessToJobObject(handle_of(job_), handle_of(process_));
        ::ResumeThread(handle_of(thread));
        output.write.close();
        lines_ = std::make_unique<LineReader>(std::move(output.read), std::move(on_line));
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation() { kill(); }

    [[nodiscard]] std::optional<ProcessEnd> ended(std::chrono::milliseconds wait)
    {
        if (!ended_ && ::WaitForSingleObject(handle_of(process_), static_cast<DWORD>(wait.count())) == WAIT_OBJECT_0)
            reap();
        return ended_;
    }
    void kill()
    {
        if (ended_) return;
        ::TerminateProcess(handle_of(process_), killed_code);
        ::WaitForSingleObject(handle_of(process_), INFINITE);
        reap();
    }
    [[nodiscard]] std::chrono::nanoseconds processor_time() const noexcept
    {
        return ended_ ? std::chrono::nanoseconds() : processor_time_of(handle_of(process_));
    }
    [[nodiscard]] std::uint64_t peak_bytes() const noexcept
    {
        PROCESS_MEMORY_COUNTERS counters{};
        if (ended_ || ::K32GetProcessMemoryInfo(handle_of(process_), &counters, sizeof counters) == 0) return 0;
        return counters.PeakWorkingSetSize;
    }

private:
    void reap()
    {
        DWORD code = 0;
        ::GetExitCodeProcess(handle_of(process_), &code);
        ::TerminateJobObject(handle_of(job_), killed_code);  // what it started itself
        lines_.reset();
        ended_ = end_of(code);
    }

    FileHandle job_;
    FileHandle process_;
    std::optional<ProcessEnd> ended_;
    std::unique_ptr<LineReader> lines_;
};

bool is_program(const std::filesystem::path& file) noexcept
{
    const auto attributes = ::GetFileAttributesW(file.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

ChildProcess::ChildProcess(const std::filesystem::path& program, const SharedMemory& memory,
                           std::function<void(std::string_view line)> on_line)
    : implementation_(std::make_unique<Implementation>(program, memory, std::move(on_line)))
{
}

ChildProcess::~ChildProcess() = default;
std::optional<ProcessEnd> ChildProcess::ended(std::chrono::milliseconds wait) { return implementation_->ended(wait); }
void ChildProcess::kill() { implementation_->kill(); }
std::chrono::nanoseconds ChildProcess::processor_time() const noexcept { return implementation_->processor_time(); }
std::uint64_t ChildProcess::peak_bytes() const noexcept { return implementation_->peak_bytes(); }

}  // namespace ositrace
