// SPDX-License-Identifier: MPL-2.0
#include "lib/io/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include <ositrace/pending_output.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

constexpr OutputOptions overwriting{.overwrite = true, .sync = false};
constexpr OutputOptions creating{.overwrite = false, .sync = false};

using Names = std::set<std::string>;

void put(const std::filesystem::path& file, std::string_view contents, OutputOptions options = creating)
{
    OutputFile out(file, options);
    out.write(bytes_of(contents));
    REQUIRE(out.close() == contents.size());
}

struct Umask {
    explicit Umask(mode_t mask) : before(::umask(mask)) {}
    ~Umask() { ::umask(before); }
    mode_t before;
};

mode_t mode_of(const std::filesystem::path& file)
{
    struct stat found{};
    REQUIRE(::stat(file.c_str(), &found) == 0);
    return found.st_mode & 07777;
}

}  // namespace

TEST_CASE("an output appears under its name only when it is closed")
{
    const ScratchFolder folder;
    OutputFile out(folder / "a.osi");
    out.write(bytes_of("12345"));
    out.flush();
    CHECK(folder.names().empty());
    CHECK(out.close() == 5);
    CHECK(folder.names() == Names{"a.osi"});
    CHECK(read_file(folder / "a.osi") == "12345");
}

TEST_CASE("a recording is a visible part until it is closed, and stays one when it is not")
{
    const ScratchFolder folder;
    const OutputOptions recording{.recording = true, .sync = false};
    {
        OutputFile out(folder / "a.osi", recording);
        out.write(bytes_of("12345"));
        out.flush();
        CHECK(folder.names() == Names{"a.osi.part"});
    }
    CHECK(read_file(folder / "a.osi.part") == "12345");
    CHECK(error_of([&] { return OutputFile(folder / "a.osi", recording).size(); }) ==
          (folder / "a.osi").string() +
              ".part exists: a recording that did not end. Save what is in it with 'osiconvert recover', or use "
              "--overwrite to replace it.");
    OutputFile again(folder / "a.osi", {.overwrite = true, .recording = true, .sync = false});
    again.write(bytes_of("67"));
    CHECK(again.close() == 2);
    CHECK(folder.names() == Names{"a.osi"});
    CHECK(read_file(folder / "a.osi") == "67");
}

TEST_CASE("a recording that is being written is replaced by nobody, and never published as another's")
{
    const ScratchFolder folder;
    const OutputOptions recording{.overwrite = true, .recording = true, .sync = false};
    OutputFile first(folder / "a.osi", recording);
    CHECK(error_of([&] { return OutputFile(folder / "a.osi", recording).size(); }) ==
          (folder / "a.osi").string() +
              ".part is being written by another process; choose another name, or wait for its end.");
    std::filesystem::remove(folder / "a.osi.part");
    OutputFile second(folder / "a.osi", recording);
    second.write(bytes_of("67"));
    CHECK(error_of([&] { return first.close(); }) ==
          (folder / "a.osi").string() + ": cannot be finished: its a.osi.part was removed or replaced meanwhile");
    second.close();
    CHECK(read_file(folder / "a.osi") == "67");
}

TEST_CASE("an output that is not closed leaves nothing")
{
    const ScratchFolder folder;
    {
        OutputFile out(folder / "a.osi");
        out.write(bytes_of(std::string(3 << 20, 'x')));
    }
    CHECK(folder.names().empty());
}

TEST_CASE("a process that is killed while it writes leaves nothing")
{
    const ScratchFolder folder;
    const auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        OutputFile out(folder / "a.osi");
        out.write(bytes_of(std::string(3 << 20, 'x')));
        ::raise(SIGKILL);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(folder.names().empty());
}

TEST_CASE("an existing output is refused before anything is written")
{
    const ScratchFolder folder;
    write_file(folder / "a.osi", "old");
    const auto name = (folder / "a.osi").string();
    CHECK(error_of([&] { OutputFile(name, creating); }) == name + " exists. Use --overwrite to replace it.");
    CHECK(read_file(name) == "old");
}

TEST_CASE("a file that took the name meanwhile is not replaced")
{
    const auto temporary = GENERATE(PendingFile::Temporary::unnamed, PendingFile::Temporary::hidden);
    const ScratchFolder folder;
    const auto name = (folder / "a.osi").string();
    {
        PendingFile out(name, false, temporary);
        write_file(name, "old");
        CHECK(error_of([&] { out.publish(false); }) == name + " exists. Use --overwrite to replace it.");
    }
    CHECK(folder.names() == Names{"a.osi"});
    CHECK(read_file(name) == "old");
}

