// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_summary.hpp>

namespace ositrace {

/// Where a part of a name comes from: the metadata of the trace, its old name, the time of its file, or nowhere.
enum class NameSource : std::uint8_t { metadata, old_name, file_time, assumed };

/// `metadata`, `old_name`, `file_time`, `assumed`
[[nodiscard]] OSITRACE_API std::string_view name_of(NameSource source) noexcept;

/// A name with the sources of the parts that messages do not state.
struct NameByContent : TraceName {
    NameSource timestamp_from = NameSource::assumed;
    NameSource protobuf_version_from = NameSource::assumed;
};

/// The standard's name of a trace, from its content. `file` is what it is called now.
/// Timestamp: creation_time or zero_time of the metadata, else that of the name, else the time of the file. Type: that
/// of all OSI channels, `multi` where they differ. OSI version: the highest in the messages, else that of the name,
/// else of the schema; `multi`: of the metadata. Protobuf version: that of the metadata, else that of the name,
/// else 3.21.12, whose wire form we write. Frames: of the longest OSI channel. Custom name: that of the name; of a name
/// by no standard, all of it. Extension: as it is. Throws Error (mismatch) when there is no OSI channel or the trace is
/// damaged, (usage) when a part cannot be had.
[[nodiscard]] OSITRACE_API NameByContent name_by_content(const TraceSummary& trace, const std::filesystem::path& file);

/// Passes the frames of a source on and notes what name_by_content() wants to know, so that what is written of them
/// needs no second look to get its name. Borrows the source.
class OSITRACE_API NamingSource final : public FrameSource {
public:
    explicit NamingSource(FrameSource& from) : from_(from) {}
    [[nodiscard]] const TraceInfo& info() const noexcept override { return from_.info(); }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return from_.bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return from_.bytes_total(); }

    /// Of the frames so far: channels, how many frames, OSI versions. The rest is empty.
    [[nodiscard]] TraceSummary summary() const;

private:
    FrameSource& from_;
    std::vector<ChannelSummary> seen_;
};

/// Renames a file within its file system. Never overwrites: throws Error (exists), or (io).
OSITRACE_API void rename_trace(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace ositrace
