// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/other_kinds.hpp"

#include <algorithm>
#include <array>

namespace ositrace {

namespace {

struct OtherKind {
    std::string_view magic;
    std::string_view what;
};

using namespace std::string_view_literals;

/// What lies beside traces, or is one behind an unpacking.
constexpr std::array kinds{
    OtherKind{"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    OtherKind{"7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive; unpack it first"},
    OtherKind{"Rar!\x1a\x07"sv, "a RAR archive; unpack it first"},
    OtherKind{"BZh"sv, "compressed by bzip2; unpack it first"},
    OtherKind{"#ROSBAG"sv, "a ROS bag"},
    OtherKind{"SQLite format 3\0"sv, "an SQLite database, as ROS 2 bags are"},
    OtherKind{"MDF     "sv, "an ASAM MDF measurement"},
    OtherKind{"\xff\xfe"sv, "text in UTF-16; save it as UTF-8"},
    OtherKind{"\xfe\xff"sv, "text in UTF-16; save it as UTF-8"},
    OtherKind{"\x89PNG\r\n\x1a\n"sv, "a PNG picture"},
    OtherKind{"\xff\xd8\xff"sv, "a JPEG picture"},
    OtherKind{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
};

}  // namespace

std::string_view other_kind(Bytes front) noexcept
{
    const auto text = text_of(front);
    const auto* const found =
        std::ranges::find_if(kinds, [&](const OtherKind& kind) { return text.starts_with(kind.magic); });
    return found == kinds.end() ? std::string_view() : found->what;
}

}  // namespace ositrace
