// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/commands.hpp"
#include "lib/system/process.hpp"

int main(int argc, char** argv)
{
    using namespace ositrace::app;
    const auto words = ositrace::program_arguments(argc, argv);
    argc = static_cast<int>(words.size());
    argv = words.data();
    Program program;
    program.name = "osiplay";
    program.summary = "replays ASAM OSI traces into sensor models, FMUs, sockets and recordings";
    program.commands.push_back(play_command());
    program.commands.push_back(bench_command());
    if (is_bench(argc, argv)) return run_bench(argc, argv);
    return run_program(program, argc, argv);
}
