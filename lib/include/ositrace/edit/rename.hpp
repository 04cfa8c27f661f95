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

/// The source of a part of a name: the metadata of the trace, its old name, the time of its file, or a default.
enum class NameSource : std::uint8_t { metadata, old_name, file_time, assumed };

/// `metadata`, `old_name`, `file_time`, `assumed`
[[nodiscard]] OSITRACE_API std::string_view name_of(NameSource source) noexcept;

/// A name with the sources of the parts that messages do not contain.
struct NameByContent : TraceName {
    NameSource timestamp_from = NameSource::assumed;
    NameSource protobuf_version_from = NameSource::assumed;
};

/// The standard name of a trace, from its content. `file` is its current name.
/// Timestamp: creation_time or zero_time of the metadata, else of the current name, else the time of the file. Type: of
/// all OSI channels, `multi` if they differ. OSI version: the highest in the messages or, of a channel whose messages
/// state none, in its metadata, else of the current name, else of the schema; `multi`: of the metadata. Protobuf
/// version: of the metadata, else of the current name, else 3.21.12, whose wire format ositrace writes. Frames: of the
/// longest OSI channel. Custom name: of the current name; all of it if that is not a standard name. Extension:
/// unchanged. Throws Error (mismatch) if there is no OSI channel or the trace is damaged, (usage) if a part cannot be
/// determined.
[[nodiscard]] OSITRACE_API NameByContent name_by_content(const TraceSummary& trace, const std::filesystem::path& file);

/// Forwards the frames of a source and collects what name_by_content() needs, so that a written trace can be named
/// without reading it again. Borrows the source.
class OSITRACE_API NamingSource final : public FrameSource {
public:
    explicit NamingSource(FrameSource& from) : from_(from) {}
    [[nodiscard]] const TraceInfo& info() const noexcept override { return from_.info(); }
    bool read(Frame& frame, std::stop_token stop) override;
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return from_.bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return from_.bytes_total(); }

    /// Channels, numbers of frames and OSI versions of the frames so far. The rest is empty.
    [[nodiscard]] TraceSummary summary() const;

private:
    FrameSource& from_;
    std::vector<ChannelSummary> seen_;
};

/// Renames a file within its file system. Never overwrites: throws Error (exists) or (io).
OSITRACE_API void rename_trace(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace ositrace
