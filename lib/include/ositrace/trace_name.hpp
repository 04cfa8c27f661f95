// SPDX-License-Identifier: MPL-2.0
// File names: what an extension says, and the names of the OSI standard.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// What the end of a file name says about the contents.
struct TraceExtension {
    std::string_view text;       ///< with dots, compression included: `.osi.zst`; part of the name that was asked about
    std::string_view container;  ///< `length-prefixed`, `mcap`, `text`, `json-lines`: as TraceInfo::container
    std::optional<Encoding> encoding;  ///< empty where the container holds either
    std::string_view compression;      ///< `none`, `zstd`, `lz4`, `gzip`, `xz`: as TraceInfo::compression
    bool is_written = true;            ///< false: such a compression is only read
};

/// The extension of a trace, by its last one or two suffixes, in capital letters too (`.MCAP`); nullopt when no
/// container has it. `file_name` must outlive the result.
[[nodiscard]] OSITRACE_API std::optional<TraceExtension> trace_extension(std::string_view file_name) noexcept;

/// `20210818T150542Z_sv_370_2112_3600_highway.osi`: a name by the standard, taken apart by position. Every part is a
/// hint: names are broken in practice, and the contents decide.
struct TraceName {
    std::string timestamp;            ///< ISO 8601 basic, as written: `20210818T150542Z`
    std::optional<MessageType> type;  ///< empty: `multi`
    std::string osi_version;          ///< digits as written: `370`
    std::string protobuf_version;     ///< digits as written: `32112`
    std::optional<std::uint64_t> frames;
    std::string custom;     ///< may hold underscores, may be empty
    std::string extension;  ///< with dots: `.osi`, `.osi.zst`
};

/// Takes a file name (without folders) apart; nullopt unless timestamp and type code stand in their places. Only
/// position counts:
/// `..._sv_..._my_gt_run.osi` is a SensorView trace. The first part behind them that is no number ends the numbers:
/// from there on everything is the custom name, and what is missing stays empty.
[[nodiscard]] OSITRACE_API std::optional<TraceName> parse_trace_name(std::string_view file_name);

/// Puts a name together. Throws Error (usage) when a part other than the custom name is missing or has another form
/// than above.
[[nodiscard]] OSITRACE_API std::string to_string(const TraceName& name);

/// A time (UTC) as names carry it: `20210818T150542Z`.
[[nodiscard]] OSITRACE_API std::string trace_timestamp(std::chrono::sys_seconds time);

/// The digits of a version, as names carry them: `3.21.12` -> `32112`. There is no way back in general.
[[nodiscard]] OSITRACE_API std::string version_digits(std::string_view version);

/// The OSI version that digits most likely mean: the first is the major, the last the patch version, what stands
/// between the minor one (`370` = 3.7.0, `3100` = 3.10.0). Every OSI release so far has one digit in each place.
/// nullopt when it is not 3 to 6 digits.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> osi_version_from_digits(std::string_view digits) noexcept;

/// The version of libprotobuf that digits most likely mean, of those that were released, as `major.minor.patch`:
/// `32112` = 3.21.12, `361` = 3.6.1, `4244` = 4.24.4. Releases have been counted without the major version since 2022,
/// and names say it so, too: `244` is 24.4, whose libprotobuf is 4.24.4, and `2112` is 3.21.12. nullopt when it is not
/// 3 to 5 digits.
[[nodiscard]] OSITRACE_API std::optional<std::string> protobuf_version_from_digits(std::string_view digits);

/// What somebody writes with dots: `21.12` is release 21.12, whose libprotobuf is 3.21.12; other majors and three parts
/// stay as they are. nullopt when it is not two or three numbers.
[[nodiscard]] OSITRACE_API std::optional<std::string> protobuf_version_of_release(std::string_view text);

/// Do the digits of a name stand for that version, in one of the ways names have of saying it?
[[nodiscard]] OSITRACE_API bool is_protobuf_version(std::string_view digits, std::string_view version);

}  // namespace ositrace
