// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_address.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/network_framing.hpp>

#include "lib/net/transports.hpp"
#include "lib/trace/near_word.hpp"

namespace ositrace {

namespace net {

namespace {

constexpr std::array rows{
    TransportRow{"zmq+push", Transport::zmq_push, 0, true, true, false, true, "", open_sink<make_zmq_push>, nullptr},
    TransportRow{"zmq+pub", Transport::zmq_pub, 0, true, true, false, true, "", open_sink<make_zmq_pub>, nullptr},
    TransportRow{"zmq+pull", Transport::zmq_pull, 0, true, true, false, true, "", nullptr, open_source<make_zmq_pull>},
    TransportRow{"zmq+sub", Transport::zmq_sub, 0, true, true, false, true, "", nullptr, open_source<make_zmq_sub>},
    TransportRow{"tcp", Transport::tcp, 0, true, false, false, true, "", open_sink<make_tcp_sender>,
                 open_source<make_tcp_receiver>},
    TransportRow{"udp", Transport::udp, 48198, false, false, true, false, "", open_sink<make_udp_sender>,
                 open_source<make_udp_receiver>},
    TransportRow{"foxglove", Transport::foxglove, 8765, false, true, false, true, "127.0.0.1", open_foxglove_sink,
                 open_foxglove_source},
    TransportRow{"web", Transport::web, 8080, false, true, false, true, "127.0.0.1", refuse_web_sink, nullptr},
};

constexpr std::string_view mark = "://";

[[noreturn]] void refuse(std::string_view text, const std::string& why)
{
    throw Error(Cause::usage, "'" + std::string(text) + "': " + why);
}

const TransportRow& parse_transport(std::string_view text)
{
    const auto word = text.substr(0, text.find(mark));
    const auto row = std::ranges::find(rows, word, &TransportRow::word);
    if (row != rows.end()) return *row;
    std::string list;
    std::vector<std::string> known;
    for (const auto& each : rows) {
        list.append(list.empty() ? "" : ", ").append(each.word).append(mark);
        known.emplace_back(each.word);
    }
    refuse(text, "unknown transport '" + std::string(word) + "' (known: " + list + ")" + did_you_mean(word, known));
}

/// Removes HOST from the front of `rest`.
std::string take_host(std::string_view text, std::string_view& rest, const TransportRow& row)
{
    if (!row.default_host.empty() && (rest.empty() || rest.starts_with(':'))) return std::string(row.default_host);
    const bool bracketed = rest.starts_with('[');
    const auto end = bracketed ? rest.find(']') : std::min(rest.find(':'), rest.size());
    if (end == rest.npos) refuse(text, "the bracket of the IPv6 address is not closed");
    std::string host(rest.substr(bracketed ? 1 : 0, bracketed ? end - 1 : end));
    rest.remove_prefix(bracketed ? end + 1 : end);
    if (host.empty()) refuse(text, "no host, expected a name, an address, or * for all interfaces");
    if (!bracketed && rest.find(':', 1) != rest.npos) refuse(text, "write an IPv6 address in brackets: [::1]:5000");
    return host;
}

std::uint16_t parse_port(std::string_view text, std::string_view rest, const TransportRow& row)
{
    if (rest.empty() && row.default_port != 0) return row.default_port;
    if (rest.empty()) refuse(text, "no port, expected HOST:PORT");
    std::uint16_t port = 0;
    const auto digits = rest.starts_with(':') ? rest.substr(1) : std::string_view{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
        refuse(text, "'" + std::string(rest.substr(rest.starts_with(':') ? 1 : 0)) +
                         "' is not a port (1 to 65535, or 0 for a free one)");
    return port;
}

double parse_number(std::string_view text, std::string_view value, double most, std::string_view what)
{
    double number = -1;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || !(number >= 0 && number <= most))
        refuse(text, "'" + std::string(value) + "' is not " + std::string(what));
    return number;
}

void parse_wait(std::string_view text, std::string_view value, NetworkAddress& address)
{
    const auto seconds = parse_number(text, value, 1e6, "a time to wait (seconds, 0 to 1000000)");
    address.wait = std::chrono::milliseconds(std::llround(seconds * 1000));
}

void parse_pace(std::string_view text, std::string_view value, NetworkAddress& address)
{
    const auto megabytes = parse_number(text, value, 1e5, "a pace (MB per second, 0 to 100000; 0: no pauses)");
    address.pace = static_cast<std::uint64_t>(std::ceil(megabytes * 1e6));  // 0 only if it was typed
}

/// From `least` to `most`; `what`: `a size of a part`.
std::size_t parse_count(std::string_view text, std::string_view value, std::size_t least, std::size_t most,
                        std::string_view what)
{
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error != std::errc{} || end != value.data() + value.size() || count < least || count > most)
        refuse(text, "'" + std::string(value) + "' is not " + std::string(what));
    return count;
}

void parse_part(std::string_view text, std::string_view value, NetworkAddress& address)
{
    address.part_bytes = parse_count(text, value, 1, max_part_bytes,
                                     "a size of a part (1 to " + std::to_string(max_part_bytes) + " bytes)");
}

void parse_points(std::string_view text, std::string_view value, NetworkAddress& address)
{
    address.points_per_cloud =
        parse_count(text, value, 0, 100'000, "a number of points of a cloud (0 to 100000; 0: none)");
}

void parse_parts(std::string_view text, std::string_view value, NetworkAddress& address)
{
    if (value != "topic") refuse(text, "'" + std::string(value) + "' is unknown, expected topic");
    address.topic_parts = true;
}

void parse_subscribers(std::string_view text, std::string_view value, NetworkAddress& address)
{
    const auto count = parse_count(text, value, 1, 1'000'000, "a number of subscribers (1 to 1000000)");
    address.subscribers = static_cast<std::uint32_t>(count);
}

void parse_static(std::string_view text, std::string_view value, NetworkAddress& address)
{
    if (value != "expand") refuse(text, "'" + std::string(value) + "' is unknown, expected expand");
    address.expand_static = true;
}

void parse_from(std::string_view text, std::string_view value, NetworkAddress& address)
{
    if (value != "model") refuse(text, "'" + std::string(value) + "' is unknown, expected model");
    address.from_models = true;
}

/// The options after the `?`.
struct OptionRow {
    std::string_view name;
    std::string_view value;  ///< the text after `=`; empty: none
    bool (*known)(const TransportRow&);
    void (*parse)(std::string_view text, std::string_view value, NetworkAddress&);
};

void set_listen(std::string_view, std::string_view, NetworkAddress& address) { address.listen = true; }
void set_connect(std::string_view, std::string_view, NetworkAddress& address) { address.listen = false; }
void set_one_subscriber(std::string_view, std::string_view, NetworkAddress& address) { address.subscribers = 1; }
void set_flatbuffers(std::string_view, std::string_view, NetworkAddress& address) { address.flatbuffers = true; }

constexpr bool may_listen(const TransportRow& row) { return row.may_listen; }
constexpr bool sends(const TransportRow& row) { return row.open_sink != nullptr; }
constexpr bool may_wait(const TransportRow& row) { return row.knows_receivers && sends(row); }
constexpr bool is_web(const TransportRow& row) { return row.transport == Transport::web; }
constexpr bool is_foxglove(const TransportRow& row) { return row.transport == Transport::foxglove; }
constexpr bool counts_subscribers(const TransportRow& row)
{
    return row.transport == Transport::zmq_pub || is_foxglove(row) || is_web(row);
}
constexpr bool sends_zmq(const TransportRow& row)
{
    return row.transport == Transport::zmq_pub || row.transport == Transport::zmq_push;
}
constexpr bool is_udp(const TransportRow& row) { return row.transport == Transport::udp; }

constexpr std::array options{
    OptionRow{"listen", "", may_listen, set_listen},
    OptionRow{"connect", "", may_listen, set_connect},
    OptionRow{"wait", "SECONDS", may_wait, parse_wait},
    OptionRow{"subscribers", "", counts_subscribers, set_one_subscriber},
    OptionRow{"subscribers", "N", counts_subscribers, parse_subscribers},
    OptionRow{"parts", "topic", sends_zmq, parse_parts},
    OptionRow{"part", "BYTES", is_udp, parse_part},
    OptionRow{"pace", "MB_PER_SECOND", is_udp, parse_pace},
    OptionRow{"flatbuffers", "", is_foxglove, set_flatbuffers},
    OptionRow{"static", "expand", is_foxglove, parse_static},
    OptionRow{"points", "N", is_web, parse_points},
    OptionRow{"from", "model", sends, parse_from},
};

/// `wait=SECONDS`
std::string form_of(const OptionRow& row, std::string_view value)
{
    return std::string(row.name) + (row.value.empty() ? "" : "=") + std::string(row.value.empty() ? "" : value);
}

/// The option that is meant by a misspelt one, or by one that lacks its value or has one too many.
std::string did_you_mean_option(std::string_view name, const std::optional<std::string_view>& value,
                                const std::vector<OptionRow>& known)
{
    std::vector<std::string> names;
    for (const auto& each : known) names.emplace_back(each.name);
    const auto near = nearest_word(name, names);
    const OptionRow* meant = nullptr;
    for (const auto& each : known)
        if (each.name == near && (meant == nullptr || each.value.empty() != value.has_value())) meant = &each;
    if (meant == nullptr) return {};
    return " (did you mean '" + form_of(*meant, near == name ? meant->value : value.value_or(meant->value)) + "'?)";
}

void parse_option(std::string_view text, std::string_view option, const TransportRow& row, NetworkAddress& address)
{
    const auto equals = std::min(option.find('='), option.size());
    const auto name = option.substr(0, equals);
    const auto value = equals == option.size() ? std::nullopt : std::optional(option.substr(equals + 1));
    std::vector<OptionRow> known;
    std::string forms;
    for (const auto& each : options) {
        if (!each.known(row)) continue;
        if (each.name == name && each.value.empty() != value.has_value())
            return each.parse(text, value.value_or(""), address);
        known.push_back(each);
        forms.append(known.size() == 1 ? "" : ", ").append(form_of(each, each.value));
    }
    refuse(text, "unknown option '" + std::string(option) + "' (known: " + forms + ")" +
                     did_you_mean_option(name, value, known));
}

bool listens(const NetworkAddress& address, bool by_default) noexcept
{
    return address.listen.value_or(address.host == "*" || by_default);
}

}  // namespace

const TransportRow& row_of(Transport transport) noexcept
{
    return *std::ranges::find(rows, transport, &TransportRow::transport);
}

}  // namespace net

bool is_network_address(std::string_view text) noexcept
{
    const auto end = text.find(net::mark);
    return end != text.npos && end != 0 &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                       [](char c) { return (c >= 'a' && c <= 'z') || c == '+'; });
}

