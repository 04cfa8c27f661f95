// SPDX-License-Identifier: MPL-2.0
// Protobuf to Arrow by the PyPI package ptars, in a Python process; the frames are in its memory before it is timed.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/scratch_folder.hpp"
#include "bench_ptars_script.hpp"

extern char** environ;

namespace ositrace::bench {
namespace {

/// Python with ptars_columns.py, which answers over pipes.
class PtarsProcess {
public:
    /// Empty if this Python cannot be started or lacks a package. `arguments`: those of the script.
    [[nodiscard]] static std::shared_ptr<PtarsProcess> start(const std::string& python,
                                                             const std::vector<std::string>& arguments);
    ~PtarsProcess();
    PtarsProcess(const PtarsProcess&) = delete;
    PtarsProcess& operator=(const PtarsProcess&) = delete;

    /// Creates the arrays of all frames; returns their size in bytes. Both throw Error (io) if Python has ended.
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

/// The ends of a pipe, closed on exec.
std::array<int, 2> pipe_ends()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(Cause::io, "no pipe can be made");
    return ends;
}

pid_t spawn(const std::string& python, const std::vector<std::string>& arguments, int in, int out)
{
    std::vector<std::string> words{python, "-c", ptars_script};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                       0);  // we report a missing package ourselves
    pid_t child = 0;
    const int failed = ::posix_spawnp(&child, python.c_str(), &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    return failed != 0 ? -1 : child;
}

std::shared_ptr<PtarsProcess> PtarsProcess::start(const std::string& python, const std::vector<std::string>& arguments)
{
    const auto to = pipe_ends(), from = pipe_ends();
    const auto child = spawn(python, arguments, to[0], from[1]);
    ::close(to[0]);
    ::close(from[1]);
    Stream in(::fdopen(to[1], "w"), std::fclose), out(::fdopen(from[0], "r"), std::fclose);
    if (child < 0) return nullptr;
    std::shared_ptr<PtarsProcess> process(new PtarsProcess(child, std::move(in), std::move(out)));
    return process->line() == "ready" ? process : nullptr;
}

PtarsProcess::~PtarsProcess()
{
    to_.reset();  // it exits at the end of its input
    from_.reset();
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::size_t PtarsProcess::run()
{
    ask("run\n");
    const auto size = line();
    if (size.empty()) throw Error(Cause::io, "Python ended");
    return std::strtoull(size.c_str(), nullptr, 10);
}

void PtarsProcess::give(const TakeColumn& take)
{
    ask("give\n");
    constexpr auto end = UINT64_MAX;
    std::vector<double> column;
    while (true) {
        std::uint64_t length = 0;
        read(&length, sizeof length);
        if (length == end) return;
        column.resize(length);
        read(column.data(), column.size() * sizeof(double));
        take(column);
    }
}

void PtarsProcess::ask(const char* line)
{
    if (std::fputs(line, to_.get()) < 0 || std::fflush(to_.get()) != 0) throw Error(Cause::io, "Python ended");
}

std::string PtarsProcess::line()
{
    std::string text;
    for (int c = 0; (c = std::fgetc(from_.get())) != EOF && c != '\n';) text += static_cast<char>(c);
    return text;
}

void PtarsProcess::read(void* to, std::size_t bytes)
{
    if (std::fread(to, 1, bytes, from_.get()) != bytes) throw Error(Cause::io, "Python ended");
}

void write_schema(const std::filesystem::path& file)
{
    const auto schema = Schema::built_in()->descriptor_set();
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(schema.data()), static_cast<std::streamsize>(schema.size()));
}

}  // namespace

std::optional<Variant> ptars_columns(const Sample& sample, const Elements& elements, const std::string& python,
                                     const std::filesystem::path& scratch)
{
    const ScratchFolder folder(scratch);
    const auto trace = write_frames(folder.path() / "frames.osi", sample, {}), schema = folder.path() / "schema.desc";
    write_schema(schema);
    auto path = std::string(elements.sensors) + '.' + std::string(elements.elements);
    if (!elements.parent.empty()) path = std::string(elements.parent) + '.' + path;
    std::vector<std::string> arguments{trace.string(), schema.string(), std::string(row_of(elements.message).full_name),
                                       path};
    arguments.insert(arguments.end(), elements.columns.begin(), elements.columns.end());
    const auto process = PtarsProcess::start(python, arguments);
    if (!process) return std::nullopt;
    return Variant{
        .name = "ptars",
        .what = "Python: frames to Arrow record batches, the columns as numpy arrays",
        .role = Role::other,
        .run = [process] { return process->run(); },
        .answer =
            [process](Answer& answer) { process->give([&](std::span<const double> column) { answer.add(column); }); }};
}

}  // namespace ositrace::bench
