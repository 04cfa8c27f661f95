// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstddef>
#include <cstdint>

#include <ositrace/error.hpp>
#include <ositrace/web_page.hpp>

namespace ositrace {

namespace {

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto group = bytes.substr(i, 3);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < group.size() ? static_cast<std::uint8_t>(group[k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += k <= group.size() ? digits[bits >> (18 - 6 * k) & 0x3f] : '=';
    }
    return text;
}

}  // namespace

std::string html_page(std::string_view player, std::string_view data)
{
    constexpr std::string_view place = "@DATA@";
    const auto at = player.find(place);
    if (at == std::string_view::npos) throw Error(Cause::unsupported, "the player has no place for the data");
    std::string page(player.substr(0, at));
    page += base64(data);
    page += player.substr(at + place.size());
    return page;
}

}  // namespace ositrace
