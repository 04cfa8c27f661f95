// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "lib/system/file.hpp"

namespace ositrace {

/// Two ends of a pipe, which no child process inherits but ChildProcess. Throws Error (io) with `doing`.
struct Pipe {
    FileHandle read, write;
};
[[nodiscard]] Pipe make_pipe(std::string_view doing);

/// Reads what a process prints into a pipe, on a thread of its own, and hands it over line by line; very long lines in
/// pieces.
class LineReader {
public:
    LineReader(FileHandle from, std::function<void(std::string_view line)> take);
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;
    /// What is there already is still handed over. A process may keep the other end open forever.
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

}  // namespace ositrace
