// SPDX-License-Identifier: MPL-2.0
// Numbers over time as CSV: what a model's scalar outputs were in each step.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// Writes a header and a line per step: the time in seconds and a column per value, quoted as in RFC 4180. Until
/// close() the file is a `.part`, which stays when the process dies. One thread at a time.
class OSITRACE_API ValueLog {
public:
    /// Throws Error (exists, io) naming the file; `-` is standard output.
    ValueLog(const std::filesystem::path& file, std::span<const std::string> columns, bool overwrite);
    ValueLog(ValueLog&&) noexcept;
    ValueLog& operator=(ValueLog&&) noexcept;
    ~ValueLog();

    /// `values`: one for each column. Throws Error (io).
    void write(Nanoseconds time, std::span<const double> values);
    /// Gives the file its name. Throws Error (io).
    void close();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
