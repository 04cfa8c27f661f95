// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

/// A folder of a test's own, gone with it.
class ScratchFolder {
public:
    ScratchFolder()
    {
        auto name = (std::filesystem::temp_directory_path() / "ositrace-test-XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder()
    {
        std::error_code none;
        std::filesystem::remove_all(path_, none);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    /// Everything in it, hidden files as well.
    [[nodiscard]] std::set<std::string> names() const
    {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) found.insert(entry.path().filename().string());
        return found;
    }

private:
    std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path& file, const std::string& contents)
{
    std::ofstream(file, std::ios::binary) << contents;
}

inline std::string read_file(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
