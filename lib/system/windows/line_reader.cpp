// SPDX-License-Identifier: MPL-2.0
#include "lib/system/line_reader.hpp"

#include <array>
#include <utility>

#include <pthread.h>

#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

Pipe make_pipe(std::string_view doing)
{
    HANDLE read = nullptr;
    HANDLE write = nullptr;
    if (::CreatePipe(&read, &write, nullptr, 0) == 0) throw_system_error(last_error(), {}, doing);
    return {own(read), own(write)};
}

LineReader::LineReader(FileHandle from, std::function<void(std::string_view line)> take)
    : from_(std::move(from)), stop_(own(::CreateEventW(nullptr, TRUE, FALSE, nullptr))), take_(std::move(take))
{
    thread_ = std::thread([this] { read_all(); });
}

LineReader::~LineReader()
{
    ::SetEvent(handle_of(stop_));
    auto* const thread = static_cast<HANDLE>(::pthread_gethandle(thread_.native_handle()));
    do {
        ::CancelSynchronousIo(thread);  // again and again, as the next read may just begin
    } while (::WaitForSingleObject(thread, 1) == WAIT_TIMEOUT);
    thread_.join();
}

void LineReader::read_all()
{
    constexpr int last_pieces = 64;  // a process that never stops writing is left then
    const auto stopped = [this] { return ::WaitForSingleObject(handle_of(stop_), 0) == WAIT_OBJECT_0; };
    while (!stopped() && read_some()) continue;
    DWORD available = 0;
    for (int i = 0; i < last_pieces; ++i) {
        if (::PeekNamedPipe(handle_of(from_), nullptr, 0, nullptr, &available, nullptr) == 0 || available == 0) break;
        if (!read_some()) break;
    }
    hand_over(true);
}

bool LineReader::read_some()
{
    std::array<char, 16384> piece;
    DWORD count = 0;
    if (::ReadFile(handle_of(from_), piece.data(), static_cast<DWORD>(piece.size()), &count, nullptr) == 0)
        return ::GetLastError() == ERROR_OPERATION_ABORTED;
    text_.append(piece.data(), count);
    std::erase(text_, '\r');
    hand_over(false);
    return true;
}

}  // namespace ositrace
