// SPDX-License-Identifier: MPL-2.0
#include "lib/system/model_binary.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <elf.h>

namespace ositrace {

namespace {

#if defined(__x86_64__)
constexpr std::array<std::string_view, 2> platforms{"x86_64-linux", "linux64"};
constexpr unsigned this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::array<std::string_view, 2> platforms{"aarch64-linux", "linux-aarch64"};
constexpr unsigned this_machine = EM_AARCH64;
#else
constexpr std::array<std::string_view, 0> platforms{};
constexpr unsigned this_machine = EM_NONE;
#endif

struct MachineRow {
    unsigned number;
    std::string_view name;
};

constexpr std::array machines{
    MachineRow{EM_386, "x86"},         MachineRow{EM_X86_64, "x86-64"}, MachineRow{EM_ARM, "ARM"},
    MachineRow{EM_AARCH64, "AArch64"}, MachineRow{EM_PPC, "PowerPC"},   MachineRow{EM_PPC64, "PowerPC"},
    MachineRow{EM_RISCV, "RISC-V"},    MachineRow{EM_MIPS, "MIPS"},
};

/// `64-bit AArch64`
std::string machine_text(unsigned number, bool is_64_bit)
{
    const auto row = std::ranges::find(machines, number, &MachineRow::number);
    const auto name = row == machines.end() ? "machine " + std::to_string(number) + " of ELF" : std::string(row->name);
    return (is_64_bit ? "64-bit " : "32-bit ") + name;
}

}  // namespace

std::span<const std::string_view> model_platforms() noexcept { return platforms; }

std::string_view library_extension() noexcept { return ".so"; }

std::string why_not_loadable(const std::filesystem::path& library)
{
    constexpr std::size_t header_bytes = 20;  // up to e_machine, which both widths have at the same place
    std::array<char, header_bytes> header{};
    std::ifstream(library, std::ios::binary).read(header.data(), header.size());
    if (std::string_view(header.data(), SELFMAG) != ELFMAG)
        return std::string("is not a Linux library (ELF)") +
               (std::string_view(header.data(), 2) == "MZ" ? " but a Windows library" : "");
    const bool little = header[EI_DATA] == ELFDATA2LSB;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(header[at])); };
    const auto number = little ? byte(18) | byte(19) << 8 : byte(18) << 8 | byte(19);
    const bool is_64_bit = header[EI_CLASS] == ELFCLASS64;
    if (number != this_machine || !is_64_bit || !little)
        return "is built for " + machine_text(number, is_64_bit) + ", this machine is " +
               machine_text(this_machine, true);
    return {};
}

}  // namespace ositrace
