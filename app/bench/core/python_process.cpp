// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/python_process.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ositrace/error.hpp>

extern char** environ;

namespace ositrace::bench {
namespace {

/// The ends of a pipe, closed on exec.
std::array<int, 2> pipe_ends()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(Cause::io, "no pipe can be made");
    return ends;
}

pid_t spawn(const std::string& python, const char* script, const std::vector<std::string>& arguments, int in, int out)
{
    std::vector<std::string> words{python, "-c", script};
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

}  // namespace

std::shared_ptr<PythonProcess> PythonProcess::start(const std::string& python, const char* script,
                                                    const std::vector<std::string>& arguments)
{
    const auto to = pipe_ends(), from = pipe_ends();
    const auto child = spawn(python, script, arguments, to[0], from[1]);
    ::close(to[0]);
    ::close(from[1]);
    Stream in(::fdopen(to[1], "w"), std::fclose), out(::fdopen(from[0], "r"), std::fclose);
    if (child < 0) return nullptr;
    std::shared_ptr<PythonProcess> process(new PythonProcess(child, std::move(in), std::move(out)));
    return process->line() == "ready" ? process : nullptr;
}

PythonProcess::~PythonProcess()
{
    to_.reset();  // it exits at the end of its input
    from_.reset();
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::size_t PythonProcess::run()
{
    ask("run\n");
    const auto size = line();
    if (size.empty()) throw Error(Cause::io, "Python ended");
    return std::strtoull(size.c_str(), nullptr, 10);
}

void PythonProcess::give(const TakeColumn& take)
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

void PythonProcess::ask(const char* line)
{
    if (std::fputs(line, to_.get()) < 0 || std::fflush(to_.get()) != 0) throw Error(Cause::io, "Python ended");
}

std::string PythonProcess::line()
{
    std::string text;
    for (int c = 0; (c = std::fgetc(from_.get())) != EOF && c != '\n';) text += static_cast<char>(c);
    return text;
}

void PythonProcess::read(void* to, std::size_t bytes)
{
    if (std::fread(to, 1, bytes, from_.get()) != bytes) throw Error(Cause::io, "Python ended");
}

}  // namespace ositrace::bench
