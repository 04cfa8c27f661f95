// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/exchange.hpp"
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using namespace ositrace;
using namespace ositrace::fmu;

#ifdef OSITRACE_TEST_SANITIZED
constexpr std::size_t messages = 64;  // a sanitizer leaves no room for 8 TiB of addresses
#else
constexpr std::size_t messages = max_binaries;
#endif

TEST_CASE("as many messages as a model may have are exchanged, and only what is written takes memory", "[fmu]")
{
    auto ours = ExchangeMemory::create(messages);
    const auto descriptor = static_cast<int>(ours.shared().handle().native());
    auto theirs = ExchangeMemory::attach(SharedMemory(FileHandle(::dup(descriptor))));
    for (const std::size_t binary : {std::size_t{0}, messages / 2, messages - 1})
        for (const std::uint32_t which : {0U, 1U}) {
            const auto text = std::to_string(binary) + "/" + std::to_string(which);
            std::memcpy(ours.window(binary, which) + window_bytes - text.size(), text.data(), text.size());
            ours.state().slots[binary] = {.size = text.size(), .window = which};
            CHECK(std::memcmp(theirs.window(binary, which) + window_bytes - text.size(), text.data(), text.size()) ==
                  0);
            CHECK(theirs.state().slots[binary].size == text.size());
            CHECK(theirs.state().slots[binary].window == which);
        }
    struct stat status{};
    REQUIRE(::fstat(descriptor, &status) == 0);
    CHECK(status.st_blocks * 512 < 1 << 20);
}
