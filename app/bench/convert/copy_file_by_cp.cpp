// SPDX-License-Identifier: MPL-2.0
// The yardstick of files: the program `cp`, its start included.
#include <cerrno>
#include <string>

#include <spawn.h>
#include <sys/wait.h>

#include <ositrace/error.hpp>

#include "app/bench/convert/file_variants.hpp"

extern char** environ;

namespace ositrace::bench {
namespace {

void run_cp(std::string from, std::string to)
{
    std::string program = "cp", end_of_options = "--";
    char* words[] = {program.data(), end_of_options.data(), from.data(), to.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    if (::posix_spawnp(&child, "cp", nullptr, nullptr, words, environ) != 0)
        throw Error(Cause::io, "cp cannot be started");
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) throw Error(Cause::io, "cp failed");
}

}  // namespace

Variant copy_file_by_cp(const FileTask& task)
{
    const auto out = task.output("cp");
    const auto copy = [in = task.in, out] {
        run_cp(in.string(), out.string());
        return static_cast<std::size_t>(std::filesystem::file_size(out));
    };
    return {
        .name = "cp of the input", .what = "the program cp, its start included", .role = Role::yardstick, .run = copy};
}

}  // namespace ositrace::bench
