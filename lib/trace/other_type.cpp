// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/other_type.hpp"

#include <ositrace/recognize.hpp>

#include "formats/core/format_name.hpp"

namespace ositrace {

std::optional<std::string> other_type_of(Bytes payload, const Channel& channel)
{
    if (!channel.type || channel.root == nullptr) return std::nullopt;
    const Recognition expected{*channel.type, channel.format};
    const auto others = recognize_other(payload, *channel.schema, expected);
    if (others.empty()) return std::nullopt;
    const auto described = [&](const Recognition& kind) {
        return std::string(row_of(kind.type).name) +
               (kind.format == expected.format ? std::string() : " in " + name_of(kind.format));
    };
    std::string text = "fits ";
    for (std::size_t i = 0; i != others.size(); ++i)
        text += (i == 0 ? "" : i + 1 == others.size() ? " or " : ", ") + described(others[i]);
    return text + ", not " + described(expected);
}

}  // namespace ositrace
