// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "lib/system/file.hpp"

namespace ositrace::fmu {

/// Reads what a process prints, on a thread of its own, and hands it over line by line; very long lines in pieces.
class LineReader {
public:
    LineReader(FileHandle from, std::function<void(std::string_view line)> take);
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;
    /// What is there already is still handed over.
    ~LineReader();

private:
    void read_all();
    bool read_some();
    void hand_over(bool also_unfinished);

    FileHandle from_;
    FileHandle stop_;
    std::function<void(std::string_view line)> take_;
    std::string text_;
    std::thread thread_;
};

}  // namespace ositrace::fmu
