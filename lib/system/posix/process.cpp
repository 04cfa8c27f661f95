// SPDX-License-Identifier: MPL-2.0
#include "lib/system/process.hpp"

#include <array>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "lib/system/posix/last_error.hpp"

namespace ositrace {

std::span<char*> program_arguments(int argc, char** argv) { return {argv, static_cast<std::size_t>(argc)}; }

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(::getpid()); }

std::filesystem::path this_program()
{
    std::error_code none;
    return std::filesystem::read_symlink("/proc/self/exe", none);
}

std::string program_name(std::string_view name) { return std::string(name); }

std::chrono::nanoseconds own_processor_time() noexcept
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

std::error_code run_instead(const std::filesystem::path& program, std::span<char* const> arguments)
{
    std::vector<char*> words(arguments.begin(), arguments.end());
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    return last_error();
}

std::string machine_name()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<std::uint64_t> machine_memory_bytes() noexcept
{
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    const auto page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return std::nullopt;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace ositrace
