// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema.hpp>
#include <ositrace/version.hpp>

#include "app/osiplay/commands.hpp"

namespace {

std::string versions()
{
    const auto osi = ositrace::Schema::built_in()->osi_version();
    return "osiplay " + std::string(ositrace::version()) + "\nOSI schema " + (osi ? osi->to_string() : "of no stated version") + " (built in)\n";
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace ositrace::app;
    Program program;
    program.name = "osiplay";
    program.summary = "replays ASAM OSI traces into sensor models, FMUs, sockets and recordings";
    program.version = versions;
    program.commands.push_back(play_command());
    program.commands.push_back(bench_command());
    if (is_bench(argc, argv)) return run_bench(argc, argv);
    return run_program(program, argc, argv);
}
