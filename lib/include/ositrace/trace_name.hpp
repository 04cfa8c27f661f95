// SPDX-License-Identifier: MPL-2.0
// File names: extensions, and the names of the OSI standard.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/container.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// The extension of a file name, and the contents that it states.
struct TraceExtension {
    std::string text;                  ///< with dots, compression included, as in the file name: `.osi.zst`
    ContainerTraits container;         ///< as TraceInfo::container
    std::optional<Encoding> encoding;  ///< empty where the container holds either
    std::string_view compression;      ///< `none`, `zstd`, `lz4`, `gzip`, `xz`: as TraceInfo::compression
    bool is_written = true;            ///< false: such files are read, not written

    [[nodiscard]] bool is_compressed() const noexcept { return compression != not_compressed; }
};

/// The extension of a trace, by its last one or two suffixes, in capital letters too (`.MCAP`); nullopt when no
/// container has it.
[[nodiscard]] OSITRACE_API std::optional<TraceExtension> trace_extension(std::string_view file_name) noexcept;

/// The extensions without compression, `.osi`, `.osifb`, `.mcap` and those of texts, each written in small letters; for
/// the filter of a dialog.
[[nodiscard]] OSITRACE_API std::vector<TraceExtension> trace_extensions();

/// The parts of a name by the OSI standard, `20210818T150542Z_sv_370_2112_3600_highway.osi`. Every part is a hint: many
/// names in use are wrong, and the contents decide.
struct TraceName {
    std::string timestamp;            ///< ISO 8601 basic, as written: `20210818T150542Z`
    std::optional<MessageType> type;  ///< empty: `multi`
    std::string osi_version;          ///< digits as written: `370`
    std::string protobuf_version;     ///< digits as written: `32112`
    std::optional<std::uint64_t> frames;
    std::string custom;     ///< may hold underscores, may be empty
    std::string extension;  ///< with dots: `.osi`, `.osi.zst`
};

/// Parses a file name without folders by position; nullopt unless it begins with a timestamp and a type code:
/// `..._sv_..._my_gt_run.osi` is a SensorView trace. The first of the following parts that is no number begins the
/// custom name; missing parts are empty.
[[nodiscard]] OSITRACE_API std::optional<TraceName> parse_trace_name(std::string_view file_name);

/// The message type that a file name states: that of a name by the standard, else the only type code or type name among
/// its words: `rec_gt_7.osi`, `run-SensorView.osi`. nullopt: none, or several.
[[nodiscard]] OSITRACE_API std::optional<MessageType> type_in_name(std::string_view file_name);

/// Builds a name from its parts. Throws Error (usage) when a part other than the custom name is missing or has another
/// form than above.
[[nodiscard]] OSITRACE_API std::string to_string(const TraceName& name);

/// A time (UTC) as names state it: `20210818T150542Z`.
[[nodiscard]] OSITRACE_API std::string trace_timestamp(std::chrono::sys_seconds time);

/// The digits of a version, as names state them: `3.21.12` -> `32112`. In general they are ambiguous.
[[nodiscard]] OSITRACE_API std::string version_digits(std::string_view version);

/// The OSI version that digits most likely mean: the first digit is the major, the last the patch version, the digits
/// between them the minor version (`370` = 3.7.0, `3100` = 3.10.0). nullopt unless there are 3 to 6 digits.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> osi_version_from_digits(std::string_view digits) noexcept;

/// The released version of libprotobuf that digits most likely mean, as `major.minor.patch`: `32112` = 3.21.12,
/// `361` = 3.6.1, `300` = 3.0.0, `4244` = 4.24.4. Since 2022 releases have numbers without the major version, and so
/// have names: `244` is release 24.4 (libprotobuf 4.24.4), `2112` is 3.21.12. `3021009` is the value of the macro
/// GOOGLE_PROTOBUF_VERSION of 3.21.9. Three digits that no release has are read one by one; nullopt for other digits.
[[nodiscard]] OSITRACE_API std::optional<std::string> protobuf_version_from_digits(std::string_view digits);

/// The version of libprotobuf of a release number with dots: `21.12` is 3.21.12. Other major versions and versions of
/// three numbers are returned unchanged; nullopt unless there are two or three numbers.
[[nodiscard]] OSITRACE_API std::optional<std::string> protobuf_version_of_release(std::string_view text);

/// Do the digits of a name mean that version, in one of the forms above?
[[nodiscard]] OSITRACE_API bool is_protobuf_version(std::string_view digits, std::string_view version);

}  // namespace ositrace
