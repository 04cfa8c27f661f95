// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema.hpp>
#include <ositrace/version.hpp>

#include "app/osiconvert/commands.hpp"

namespace {

std::string versions()
{
    const auto osi = ositrace::Schema::built_in()->osi_version();
    return "osiconvert " + std::string(ositrace::version()) + "\nOSI schema " + (osi ? osi->to_string() : "of no stated version") +
           " (built in)\n";
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace ositrace::app;
    Program program;
    program.name = "osiconvert";
    program.summary = "converts and inspects ASAM OSI traces";
    program.version = versions;
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
    program.commands.push_back(schema_command());
    program.commands.push_back(generate_command());
    program.default_command = "convert";
    program.examples = {"generate sample.osi", "info sample.osi", "proto2flat sample.osi", "flat2proto sample.osifb again.osi"};
    return run_program(program, argc, argv);
}
