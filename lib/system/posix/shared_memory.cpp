// SPDX-License-Identifier: MPL-2.0
#include "lib/system/shared_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

std::byte* mapping_of(const FileHandle& memory, std::size_t bytes)
{
    void* const begin =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_of(memory), 0);
    if (begin == MAP_FAILED) throw_system_error(last_error(), {}, "mmap");
    return static_cast<std::byte*>(begin);
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : memory_(::memfd_create("ositrace-fmu", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes)
{
    if (!memory_) throw_system_error(last_error(), {}, "memfd_create");
    if (::ftruncate(descriptor_of(memory_), static_cast<off_t>(bytes)) != 0)
        throw_system_error(last_error(), {}, "ftruncate");
    if (::fcntl(descriptor_of(memory_), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw_system_error(last_error(), {}, "sealing");
    begin_ = mapping_of(memory_, bytes);
}

SharedMemory::SharedMemory(FileHandle memory) : memory_(std::move(memory))
{
    struct stat status{};
    if (::fstat(descriptor_of(memory_), &status) != 0) throw_system_error(last_error(), {}, "fstat");
    bytes_ = static_cast<std::size_t>(status.st_size);
    if (bytes_ != 0) begin_ = mapping_of(memory_, bytes_);
}

SharedMemory::~SharedMemory()
{
    if (begin_ != nullptr) ::munmap(begin_, bytes_);
}

std::size_t SharedMemory::write(std::size_t offset, const void* from, std::size_t size) const noexcept
{
    std::size_t done = 0;
    while (done < size) {
        const auto count = ::pwrite(descriptor_of(memory_), static_cast<const char*>(from) + done, size - done,
                                    static_cast<off_t>(offset + done));
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void SharedMemory::wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t old,
                              std::chrono::nanoseconds at_most) const noexcept
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (at_most - seconds).count()};
    ::syscall(SYS_futex, &word, FUTEX_WAIT, old, &timeout, nullptr, 0);
}

void SharedMemory::wake(const std::atomic<std::uint32_t>& word) const noexcept
{
    ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

std::size_t copy_readable(const void* from, std::size_t size, std::byte* to)
{
    std::size_t done = 0;
    while (done < size) {
        const iovec local{.iov_base = to + done, .iov_len = size - done};
        const iovec remote{.iov_base = const_cast<std::byte*>(static_cast<const std::byte*>(from)) + done,
                           .iov_len = size - done};
        const auto count = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
        if (count < 0 && (errno == ENOSYS || errno == EPERM))
            throw Error(Cause::unsupported, "this machine forbids process_vm_readv");
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

}  // namespace ositrace
