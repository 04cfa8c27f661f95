// SPDX-License-Identifier: MPL-2.0
// What every implementation of lib/system does. No header of a system, so that each one runs it.
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "lib/system/file.hpp"
#include "lib/system/line_reader.hpp"
#include "lib/system/locked_folder.hpp"
#include "lib/system/output.hpp"
#include "lib/system/pending_file.hpp"
#include "lib/system/process.hpp"
#include "lib/system/processors.hpp"
#include "lib/system/shared_library.hpp"
#include "lib/system/shared_memory.hpp"
#include "lib/system/socket.hpp"
#include "lib/system/stoppable_wait.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

std::string read_text(const FileHandle& file, std::uint64_t offset, std::size_t most)
{
    std::string text(most, '\0');
    text.resize(read_at(file, offset, std::as_writable_bytes(std::span(text)), "text"));
    return text;
}

/// Both ends of a connection.
struct Connection {
    Connection()
    {
        std::error_code error;
        const auto places = resolve_host("127.0.0.1", 0, SocketKind::stream, true, "tcp://127.0.0.1:0");
        const auto listener = open_listening(places.front(), SocketKind::stream, error);
        REQUIRE_FALSE(error);
        const auto address = address_of(listener);
        REQUIRE(address.text() == "127.0.0.1:" + std::to_string(address.port()));
        ours = open_socket(address, SocketKind::stream, error);
        REQUIRE_FALSE(error);
        REQUIRE_FALSE(start_connecting(ours, address));
        StoppableWait wait;
        REQUIRE(wait.wait(listener, Ready::to_read, std::nullopt, {}) == Waited::ready);
        theirs = accept_peer(listener);
        REQUIRE(theirs);
        REQUIRE(wait.wait(ours, Ready::to_write, std::nullopt, {}) == Waited::ready);
        REQUIRE(result_of_connecting(ours).value() == std::error_code());
        use_for_messages(ours);
    }

    Socket ours, theirs;
};

}  // namespace

TEST_CASE("bytes are written and read at offsets, and a file knows its kind, size and identity", "[system]")
{
    const ScratchFolder folder;
    const auto name = folder / "a";
    {
        const auto file = open_to_write(name, false);
        write_at(file, 3, bytes_of("def"), name);
        write_at(file, 0, bytes_of("abc"), name);
    }
    CHECK(error_of([&] { return open_to_write(name, false); }) ==
          name.string() + " exists. Use --overwrite to replace it.");
    const auto file = open_to_read(name);
    CHECK(read_text(file, 1, 100) == "bcdef");
    CHECK(read_text(file, 6, 100).empty());
    const auto status = status_of(file, name);
    CHECK(status.kind == FileKind::regular);
    CHECK(status.bytes == 6);
    CHECK(status.identity == status_of(name)->identity);
    CHECK(status_of(folder.path())->kind == FileKind::folder);
    CHECK_FALSE(status_of(folder / "missing"));
    CHECK(error_of([&] { return open_to_read(folder / "missing"); }) ==
          (folder / "missing").string() + ": " + std::make_error_code(std::errc::no_such_file_or_directory).message());
}

TEST_CASE("a temporary file has no name, and a hole of it is zeros", "[system]")
{
    const ScratchFolder folder;
    const auto file = create_temporary_file(folder.path(), "name", "unpacking");
    write_at(file, 1 << 20, bytes_of("end"), "name");
    set_size(file, (1 << 20) + 5, "name");
    CHECK(read_text(file, (1 << 20) - 2, 100) == std::string("\0\0end\0\0", 7));
    const auto end = end_of_hole(file, 0, (1 << 20) + 5);
    CHECK(end <= 1 << 20);
}

