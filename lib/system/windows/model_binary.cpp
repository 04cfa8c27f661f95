// SPDX-License-Identifier: MPL-2.0
#include "lib/system/model_binary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

#include "lib/system/windows/native.hpp"

namespace ositrace {

namespace {

constexpr std::array<std::string_view, 2> platforms{"x86_64-windows", "win64"};

struct MachineRow {
    unsigned number;
    std::string_view name;
};

constexpr std::array machines{
    MachineRow{IMAGE_FILE_MACHINE_I386, "32-bit x86"},
    MachineRow{IMAGE_FILE_MACHINE_AMD64, "64-bit x86-64"},
    MachineRow{IMAGE_FILE_MACHINE_ARMNT, "32-bit ARM"},
    MachineRow{IMAGE_FILE_MACHINE_ARM64, "64-bit AArch64"},
};

}  // namespace

std::span<const std::string_view> model_platforms() noexcept { return platforms; }
std::string_view library_extension() noexcept { return ".dll"; }

std::string why_not_loadable(const std::filesystem::path& library)
{
    std::ifstream file(library, std::ios::binary);
    IMAGE_DOS_HEADER begin{};
    file.read(reinterpret_cast<char*>(&begin), sizeof begin);
    const std::string_view magic(reinterpret_cast<const char*>(&begin), 4);
    if (!magic.starts_with("MZ"))
        return std::string("is not a Windows library (PE)") + (magic == "\x7f"
                                                                        "ELF"
                                                                   ? " but a Linux library"
                                                                   : "");
    std::uint32_t signature = 0;
    IMAGE_FILE_HEADER header{};
    file.seekg(begin.e_lfanew);
    file.read(reinterpret_cast<char*>(&signature), sizeof signature);
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    if (!file || signature != IMAGE_NT_SIGNATURE) return "is not a Windows library (PE)";
    if (header.Machine == IMAGE_FILE_MACHINE_AMD64) return {};
    const auto row = std::ranges::find(machines, header.Machine, &MachineRow::number);
    const auto name =
        row == machines.end() ? "machine " + std::to_string(header.Machine) + " of PE" : std::string(row->name);
    return "is built for " + name + ", this program is 64-bit x86-64";
}

}  // namespace ositrace
