// SPDX-License-Identifier: MPL-2.0
#include "lib/system/stoppable_wait.hpp"

#include <algorithm>
#include <atomic>

#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"
#include "lib/system/windows/wait_time.hpp"

namespace ositrace {

namespace {

/// While this thread reads, a stop request ends its read: again and again, as it may come before the read begins.
class EndsRead {
public:
    EndsRead() : thread_(own(::OpenThread(THREAD_TERMINATE, FALSE, ::GetCurrentThreadId()))) {}
    void operator()() noexcept
    {
        if (::GetCurrentThreadId() == id_) return;  // requested before: the thread sees it itself
        while (!done_) {
            ::CancelSynchronousIo(handle_of(thread_));
            ::Sleep(1);
        }
    }
    void done() noexcept { done_ = true; }

private:
    DWORD id_ = ::GetCurrentThreadId();
    FileHandle thread_;
    std::atomic<bool> done_ = false;
};

}  // namespace

StoppableWait::StoppableWait() : stopped_(own(::CreateEventW(nullptr, TRUE, FALSE, nullptr)))
{
    if (!stopped_) throw_system_error(last_error(), {}, "CreateEvent");
}

std::size_t StoppableWait::read(const FileHandle& from, std::span<std::byte> into, const std::stop_token& stop,
                                const std::filesystem::path& name)
{
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    EndsRead ends;
    const std::stop_callback wake(stop, [&ends] { ends(); });
    DWORD count = 0;
    DWORD error = ERROR_SUCCESS;
    if (!stop.stop_requested() &&
        ::ReadFile(handle_of(from), into.data(), static_cast<DWORD>(std::min(into.size(), most_at_once)), &count,
                   nullptr) == 0)
        error = ::GetLastError();
    ends.done();
    if (error == ERROR_SUCCESS) return count;
    if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF) return 0;
    if (error == ERROR_OPERATION_ABORTED && stop.stop_requested()) return 0;
    throw_system_error(error_of(error), name);
}

Waited StoppableWait::pause(const Deadline& deadline, const std::stop_token& stop)
{
    const auto event = handle_of(stopped_);
    ::ResetEvent(event);
    const std::stop_callback wake(stop, [event] { ::SetEvent(event); });
    while (!stop.stop_requested()) {
        if (passed(deadline)) return Waited::timed_out;
        ::WaitForSingleObject(event, milliseconds_to(deadline));
    }
    return Waited::stopped;
}

}  // namespace ositrace
