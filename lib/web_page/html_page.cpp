// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/web_page.hpp>

#include "lib/web_page/web_player.hpp"

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

/// `connect`: a directive of its policy.
std::string player_with(std::string_view connect, std::string_view data)
{
    auto rest = text_of(web_player());
    std::string page;
    using Part = std::pair<std::string_view, std::string_view>;
    for (const auto& [place, text] : {Part("@CONNECT@", connect), Part("@DATA@", data)}) {
        const auto at = rest.find(place);
        if (at == std::string_view::npos)
            throw Error(Cause::unsupported, "the player has no place for " + std::string(place));
        page.append(rest.substr(0, at)).append(text);
        rest.remove_prefix(at + place.size());
    }
    return page.append(rest);
}

}  // namespace

std::string html_page(std::string_view data) { return player_with("", base64(data)); }

std::string live_html_page(std::string_view host)
{
    return player_with(" connect-src 'self' ws://" + std::string(host) + ";", "");
}

}  // namespace ositrace