TEST_CASE("a finished file gets its name in one step, and an unfinished one leaves nothing", "[system]")
{
    const ScratchFolder folder;
    const auto name = folder / "a";
    const auto publish = [&](bool overwrite, std::string_view text) {
        PendingFile file(name, overwrite);
        REQUIRE_FALSE(
            write_pieces(file.file(), std::array{bytes_of(text.substr(0, 1)), bytes_of(text.substr(1))}, false));
        file.publish(true);
    };
    publish(false, "first");
    CHECK(read_file(name) == "first");
    CHECK(error_of([&] {
              publish(false, "second");
              return 0;
          }) == name.string() + " exists. Use --overwrite to replace it.");
    publish(true, "third");
    {
        const PendingFile dropped(folder / "b", false);
    }
    CHECK(read_file(name) == "third");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("a wait ends with its deadline or with a stop", "[system]")
{
    StoppableWait wait;
    const auto begun = steady_clock::now();
    CHECK(wait.pause(begun + 20ms, {}) == Waited::timed_out);
    CHECK(steady_clock::now() - begun >= 20ms);
    std::stop_source stop;
    const std::jthread stops([&] {
        std::this_thread::sleep_for(20ms);
        stop.request_stop();
    });
    CHECK(wait.pause(std::nullopt, stop.get_token()) == Waited::stopped);
    CHECK(wait.pause(std::nullopt, stop.get_token()) == Waited::stopped);
    CHECK(wait.pause(steady_clock::now(), {}) == Waited::timed_out);  // the stop before is forgotten
}

TEST_CASE("reading a pipe ends with a stop, and returns what is there", "[system]")
{
    const auto pipe = make_pipe("pipe");
    StoppableWait wait;
    std::array<std::byte, 16> into{};
    std::stop_source stop;
    {
        const std::jthread stops([&] {
            std::this_thread::sleep_for(20ms);
            stop.request_stop();
        });
        CHECK(wait.read(pipe.read, into, stop.get_token(), "pipe") == 0);
    }
    REQUIRE_FALSE(write_pieces(pipe.write, std::array{bytes_of("abc")}, true));
    CHECK(wait.read(pipe.read, into, {}, "pipe") == 3);
}

TEST_CASE("what is written into a pipe is handed over line by line, the last one at the end", "[system]")
{
    auto pipe = make_pipe("pipe");
    std::mutex mutex;
    std::vector<std::string> lines;
    {
        const LineReader reader(std::move(pipe.read), [&](std::string_view line) {
            const std::lock_guard lock(mutex);
            lines.emplace_back(line);
        });
        REQUIRE_FALSE(write_pieces(pipe.write, std::array{bytes_of("one\ntwo\nthr"), bytes_of("ee")}, true));
    }
    CHECK(lines == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("writing into a pipe whose reader has gone is an error", "[system]")
{
    auto pipe = make_pipe("pipe");
    pipe.read.close();
    CHECK(write_pieces(pipe.write, std::array{bytes_of("abc")}, true));
}

TEST_CASE("two ends of a connection exchange bytes and learn of the end", "[system]")
{
    Connection connection;
    std::array<std::byte, 16> into{};
    std::error_code error;
    CHECK(receive_some(connection.theirs, into, error) == 0);
    CHECK(would_block(error));
    error.clear();
    CHECK(send_pieces(connection.ours, std::array{bytes_of("ab"), bytes_of("c")}, error) == 3);
    StoppableWait wait;
    CHECK(wait.wait(connection.theirs, Ready::to_read, std::nullopt, {}) == Waited::ready);
    CHECK(receive_some(connection.theirs, into, error) == 3);
    CHECK(std::memcmp(into.data(), "abc", 3) == 0);
    CHECK(wait.wait(connection.theirs, Ready::to_read, steady_clock::now() + 5ms, {}) == Waited::timed_out);
    end_sending(connection.ours);
    CHECK(wait.wait(connection.theirs, Ready::to_read, std::nullopt, {}) == Waited::ready);
    CHECK(receive_some(connection.theirs, into, error) == 0);
    CHECK_FALSE(error);
}

TEST_CASE("a datagram arrives whole, with the address of its sender", "[system]")
{
    std::error_code error;
    const auto places = resolve_host("127.0.0.1", 0, SocketKind::datagram, true, "udp://127.0.0.1:0");
    const auto receiver = open_listening(places.front(), SocketKind::datagram, error);
    REQUIRE_FALSE(error);
    count_dropped_datagrams(receiver);
    const auto sender = open_socket(places.front(), SocketKind::datagram, error);
    REQUIRE_FALSE(start_connecting(sender, address_of(receiver)));
    CHECK(send_pieces(sender, std::array{bytes_of("head"), bytes_of("body")}, error) == 8);
    StoppableWait wait;
    CHECK(wait.wait(receiver, Ready::to_read, std::nullopt, {}) == Waited::ready);
    std::array<std::byte, 64> into{};
    SocketAddress from;
    std::uint32_t dropped = 0;
    CHECK(receive_datagram(receiver, into, from, dropped, error) == 8);
    CHECK_FALSE(error);
    CHECK(from == address_of(sender));
    CHECK(dropped == 0);
}

TEST_CASE("addresses are numbers or names", "[system]")
{
    CHECK(is_numeric_address("127.0.0.1"));
    CHECK(is_numeric_address("::1"));
    CHECK_FALSE(is_numeric_address("localhost"));
    CHECK(resolve_host("::1", 80, SocketKind::stream, false, "name").front().text() == "[::1]:80");
}

TEST_CASE("who waits for a word of a shared memory is woken", "[system]")
{
    const SharedMemory memory(4096);
    REQUIRE(memory.size() >= 4096);
    auto& word = *new (memory.begin()) std::atomic<std::uint32_t>(0);
    const std::jthread wakes([&] {
        std::this_thread::sleep_for(5ms);
        word = 1;
        memory.wake(word);
    });
    const auto begun = steady_clock::now();
    while (word == 0) memory.wait_while(word, 0, 10s);
    CHECK(steady_clock::now() - begun < 5s);
    CHECK(memory.write(8, "abc", 3) == 3);
    CHECK(std::memcmp(memory.begin() + 8, "abc", 3) == 0);
}

TEST_CASE("memory that is not there is not copied", "[system]")
{
    std::array<std::byte, 4> into{};
    CHECK(copy_readable("abcd", 4, into.data()) == 4);
    CHECK(copy_readable(nullptr, 4, into.data()) == 0);
}

TEST_CASE("a locked folder is removed at its end", "[system]")
{
    std::filesystem::path path;
    {
        const LockedFolder folder("ositrace-test-");
        path = folder.path();
        CHECK(std::filesystem::is_directory(path));
        write_file(path / "a", "a");
    }
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a process knows itself and its machine", "[system]")
{
    CHECK(process_id() != 0);
    CHECK(this_program().filename() == program_name("test_system"));
    CHECK(usable_processors() >= 1);
    CHECK(machine_memory_bytes().value_or(1) > 0);
    CHECK_FALSE(SharedLibrary("no such library"));
    CHECK_FALSE(SharedLibrary::reason().empty());
}
