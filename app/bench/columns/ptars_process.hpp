// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "app/bench/columns/column_variants.hpp"

namespace ositrace::bench {

/// Python with ptars_columns.py, which answers over pipes.
class PtarsProcess {
public:
    /// Empty where this Python cannot be started or lacks a package. `arguments`: those of the script.
    [[nodiscard]] static std::shared_ptr<PtarsProcess> start(const std::string& python,
                                                             const std::vector<std::string>& arguments);
    ~PtarsProcess();
    PtarsProcess(const PtarsProcess&) = delete;
    PtarsProcess& operator=(const PtarsProcess&) = delete;

    /// Makes the arrays of all frames; returns their bytes. Both throw Error (io) when Python has ended.
    std::size_t run();
    void give(const TakeColumn& take);

private:
    using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    PtarsProcess(pid_t child, Stream to, Stream from) : child_(child), to_(std::move(to)), from_(std::move(from)) {}
    void ask(const char* line);
    [[nodiscard]] std::string line();
    void read(void* to, std::size_t bytes);

    pid_t child_;
    Stream to_, from_;
};

}  // namespace ositrace::bench