TEST_CASE("an existing output is replaced in one step when that is asked for")
{
    const auto temporary = GENERATE(PendingFile::Temporary::unnamed, PendingFile::Temporary::hidden);
    const ScratchFolder folder;
    write_file(folder / "a.osi", "old");
    PendingFile out(folder / "a.osi", true, temporary);
    REQUIRE(::write(static_cast<int>(out.file().native()), "new", 3) == 3);
    CHECK(read_file(folder / "a.osi") == "old");
    out.publish(true);
    CHECK(read_file(folder / "a.osi") == "new");
    CHECK(folder.names() == Names{"a.osi"});
}

TEST_CASE("a file system without unnamed files sees a hidden one, and nothing of it when it is given up")
{
    const ScratchFolder folder;
    {
        PendingFile out(folder / "a.osi", false, PendingFile::Temporary::hidden);
        REQUIRE(folder.names().size() == 1);
        CHECK(folder.names().begin()->starts_with(".ositrace-"));
    }
    CHECK(folder.names().empty());
    PendingFile out(folder / "a.osi", false, PendingFile::Temporary::hidden);
    out.publish(true);
    CHECK(folder.names() == Names{"a.osi"});
}

TEST_CASE("a hidden file that a killed process left goes when the next one is made, and that of a living one stays")
{
    const ScratchFolder folder;
    PendingFile living(folder / "a.osi", false, PendingFile::Temporary::hidden);
    const auto kept = folder.names();
    const auto child = ::fork();
    if (child == 0) {
        const PendingFile killed(folder / "b.osi", false, PendingFile::Temporary::hidden);
        ::kill(::getpid(), SIGKILL);
    }
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    REQUIRE(folder.names().size() == 2);
    write_file(folder / ".ositrace-notes.tmp", "of somebody else");
    {
        const PendingFile next(folder / "c.osi", false, PendingFile::Temporary::hidden);
        CHECK(folder.names().size() == 3);
    }
    CHECK(folder.names().contains(*kept.begin()));
    CHECK(folder.names().contains(".ositrace-notes.tmp"));
    CHECK(folder.names().size() == 2);
    living.publish(false);
    CHECK(folder.names() == Names{"a.osi", ".ositrace-notes.tmp"});
}

TEST_CASE("a folder gets its name with what is in it, and nothing of it stays when it is given up")
{
    const ScratchFolder folder;
    {
        const PendingOutput out(folder / "frames", PendingOutput::Kind::folder, false);
        write_file(out.path() / "0.png", "a frame");
    }
    CHECK(folder.names().empty());
    PendingOutput out(folder / "frames", PendingOutput::Kind::folder, false);
    write_file(out.path() / "0.png", "a frame");
    CHECK(folder.names().size() == 1);
    CHECK(folder.names().begin()->starts_with(".ositrace-"));
    out.publish();
    CHECK(folder.names() == Names{"frames"});
    CHECK(read_file(folder / "frames/0.png") == "a frame");
    CHECK(error_of([&] { PendingOutput(folder / "frames", PendingOutput::Kind::folder, false); }) ==
          (folder / "frames").string() + " exists. Use --overwrite to replace it.");
}

TEST_CASE("a hidden folder that a killed process left goes when the next output is made")
{
    const ScratchFolder folder;
    const auto child = ::fork();
    if (child == 0) {
        const PendingOutput killed(folder / "frames", PendingOutput::Kind::folder, false);
        write_file(killed.path() / "0.png", "a frame");
        ::kill(::getpid(), SIGKILL);
    }
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    REQUIRE(folder.names().size() == 1);
    PendingOutput next(folder / "a.mp4", PendingOutput::Kind::file, false);
    next.publish();
    CHECK(folder.names() == Names{"a.mp4"});
}

TEST_CASE("what fails while a file is written leaves nothing of it")
{
    const ScratchFolder folder;
    const auto file = folder / "a.csv";
    CHECK_THROWS_AS(write_file(file, false,
                               [](const auto& append) {
                                   append(bytes_of("a row"));
                                   throw Error(Cause::cancelled, "stopped");
                               }),
                    Error);
    CHECK(folder.names().empty());
    write_file(file, false, [](const auto& append) {
        append(bytes_of("a row, "));
        append(bytes_of("and another"));
    });
    CHECK(read_file(file) == "a row, and another");
}

