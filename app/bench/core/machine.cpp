// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/utsname.h>
#include <unistd.h>

#include <flatbuffers/base.h>
#include <google/protobuf/stubs/common.h>
#include <lz4.h>
#include <zstd.h>

#include <ositrace/version.hpp>

#include "app/bench/core/round.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
    return "unknown processor";
}

std::string system_name()
{
    utsname name{};
    ::uname(&name);
    return std::string(name.sysname) + ' ' + name.release + ' ' + name.machine;
}

double load_average()
{
    double load = 0;
    return ::getloadavg(&load, 1) == 1 ? load : 0;
}

std::string flatbuffers_version()
{
    return std::to_string(FLATBUFFERS_VERSION_MAJOR) + '.' + std::to_string(FLATBUFFERS_VERSION_MINOR) + '.' +
           std::to_string(FLATBUFFERS_VERSION_REVISION);
}

/// The word for a shell: unchanged if possible, else in quotes.
std::string quoted_word(const std::string& word)
{
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

std::vector<Machine::Version> versions()
{
    return {{"ositrace", std::string(version()) + (is_debug_build ? " (DEBUG)" : " (optimised)")},
            {"libprotobuf", google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION)},
            {"flatbuffers", flatbuffers_version()},
            {"lz4", LZ4_versionString()},
            {"zstd", ZSTD_versionString()},
            {"compiler", __VERSION__}};
}

}  // namespace

Machine this_machine()
{
    Machine machine;
    machine.processor = processor_name();
    machine.cores = std::thread::hardware_concurrency();
    machine.memory_bytes =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    machine.system = system_name();
    machine.load = load_average();
    machine.thread_clock_overhead_ns = clock_overhead(Clock::thread);
    machine.wall_clock_overhead_ns = clock_overhead(Clock::wall);
    machine.versions = versions();
    return machine;
}

std::string own_command_line()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string word, text = "osiplay bench";
    std::getline(file, word, '\0');  // the program
    while (std::getline(file, word, '\0')) text += ' ' + quoted_word(word);
    return text;
}

std::string machine_text(const Machine& machine)
{
    return machine.processor + ", " + app::count_text(machine.cores, "core") + ", " +
           app::bytes_text(machine.memory_bytes) + ", " + machine.system;
}

std::string versions_text(const Machine& machine)
{
    std::string text;
    for (const auto& [name, version] : machine.versions) text += (text.empty() ? "" : ", ") + name + ' ' + version;
    return text;
}

std::string conditions_text(const Machine& machine)
{
    auto text = "clock overhead " + app::decimal_text(machine.thread_clock_overhead_ns, 0) + " ns (processor time), " +
                app::decimal_text(machine.wall_clock_overhead_ns, 0) + " ns (wall)";
    if (machine.load > 0.5)
        text += "; the machine was busy with other work (load " + app::decimal_text(machine.load, 1) +
                "): trust minima and ratios, not single times";
    return text;
}

}  // namespace ositrace::bench
