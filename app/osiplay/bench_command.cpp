// SPDX-License-Identifier: MPL-2.0
// The benchmarks link generated OSI code, libprotobuf and flatbuffers. They are another program, so that this one need
// not.
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "app/osiplay/commands.hpp"

namespace ositrace::app {
namespace {

constexpr std::string_view needs =
    "the benchmarks were not built: they need Protobuf and FlatBuffers (libprotobuf-dev, protobuf-compiler, "
    "libflatbuffers-dev, "
    "flatbuffers-compiler) and -DOSITRACE_BENCH=ON";

class BenchCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "bench",
                .summary = "measures Protobuf, FlatBuffers and ositrace side by side on your own trace",
                .usage = {"bench VERB [TRACE] [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {},
                .examples = {"bench all drive.osi --html report.html"}};
    }
    void declare(Options&) override {}
    ExitCode run(Messages&) override { return ExitCode::could_not; }  // run_bench() stands in front of the parser
};

/// Beside this program (where it was built), or in the folder that belongs to it (where it was installed).
std::vector<std::filesystem::path> places()
{
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return {folder / "ositrace-bench", folder / OSITRACE_BIN_TO_BENCH / "ositrace-bench"};
}

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<BenchCommand>(); }

bool is_bench(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "bench"; }

int run_bench(int argc, char** argv)
{
    Messages messages("osiplay");
    std::vector<char*> words(argv + 1, argv + argc);
    words.push_back(nullptr);
    for (const auto& program : places()) {
        ::execv(program.c_str(), words.data());
        if (errno == ENOENT) continue;
        messages.error(program.string() + ": " + std::generic_category().message(errno));
        return static_cast<int>(ExitCode::could_not);
    }
    messages.error(needs);
    return static_cast<int>(ExitCode::could_not);
}

}  // namespace ositrace::app
