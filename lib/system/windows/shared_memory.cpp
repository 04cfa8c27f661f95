// SPDX-License-Identifier: MPL-2.0
#include "lib/system/shared_memory.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

std::byte* mapping_of(const FileHandle& memory)
{
    const auto mapping = own(::CreateFileMappingW(handle_of(memory), nullptr, PAGE_READWRITE, 0, 0, nullptr));
    if (!mapping) throw_system_error(last_error(), {}, "CreateFileMapping");
    void* const begin = ::MapViewOfFile(handle_of(mapping), FILE_MAP_ALL_ACCESS, 0, 0, 0);
    if (begin == nullptr) throw_system_error(last_error(), {}, "MapViewOfFile");
    return static_cast<std::byte*>(begin);
}

/// The events of the words that somebody has waited for or woken here.
struct Events {
    std::mutex mutex;
    std::map<const void*, FileHandle> of_word;
};

Events& events()
{
    static Events all;
    return all;
}

/// In no folder; create_temporary_file() gives each file a name of its own.
std::string file_name(const FileHandle& file)
{
    struct {
        FILE_NAME_INFO information;
        std::array<wchar_t, 32768> more;
    } found{};
    if (::GetFileInformationByHandleEx(handle_of(file), FileNameInfo, &found, sizeof found) == 0)
        throw_system_error(last_error(), {}, "shared memory");
    const std::wstring_view name(found.information.FileName, found.information.FileNameLength / sizeof(wchar_t));
    return std::filesystem::path(name).filename().string();
}

/// Both processes find it by the name of the file and the place in it.
HANDLE event_of(const FileHandle& memory, const std::byte* begin, const void* word)
{
    const std::lock_guard lock(events().mutex);
    auto& event = events().of_word[word];
    if (!event) {
        const auto offset = static_cast<const std::byte*>(word) - begin;
        const auto name = "Local\\" + file_name(memory) + '-' + std::to_string(offset);
        event = own(::CreateEventW(nullptr, FALSE, FALSE, wide(name).c_str()));
    }
    return handle_of(event);
}

/// As much as can be read.
std::size_t copy(const void* from, std::size_t size, std::byte* to) noexcept
{
    constexpr std::size_t page = 4096;
    SIZE_T done = 0;
    if (::ReadProcessMemory(::GetCurrentProcess(), from, to, size, &done) != 0) return size;
    for (done = 0; done < size;) {  // page by page, up to the first that is not there
        const auto* const next = static_cast<const std::byte*>(from) + done;
        const auto piece = std::min(size - done, page - reinterpret_cast<std::uintptr_t>(next) % page);
        if (::ReadProcessMemory(::GetCurrentProcess(), next, to + done, piece, nullptr) == 0) break;
        done += piece;
    }
    return done;
}

}  // namespace

// A temporary file that is never written to the disk as long as there is memory: of memory without a file, Windows
// would reserve all at once.
SharedMemory::SharedMemory(std::size_t bytes)
    : memory_(create_temporary_file(temporary_directory(), {}, "shared memory")), bytes_(bytes)
{
    set_size(memory_, bytes, {}, "shared memory");
    begin_ = mapping_of(memory_);
}

SharedMemory::SharedMemory(FileHandle memory) : memory_(std::move(memory))
{
    bytes_ = static_cast<std::size_t>(status_of(memory_, "shared memory").bytes);
    if (bytes_ != 0) begin_ = mapping_of(memory_);
}

SharedMemory::~SharedMemory()
{
    if (begin_ == nullptr) return;
    {
        const std::lock_guard lock(events().mutex);
        auto& all = events().of_word;
        all.erase(all.lower_bound(begin_), all.lower_bound(begin_ + bytes_));
    }
    ::UnmapViewOfFile(begin_);
}

std::size_t SharedMemory::write(std::size_t offset, const void* from, std::size_t size) const noexcept
{
    return copy(from, std::min(size, bytes_ - std::min(bytes_, offset)), begin_ + offset);
}

void SharedMemory::wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t old,
                              std::chrono::nanoseconds at_most) const noexcept
{
    const auto event = event_of(memory_, begin_, &word);
    if (word.load() != old) return;
    const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(at_most).count();
    ::WaitForSingleObject(event, static_cast<DWORD>(std::clamp<std::int64_t>(milliseconds, 0, INFINITE - 1)));
}

void SharedMemory::wake(const std::atomic<std::uint32_t>& word) const noexcept
{
    ::SetEvent(event_of(memory_, begin_, &word));
}

std::size_t copy_readable(const void* from, std::size_t size, std::byte* to) { return copy(from, size, to); }

}  // namespace ositrace
