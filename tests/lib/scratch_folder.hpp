// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "app/bench/core/scratch_folder.hpp"

/// A folder of a test's own, gone with it.
class ScratchFolder : public ositrace::bench::ScratchFolder {
public:
    ScratchFolder() : ositrace::bench::ScratchFolder(std::filesystem::temp_directory_path()) {}

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path() / name; }

    /// Everything in it, hidden files as well.
    [[nodiscard]] std::set<std::string> names() const
    {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            found.insert(entry.path().filename().string());
        return found;
    }
};

inline void write_file(const std::filesystem::path& file, const std::string& contents)
{
    std::ofstream(file, std::ios::binary) << contents;
}

inline std::string read_file(const std::filesystem::path& file)
{
    std::ostringstream contents;
    contents << std::ifstream(file, std::ios::binary).rdbuf();
    return std::move(contents).str();
}
