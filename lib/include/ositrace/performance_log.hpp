// SPDX-License-Identifier: MPL-2.0
// Times of the stages of a model's steps: the log format of the field's performance studies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// The points in a step whose time is logged; the numbers are those of the log's EventTypes.
enum class PerformanceEvent : std::uint8_t {
    start_source_calculation = 0,
    start_serialize = 1,
    stop_serialize = 2,
    start_deserialize = 3,
    stop_deserialize = 4,
};

struct PerformanceLogOptions {
    std::string model_identity;         ///< who writes it: `OSMPDummySource Flatbuf`
    std::vector<std::string> messages;  ///< full names, `osi3.SensorView`; an event names one by its place here
    bool overwrite = false;             ///< replace an existing file
};

/// Writes the JSON of the OSI performance studies (format 1.0.0-beta) incrementally, in constant memory: add() costs a
/// clock reading and a line of text. A regular file is complete JSON after every write, so that of a process that dies
/// the last second at most is missing. One thread at a time; needs no player, so that FMUs use it as well.
class OSITRACE_API PerformanceLog {
public:
    /// Throws Error (exists, io) naming the file; `-` is standard output.
    PerformanceLog(const std::filesystem::path& file, const PerformanceLogOptions& options);
    PerformanceLog(PerformanceLog&&) noexcept;
    PerformanceLog& operator=(PerformanceLog&&) noexcept;
    /// Closes; an error on the way is lost.
    ~PerformanceLog();

    /// An event that is happening now, by the system's clock. `message`: its place in PerformanceLogOptions::messages.
    /// `size_value_reference`: the FMI value reference of the `.size` variable, 0 if there is none. Throws Error (io).
    void add(PerformanceEvent event, Nanoseconds simulation_time, std::uint32_t message,
             std::uint32_t size_value_reference, std::uint64_t message_bytes);
    /// One that happened at `global_time`, nanoseconds since 1970.
    void add(PerformanceEvent event, Nanoseconds global_time, Nanoseconds simulation_time, std::uint32_t message,
             std::uint32_t size_value_reference, std::uint64_t message_bytes);
    /// Writes what is left. Once; what is added afterwards is lost. Throws Error (io).
    void close();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
