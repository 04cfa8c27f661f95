// SPDX-License-Identifier: MPL-2.0
// The benchmarks link generated OSI code, libprotobuf and flatbuffers, so they are a separate program.
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/osiplay/commands.hpp"
#include "lib/system/process.hpp"

namespace ositrace::app {
namespace {

constexpr std::string_view needs =
    "the benchmarks are not built: they require Protobuf and FlatBuffers (libprotobuf-dev, protobuf-compiler, "
    "libflatbuffers-dev, "
    "flatbuffers-compiler) and -DOSITRACE_BENCH=ON";

class BenchHelp final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "bench",
                .summary = "compare Protobuf, FlatBuffers and ositrace on your own trace",
                .usage = {"bench VERB [TRACE] [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {},
                .examples = {"bench all drive.osi --html report.html"},
                .is_program = true};
    }
    void declare(Options&) override {}
    ExitCode run(Messages&) override { return ExitCode::failed; }  // run_bench() runs before the parser
};

/// Next to this program in a build folder, or in its libexec folder when installed.
std::vector<std::filesystem::path> places()
{
    const auto folder = this_program().parent_path();
    const auto name = program_name("ositrace-bench");
    return {folder / name, folder / OSITRACE_BIN_TO_BENCH / name};
}

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<BenchHelp>(); }

bool is_bench(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "bench"; }

int run_bench(int argc, char** argv)
{
    Messages messages("osiplay");
    const std::span<char* const> words(argv + 1, argv + argc);
    for (const auto& program : places()) {
        const auto error = run_instead(program, words);
        if (error == std::errc::no_such_file_or_directory) continue;
        messages.error(program.string() + ": " + error.message());
        return static_cast<int>(ExitCode::failed);
    }
    messages.error(needs);
    return static_cast<int>(ExitCode::failed);
}

}  // namespace ositrace::app
