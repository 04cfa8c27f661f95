// SPDX-License-Identifier: MPL-2.0
#include "lib/system/output.hpp"

#include <algorithm>
#include <atomic>

#include "lib/system/system_error.hpp"
#include "lib/system/windows/broken_output.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

std::atomic<FileHandle::Native> standard_output = 0;  ///< as open_in_place() opened it last

}  // namespace

bool is_written_in_place(const std::filesystem::path& file)
{
    if (file == "-") return true;
    const auto status = status_of(file);
    return status && status->kind != FileKind::regular && status->kind != FileKind::folder;
}

FileHandle open_in_place(const std::filesystem::path& file, const std::filesystem::path& name)
{
    HANDLE opened = nullptr;
    if (file == "-")
        ::DuplicateHandle(::GetCurrentProcess(), ::GetStdHandle(STD_OUTPUT_HANDLE), ::GetCurrentProcess(), &opened, 0,
                          FALSE, DUPLICATE_SAME_ACCESS);
    else
        opened = ::CreateFileW(native_name(file).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                               OPEN_EXISTING, 0, nullptr);
    auto handle = own(opened);
    if (!handle) throw_system_error(last_error(), name);
    if (file == "-") standard_output = handle.native();
    return handle;
}

bool may_break(const FileHandle& output) noexcept { return ::GetFileType(handle_of(output)) == FILE_TYPE_PIPE; }

std::error_code write_pieces(const FileHandle& output, std::span<const Bytes> pieces, bool) noexcept
{
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    for (Bytes piece : pieces) {
        while (!piece.empty()) {
            DWORD count = 0;
            const auto wanted = static_cast<DWORD>(std::min(piece.size(), most_at_once));
            if (::WriteFile(handle_of(output), piece.data(), wanted, &count, nullptr) == 0) {
                const auto error = last_error();
                if (error == std::errc::broken_pipe && output.native() == standard_output) standard_output_broke = true;
                return error;
            }
            piece = piece.subspan(count);
        }
    }
    return {};
}

// Windows writes to the disk when it is time to, and reports a full one at once.
void start_to_disk(const FileHandle&, std::uint64_t, std::uint64_t) noexcept {}
std::error_code flush_to_system(const FileHandle&) noexcept { return {}; }

}  // namespace ositrace