NetworkAddress parse_network_address(std::string_view text)
{
    if (!is_network_address(text)) net::refuse(text, "not a network address, expected TRANSPORT://HOST:PORT");
    const auto& row = net::parse_transport(text);
    auto rest = text.substr(row.word.size() + net::mark.size());
    const auto question = std::min(rest.find('?'), rest.size());
    auto options = rest.substr(question);
    rest = rest.substr(0, question);
    NetworkAddress address;
    address.transport = row.transport;
    address.host = net::take_host(text, rest, row);
    address.port = net::parse_port(text, rest, row);
    while (!options.empty()) {
        options.remove_prefix(1);
        const auto end = std::min(options.find('&'), options.size());
        net::parse_option(text, options.substr(0, end), row, address);
        options = options.substr(end);
    }
    return address;
}

std::string to_string(const NetworkAddress& address)
{
    const bool bracketed = address.host.find(':') != std::string::npos;
    return std::string(net::row_of(address.transport).word) + std::string(net::mark) + (bracketed ? "[" : "") +
           address.host + (bracketed ? "]" : "") + ":" + std::to_string(address.port);
}

bool sender_listens(const NetworkAddress& address) noexcept
{
    const auto& row = net::row_of(address.transport);
    return row.may_listen ? net::listens(address, row.sender_listens) : row.sender_listens;
}

bool receiver_listens(const NetworkAddress& address) noexcept
{
    const auto& row = net::row_of(address.transport);
    return row.may_listen ? net::listens(address, row.receiver_listens) : row.receiver_listens;
}

}  // namespace ositrace
