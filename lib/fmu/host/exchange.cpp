// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/exchange.hpp"

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

[[noreturn]] void throw_memory_error(std::string_view what)
{
    throw Error(Cause::io, "cannot share memory with the model: " + std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

ExchangeMemory::ExchangeMemory(int descriptor, std::size_t binaries)
    : descriptor_(descriptor), size_(window_offset(binaries, 0))
{
}

ExchangeMemory ExchangeMemory::create(std::size_t binaries)
{
    ExchangeMemory memory(::memfd_create("ositrace-fmu", MFD_CLOEXEC | MFD_ALLOW_SEALING), binaries);
    if (memory.descriptor_ < 0) throw_memory_error("memfd_create");
    if (::ftruncate(memory.descriptor_, static_cast<off_t>(memory.size_)) != 0) throw_memory_error("ftruncate");
    if (::fcntl(memory.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw_memory_error("sealing");
    void* const base =
        ::mmap(nullptr, memory.size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory.descriptor_, 0);
    if (base == MAP_FAILED) throw_memory_error("mmap");
    memory.base_ = static_cast<std::byte*>(base);
    new (memory.base_) Exchange{.binaries = static_cast<std::uint32_t>(binaries)};
    return memory;
}

ExchangeMemory ExchangeMemory::attach(int descriptor)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) throw_memory_error("fstat");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size < window_offset(0, 0)) throw Error(Cause::malformed, "the shared memory is too small");
    ExchangeMemory memory(descriptor, (size - window_offset(0, 0)) / window_bytes / 2);
    void* const base = ::mmap(nullptr, memory.size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (base == MAP_FAILED) throw_memory_error("mmap");
    memory.base_ = static_cast<std::byte*>(base);
    if (memory.state().layout != Exchange::current_layout)
        throw Error(Cause::mismatch, "ositrace-fmu-host is of another build than the program that runs it");
    return memory;
}

ExchangeMemory::ExchangeMemory(ExchangeMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), base_(std::exchange(other.base_, nullptr)), size_(other.size_)
{
}

ExchangeMemory::~ExchangeMemory()
{
    if (base_ != nullptr) ::munmap(base_, size_);
    if (descriptor_ >= 0) ::close(descriptor_);
}

void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t old, std::chrono::nanoseconds at_most) noexcept
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (at_most - seconds).count()};
    ::syscall(SYS_futex, &word, FUTEX_WAIT, old, &timeout, nullptr, 0);
}

void wake(const std::atomic<std::uint32_t>& word) noexcept
{
    ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace ositrace::fmu
