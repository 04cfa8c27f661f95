// SPDX-License-Identifier: MPL-2.0
// The program that `osiplay bench` runs. It is separate because it links the opponents' generated code and their
// libraries.
#include "app/bench/core/machine.hpp"
#include "app/bench/verbs.hpp"

int main(int argc, char** argv)
{
    using namespace ositrace;
    app::Program program;
    program.name = "osiplay bench";
    program.summary = "measures Protobuf, FlatBuffers and ositrace side by side on your own trace";
    program.version = [] { return bench::versions_text(bench::this_machine()) + '\n'; };
    program.commands.push_back(bench::all_bench());
    program.commands.push_back(bench::columns_bench());
    program.commands.push_back(bench::convert_bench());
#ifdef OSITRACE_BENCH_MODELS
    program.commands.push_back(bench::cosim_bench());
    program.commands.push_back(bench::python_bench());
    program.commands.push_back(bench::replay_bench());
#endif
    program.commands.push_back(bench::size_bench());
    program.commands.push_back(bench::structs_bench());
    program.examples = {"all drive.osi --html report.html", "convert drive.osi --html report.html",
                        "convert drive.osi --quick"};
    return app::run_program(program, argc, argv);
}
