// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/commands.hpp"

int main(int argc, char** argv)
{
    using namespace ositrace::app;
    Program program;
    program.name = "osiconvert";
    program.summary = "converts and inspects ASAM OSI traces";
    program.commands.push_back(proto2flat_command());
    program.commands.push_back(flat2proto_command());
    program.commands.push_back(convert_command());
    program.commands.push_back(info_command());
    program.commands.push_back(stats_command());
    program.commands.push_back(cat_command());
    program.commands.push_back(cut_command());
    program.commands.push_back(concat_command());
    program.commands.push_back(split_command());
    program.commands.push_back(static_command());
    program.commands.push_back(wrap_command());
    program.commands.push_back(rename_command());
    program.commands.push_back(diff_command());
    program.commands.push_back(check_command());
    program.commands.push_back(recover_command());
    program.commands.push_back(catalog_command());
    program.commands.push_back(schema_command());
    program.commands.push_back(generate_command());
    program.default_command = "convert";
    program.recover = "recover";
    program.examples = {"generate sample.osi", "info sample.osi", "proto2flat sample.osi",
                        "flat2proto sample.osifb again.osi"};
    return run_program(program, argc, argv);
}
