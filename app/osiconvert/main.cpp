// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/commands.hpp"
#include "lib/system/process.hpp"

int main(int argc, char** argv)
{
    using namespace ositrace::app;
    const auto words = ositrace::program_arguments(argc, argv);
    argc = static_cast<int>(words.size());
    argv = words.data();
    Program program;
    program.name = "osiconvert";
    program.summary = "converts and inspects ASAM OSI traces";
    for (const auto make : verbs) program.commands.push_back(make());
    for (const auto* const table : ositrace::traffic_tables()) program.commands.push_back(table_command(*table));
    program.default_command = "convert";
    program.recover = "recover";
    program.examples = {"generate sample.osi", "info sample.osi", "proto2flat sample.osi",
                        "flat2proto sample.osifb again.osi"};
    return run_program(program, argc, argv);
}