TEST_CASE("the mode of an output is 0666 less the umask")
{
    const auto temporary = GENERATE(PendingFile::Temporary::unnamed, PendingFile::Temporary::hidden);
    const ScratchFolder folder;
    const Umask umask(027);
    PendingFile(folder / "a.osi", false, temporary).publish(false);
    CHECK(mode_of(folder / "a.osi") == 0640);
}

TEST_CASE("a symbolic link is written through and stays")
{
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "real");
    std::filesystem::create_symlink("real/a.osi", folder / "link.osi");
    SECTION("to a file that is there")
    {
        write_file(folder / "real/a.osi", "old");
        put(folder / "link.osi", "new", overwriting);
    }
    SECTION("to nothing") { put(folder / "link.osi", "new"); }
    CHECK(std::filesystem::is_symlink(folder / "link.osi"));
    CHECK(read_file(folder / "real/a.osi") == "new");
}

TEST_CASE("a folder that does not exist is named")
{
    const ScratchFolder folder;
    const auto name = (folder / "none/a.osi").string();
    CHECK(error_of([&] { OutputFile{name}; }) == name + ": folder " + (folder / "none").string() + " does not exist");
    write_file(folder / "file", "");
    const auto below = (folder / "file/a.osi").string();
    CHECK(error_of([&] { OutputFile{below}; }) == below + ": " + (folder / "file").string() + " is not a folder");
}

TEST_CASE("a folder is no output, not even to be replaced")
{
    const ScratchFolder folder;
    for (const auto& name : {folder.path().string(), folder.path().string() + "/"})
        CHECK(error_of([&] { OutputFile(name, overwriting); }) == name + ": Is a directory");
}

TEST_CASE("a full disk is an error that names the output, in the middle and at the end")
{
    const std::string expected = "/dev/full: No space left on device";
    CHECK(error_of([] { OutputFile("/dev/full").write(bytes_of(std::string(2 << 20, 'x'))); }) == expected);
    OutputFile out("/dev/full");
    CHECK(out.in_place());
    out.write(bytes_of("small"));
    CHECK(error_of([&] { out.close(); }) == expected);
}

TEST_CASE("an output is not published after a write that failed")
{
    const ScratchFolder folder;
    const auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {  // the limit is for the process
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto name = (folder / "a.osi").string();
        OutputFile out(name);
        const auto first = error_of([&] { out.write(bytes_of(std::string(200'000, 'x'))); });
        const auto second = error_of([&] { out.close(); });
        const bool as_expected = first == name + ": File too large" && second == name + ": a write failed before";
        ::_exit(as_expected ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(folder.names().empty());
}

TEST_CASE("a pipe that nobody reads any more is an error, not a signal")
{
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    const auto name = "/dev/fd/" + std::to_string(ends[1]);
    OutputFile out(name);
    out.write(bytes_of("x"));
    CHECK(error_of([&] { out.flush(); }) == name + ": Broken pipe");
    ::close(ends[1]);
}

TEST_CASE("a pipe that is full for now is waited for, also when it does not block")
{
    int ends[2];
    REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
    const std::string contents(1 << 20, 'x');
    std::string received;
    std::thread reader([&] {
        std::string piece(5000, '\0');
        while (received.size() < contents.size()) {
            const auto got = ::read(ends[0], piece.data(), piece.size());
            if (got > 0) received.append(piece, 0, static_cast<std::size_t>(got));
        }
    });
    put("/dev/fd/" + std::to_string(ends[1]), contents);
    reader.join();
    CHECK(received == contents);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("a named pipe is written in place")
{
    const ScratchFolder folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    std::string received;
    std::thread reader([&] { received = read_file(folder / "pipe"); });
    put(folder / "pipe", "12345");
    reader.join();
    CHECK(received == "12345");
    CHECK(std::filesystem::is_fifo(folder / "pipe"));
}

TEST_CASE("pieces of every size arrive in order")
{
    const ScratchFolder folder;
    OutputFile out(folder / "a", creating);
    std::string expected;
    for (std::size_t size = 0; size < 4'000'000; size = size * 3 / 2 + 1) {
        const std::string head(size % 7, 'h');
        const std::string body(size, static_cast<char>('a' + size % 26));
        out.write(bytes_of(head), bytes_of(body));
        expected += head + body;
    }
    CHECK(out.size() == expected.size());
    CHECK(out.close() == expected.size());
    CHECK(out.close() == expected.size());
    CHECK(read_file(folder / "a") == expected);
}
