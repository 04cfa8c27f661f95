// SPDX-License-Identifier: MPL-2.0
// A trace that grows while a simulation runs, and gets the standard's name from its content at the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <ositrace/frame.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::fmu {

struct RecordingOptions {
    std::filesystem::path folder;
    std::string name;              ///< of the file; empty: the standard's
    std::string custom_name;       ///< at the end of the standard's name
    std::string protobuf_version;  ///< of the data, as names have it (`2112`); empty: what the name by content says
    std::string extension;         ///< without the first dot; of the standard's name
    WriteOptions write;
};

/// Until close() the file is visible as `.part`, and stays when the process dies. One thread at a time.
class Recording {
public:
    /// Begins with the first channel. Throws what create_trace() throws.
    Recording(RecordingOptions options, const Channel& first);

    /// Of the first channel 0, of those added 1, 2, ... Throws Error.
    void add_channel(const Channel& channel);
    void write(const Frame& frame) { writer_->write(frame); }
    /// Finishes and names the file; returns its name. Throws Error.
    std::filesystem::path close();

private:
    void create(const Channel& first);
    [[nodiscard]] std::filesystem::path give_name() const;

    RecordingOptions options_;
    std::chrono::sys_seconds begin_;
    std::filesystem::path file_;
    std::unique_ptr<TraceWriter> writer_;
};

}  // namespace ositrace::fmu
