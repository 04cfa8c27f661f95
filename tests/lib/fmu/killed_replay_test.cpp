// SPDX-License-Identifier: MPL-2.0
// What is left of a replay that was killed: nothing.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fmu/unpacked_model.hpp"
#include "tests/catch.hpp"
#include "tests/lib/fmu/replayed_model.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// TMPDIR for a while.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::filesystem::path& folder)
    {
        if (const char* const before = std::getenv("TMPDIR")) before_ = before;
        ::setenv("TMPDIR", folder.c_str(), 1);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1); }

private:
    std::string before_;
};

template <class Condition>
bool comes_true(Condition&& condition)
{
    for (int i = 0; i < 500 && !condition(); ++i) std::this_thread::sleep_for(10ms);
    return condition();
}

}  // namespace

TEST_CASE("a replay that is killed leaves no process and no folder", "[fmu]")
{
    const auto behaviour = GENERATE("echo", "hang");  // while the model waits, and while it works
    const ScratchFolder folder;
    const TemporaryFolder temporary(folder.path());
    const auto replay_process = ::fork();
    REQUIRE(replay_process >= 0);
    if (replay_process == 0) {
        ReplayedModel replay(test_model(2), options_for({{"behaviour", behaviour}, {"at", "1"}}));
        replay.begin();
        replay.step();
        std::ofstream(folder / "stepped") << "x";
        if (std::string(behaviour) == "hang") replay.step();
        ::pause();
        ::_exit(0);
    }
    REQUIRE(comes_true([&] { return folder.names().contains("stepped"); }));
    CHECK(folder.names().size() == 2);
    ::kill(replay_process, SIGKILL);
    ::waitpid(replay_process, nullptr, 0);
    CHECK(comes_true([&] { return folder.names() == std::set<std::string>{"stepped"}; }));
}

TEST_CASE("a folder that nobody holds is swept up, one in use is not", "[fmu]")
{
    const ScratchFolder folder;
    const TemporaryFolder temporary(folder.path());
    const auto make_old = [](const std::filesystem::path& path) {
        const timeval long_ago[2]{{.tv_sec = 1'000'000'000, .tv_usec = 0}, {.tv_sec = 1'000'000'000, .tv_usec = 0}};
        ::utimes(path.c_str(), long_ago);
    };
    for (const char* const name : {"ositrace-fmu-left00", "ositrace-fmu-new000", "other"})
        std::filesystem::create_directories(folder / name / "binaries");
    make_old(folder / "ositrace-fmu-left00");
    make_old(folder / "other");
    const LockedFolder in_use(fmu::unpack_prefix);
    make_old(in_use.path());
    const LockedFolder another(fmu::unpack_prefix);
    CHECK(folder.names() == std::set<std::string>{"ositrace-fmu-new000", "other", in_use.path().filename().string(),
                                                  another.path().filename().string()});
}
