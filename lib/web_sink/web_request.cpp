// SPDX-License-Identifier: MPL-2.0
#include "lib/web_sink/web_request.hpp"

#include <algorithm>
#include <memory>

#include <ositrace/web_page.hpp>

#include "lib/system/process.hpp"
#include "lib/system/socket.hpp"

namespace ositrace::web_sink {

namespace {

constexpr std::string_view text_fields =
    "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";
constexpr std::string_view page_fields =
    "Content-Type: text/html; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
    "Referrer-Policy: no-referrer\r\nContent-Security-Policy: frame-ancestors 'none'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

net::HttpAnswer refusal(unsigned status, std::string why, std::string_view more_fields = {})
{
    return {status, std::string(text_fields).append(more_fields), std::make_shared<const std::string>(why + "\n")};
}

std::string lower(std::string_view text)
{
    std::string all(text);
    for (auto& letter : all)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return all;
}

/// The name in `NAME[:PORT]`, without the brackets of IPv6; empty if that is invalid: it becomes a part of the page.
std::string name_in(std::string_view host)
{
    const bool is_bracketed = host.starts_with('[');
    const auto end = is_bracketed ? host.find(']') : std::min(host.find(':'), host.size());
    if (end == std::string_view::npos) return {};
    const auto name = host.substr(is_bracketed ? 1 : 0, is_bracketed ? end - 1 : end);
    auto port = host.substr(is_bracketed ? end + 1 : end);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!port.empty() && (port.front() != ':' || port.size() > 6 || !std::ranges::all_of(port.substr(1), is_digit)))
        return {};
    const auto is_known = [&](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
               (is_bracketed && c == ':');
    };
    if (name.size() > 253 || !std::ranges::all_of(name, is_known)) return {};
    return lower(name);
}

/// Has no other site: another one could get a name that leads here, and read this page by a browser of this network.
bool is_own(const std::string& name, std::string_view named)
{
    if (name.empty()) return false;
    const auto machine = lower(machine_name());
    const auto first_label = [](const std::string& full) { return full.substr(0, full.find('.')); };
    return name == "localhost" || is_numeric_address(name) || name == lower(named) ||
           (!machine.empty() && (name == machine || name == first_label(machine)));
}

}  // namespace

std::optional<net::HttpAnswer> answer_to(const net::HttpRequest& request, std::string_view named)
{
    if (!is_own(name_in(request.host), named))
        return refusal(421,
                       "This server does not know itself by that name: use its number (127.0.0.1), or start it "
                       "with the name (web://NAME).");
    const auto path = request.target.substr(0, request.target.find('?'));
    if (path != "/" && path != "/frames") return refusal(404, "There is one page here: /");
    if (request.is_upgrade != (path == "/frames")) return refusal(404, "The page is /, and its WebSocket is /frames.");
    if (request.is_upgrade) {
        if (!request.origin.empty() && lower(request.origin) != "http://" + lower(request.host))
            return refusal(403, "A page of another site may not open this WebSocket.");
        return std::nullopt;
    }
    if (request.method != "GET") return refusal(405, "This server answers GET only.", "Allow: GET\r\n");
    return net::HttpAnswer{200, std::string(page_fields),
                           std::make_shared<const std::string>(live_html_page(request.host))};
}

}  // namespace ositrace::web_sink
