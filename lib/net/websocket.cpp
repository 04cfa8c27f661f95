// SPDX-License-Identifier: MPL-2.0
#include "lib/net/websocket.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#define BOOST_ASIO_NO_DEPRECATED
#define BOOST_BEAST_USE_STD_STRING_VIEW
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace::net {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;
/// Without compression: Beast would compile it for every operation.
using Stream = beast::websocket::stream<beast::tcp_stream, false>;
using Timeouts = beast::websocket::stream_base::timeout;
/// One type for all handlers: each would compile Beast's code of its operation once more.
using Handler = std::function<void(error_code, std::size_t bytes)>;
using Closed = std::function<void(error_code)>;
using Buffers = std::span<const asio::const_buffer>;

constexpr auto handshake_time = std::chrono::seconds(10);
/// A server that sends nothing for so long, not even the answer to a ping, is gone.
constexpr auto idle_time = std::chrono::minutes(5);
constexpr auto tick_time = std::chrono::milliseconds(100);
constexpr auto close_time = std::chrono::seconds(2);  // for clients to learn of the end
/// After an accept that failed, as with too many open files.
constexpr auto accept_again = std::chrono::milliseconds(100);
constexpr std::size_t handshake_bytes = 16384;

template <class AsioSocket>
void hand_over(Socket from, AsioSocket& to)
{
    const auto protocol = address_of(from).is_version_6() ? tcp::v6() : tcp::v4();
    to.assign(protocol, static_cast<typename AsioSocket::native_handle_type>(from.release()));
}

std::string name_of(const tcp::socket& socket)
{
    error_code failed;
    const auto peer = socket.remote_endpoint(failed);
    if (failed) return "?";
    const auto host = peer.address().to_string();
    return (peer.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(peer.port());
}

/// The one of `known` that a list like `a, b` offers first by the order of `known`.
std::optional<std::string_view> selected(std::string_view offered, std::span<const std::string_view> known)
{
    for (const auto wanted : known)
        for (const auto& token : http::token_list(offered))
            if (std::string_view(token.data(), token.size()) == wanted) return wanted;
    return std::nullopt;
}

std::string list_of(std::span<const std::string_view> names, std::string_view between)
{
    std::string text;
    for (const auto each : names) text.append(text.empty() ? "" : between).append(each);
    return text;
}

/// The peer has closed the connection in order, even if it did not wait until this end did the same.
bool is_closed(const Stream& stream, error_code failed)
{
    return failed == beast::websocket::error::closed || (failed.category() == boost::system::system_category() &&
                                                         stream.reason().code != beast::websocket::close_code::none);
}

Buffers buffers_of(const WebSocketMessage& message, std::array<asio::const_buffer, 2>& buffers)
{
    buffers = {asio::buffer(message.head), asio::buffer(message.payload.data(), message.payload.size())};
    return buffers;
}

}  // namespace

std::optional<HttpAnswer> WebSocketEvents::answer(const HttpRequest&) { return std::nullopt; }

class WebSocketServer::Implementation {
public:
    Implementation(Socket listener, std::span<const std::string_view> subprotocols, const WebSocketLimits& limits,
                   WebSocketEvents& events);

    void start();
    void end(std::function<void()> last);
    void post(std::function<void()> work) { asio::post(context_, std::move(work)); }
    void drain(std::chrono::milliseconds longest, const std::stop_token& stop);
    void send(ClientId client, WebSocketMessage message);
    [[nodiscard]] ClientCounts counts(ClientId client) const;
    void drop_queued();

private:
    class Session;

    void accept();
    void accepted(error_code failed, tcp::socket socket);
    void tick();
    void run();
    void add_unsent(std::ptrdiff_t messages);

    std::vector<std::string_view> subprotocols_;
    WebSocketLimits limits_;
    WebSocketEvents& events_;
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    asio::steady_timer accept_timer_, tick_timer_;
    std::map<ClientId, std::shared_ptr<Session>> sessions_;  ///< also those in their handshake
    ClientId next_ = 1;
    bool ending_ = false;

    std::mutex mutex_;  // guards unsent_
    std::condition_variable_any sent_;
    std::ptrdiff_t unsent_ = 0;  ///< messages in all queues, and those being written
    std::thread thread_;         // last: it uses the above
};

/// A client, from the first byte of its handshake.
class WebSocketServer::Implementation::Session : public std::enable_shared_from_this<Session> {
public:
    Session(Implementation& server, ClientId id, tcp::socket socket)
        : server_(server), id_(id), name_(name_of(socket)), stream_(std::move(socket))
    {
        error_code ignored;
        beast::get_lowest_layer(stream_).socket().set_option(tcp::no_delay(true), ignored);
    }

    void begin();
    void send(WebSocketMessage message);
    void close();
    void look(std::chrono::steady_clock::time_point now);
    [[nodiscard]] const ClientCounts& counts() const noexcept { return counts_; }
    void drop_queued();
    void end(const std::string& why);

private:
    void requested(error_code failed);
    void decline(const std::string& why);
    void answer(HttpAnswer answer, const std::string& why);
    void opened(error_code failed);
    void read();
    void hear()
    {
        heard_ = std::chrono::steady_clock::now();
        pinged_ = false;
    }
    void add_droppable(WebSocketMessage message);
    bool make_room(std::size_t bytes, bool begins_step);
    void drop(std::size_t step);
    void drop_unneeded();
    void end_unread();
    void write();
    void write(WebSocketMessage message);
    void written(error_code failed);

    Implementation& server_;
    ClientId id_;
    std::string name_;
    Stream stream_;
    beast::flat_buffer in_;
    http::request_parser<http::empty_body> request_;
    bool open_ = false, ended_ = false, closing_ = false, pinged_ = false;
    std::chrono::steady_clock::time_point heard_ = std::chrono::steady_clock::now();

    using Queue = std::list<WebSocketMessage>;
    struct Step {
        std::uint64_t number = 0;
        std::deque<Queue::iterator> messages = {};
    };
    Queue queue_;
    // Of queue_:
    std::deque<Step> steps_;               ///< messages that may be dropped; a step has at least one
    std::deque<Queue::iterator> needed_;   ///< of dropped steps: what is needed of them
    std::optional<Queue::iterator> time_;  ///< the one of Delivery::newest_only
    std::string clock_;                    ///< the last one of Delivery::newest_only that was written
    std::optional<std::uint64_t> begun_;   ///< the step of the last message that was written
    std::size_t droppable_ = 0, droppable_bytes_ = 0;
    std::size_t always_ = 0, always_bytes_ = 0;
    std::optional<WebSocketMessage> writing_;
    std::array<asio::const_buffer, 2> buffers_;
    ClientCounts counts_;
};

void WebSocketServer::Implementation::Session::begin()
{
    request_.header_limit(handshake_bytes);
    beast::get_lowest_layer(stream_).expires_after(handshake_time);
    http::async_read(beast::get_lowest_layer(stream_), in_, request_,
                     Handler([self = shared_from_this()](error_code failed, std::size_t) { self->requested(failed); }));
}

void WebSocketServer::Implementation::Session::requested(error_code failed)
{
    if (failed) return end("handshake: " + failed.message());
    if (in_.size() != 0) return end("handshake: the client sent data before the answer");
    const auto& request = request_.get();
    const auto header = [&](http::field name) -> std::string_view {
        const auto value = request[name];
        return {value.data(), value.size()};
    };
    const bool is_upgrade = beast::websocket::is_upgrade(request);
    const std::string_view method(request.method_string().data(), request.method_string().size());
    const std::string_view target(request.target().data(), request.target().size());
    if (!server_.ending_)
        if (auto instead = server_.events_.answer(
                {method, target, header(http::field::host), header(http::field::origin), is_upgrade}))
            return answer(std::move(*instead), {});
    if (!is_upgrade) return decline("handshake: no request for a WebSocket");
    std::string offered;  // in one or several fields
    for (auto [field, last] = request.equal_range(http::field::sec_websocket_protocol); field != last; ++field)
        offered.append(offered.empty() ? "" : ", ").append(field->value().data(), field->value().size());
    const auto protocol = selected(offered, server_.subprotocols_);
    if (!protocol)
        return decline("offers " + (offered.empty() ? "no subprotocol" : "'" + offered.substr(0, 100) + "'") +
                       ", expected " + list_of(server_.subprotocols_, " or "));
    beast::get_lowest_layer(stream_).expires_never();  // the WebSocket has timeouts of its own
    stream_.set_option(Timeouts{handshake_time, beast::websocket::stream_base::none(), false});
    stream_.set_option(beast::websocket::stream_base::decorator([chosen = std::string(*protocol)](auto& response) {
        response.set(http::field::sec_websocket_protocol, chosen);
    }));
    stream_.read_message_max(server_.limits_.received_bytes);
    stream_.auto_fragment(false);
    stream_.control_callback([this](beast::websocket::frame_type, beast::string_view) { hear(); });
    stream_.async_accept(request, Closed([self = shared_from_this()](error_code error) { self->opened(error); }));
}

/// Browsers show the answer.
void WebSocketServer::Implementation::Session::decline(const std::string& why)
{
    answer({.status = 400, .body = std::make_shared<const std::string>(why)}, why);
}

void WebSocketServer::Implementation::Session::answer(HttpAnswer answer, const std::string& why)
{
    const auto reason = http::obsolete_reason(http::int_to_status(answer.status));
    const auto head = std::make_shared<const std::string>(
        "HTTP/1.1 " + std::to_string(answer.status) + " " + std::string(reason.data(), reason.size()) +
        "\r\nConnection: close\r\nContent-Length: " + std::to_string(answer.body->size()) + "\r\n" +
        (answer.fields.empty() ? "Content-Type: text/plain\r\n" : answer.fields) + "\r\n");
    buffers_ = {asio::buffer(*head), asio::buffer(*answer.body)};
    beast::get_lowest_layer(stream_).expires_after(handshake_time);
    asio::async_write(beast::get_lowest_layer(stream_), Buffers(buffers_),
                      Handler([self = shared_from_this(), why, head, body = answer.body](
                                  error_code failed, std::size_t) { self->end(failed ? failed.message() : why); }));
}

void WebSocketServer::Implementation::Session::opened(error_code failed)
{
    if (failed) return end("handshake: " + failed.message());
    open_ = true;
    if (closing_) close();
    if (!server_.ending_) server_.events_.opened(id_, name_);
    read();
}

void WebSocketServer::Implementation::Session::read()
{
    stream_.async_read(in_, Handler([self = shared_from_this()](error_code failed, std::size_t) {
                           if (failed) return self->end(is_closed(self->stream_, failed) ? "" : failed.message());
                           self->hear();
                           const auto data = self->in_.data();
                           if (!self->server_.ending_)
                               self->server_.events_.received(
                                   self->id_, self->stream_.got_text(),
                                   {static_cast<const std::byte*>(data.data()), data.size()});
                           self->in_.clear();
                           if (!self->ended_) self->read();
                       }));
}

void WebSocketServer::Implementation::Session::send(WebSocketMessage message)
{
    if (!open_ || ended_) return;
    const auto& limits = server_.limits_;
    if (message.delivery == Delivery::may_drop) {
        const bool begins_step = steps_.empty() || steps_.back().number != message.step;
        if (!make_room(message.size(), begins_step)) return end_unread();
        if (begins_step) steps_.push_back({message.step});
        ++droppable_;
        droppable_bytes_ += message.size();
        steps_.back().messages.push_back(queue_.insert(queue_.end(), std::move(message)));
    } else if (message.delivery == Delivery::newest_only) {
        if (time_) {
            queue_.erase(*time_);
            server_.add_unsent(-1);
        }
        time_ = queue_.insert(queue_.end(), std::move(message));
    } else if (always_ >= limits.queued_always || always_bytes_ > limits.queued_always_bytes) {
        return end_unread();
    } else {
        ++always_;
        always_bytes_ += message.size();
        queue_.push_back(std::move(message));
    }
    server_.add_unsent(1);
    write();
}

/// Drops the oldest steps until another message has room: not the newest one, and not the one that the client has begun
/// to read, or a slow client would always receive the same channels of a step. False: there are too many messages.
bool WebSocketServer::Implementation::Session::make_room(std::size_t bytes, bool begins_step)
{
    const auto& limits = server_.limits_;
    const auto is_full = [&] {
        return steps_.size() + (begins_step ? 1 : 0) > limits.queued_steps ||
               droppable_bytes_ + bytes > limits.queued_bytes || droppable_ >= limits.queued_messages;
    };
    while (is_full()) {
        const std::size_t oldest = !steps_.empty() && steps_.front().number == begun_ ? 1 : 0;
        if (steps_.size() <= oldest + (begins_step ? 0 : 1)) break;
        drop(oldest);
    }
    return droppable_ + needed_.size() < limits.queued_messages;
}

void WebSocketServer::Implementation::Session::drop(std::size_t step)
{
    const auto dropped = steps_.begin() + static_cast<std::ptrdiff_t>(step);
    for (const auto message : dropped->messages) {
        --droppable_;
        droppable_bytes_ -= message->size();
    }
    // What is needed precedes all steps that may still be dropped.
    needed_.insert(needed_.end(), dropped->messages.begin(), dropped->messages.end());
    steps_.erase(dropped);
    drop_unneeded();
}

void WebSocketServer::Implementation::Session::drop_unneeded()
{
    std::erase_if(needed_, [this](Queue::iterator message) {
        if (message->needed && *message->needed != 0) return false;
        queue_.erase(message);
        server_.add_unsent(-1);
        ++counts_.dropped;
        return true;
    });
}

void WebSocketServer::Implementation::Session::end_unread()
{
    const auto why = "has not read " + count_text(queue_.size(), "message");
    asio::post(server_.context_, [self = shared_from_this(), why] {
        if (!self->ended_) self->drop_queued();
        self->end(why);
    });
}

void WebSocketServer::Implementation::Session::drop_queued()
{
    const auto dropped = queue_.remove_if([](const auto& each) { return each.delivery == Delivery::may_drop; });
    steps_.clear();
    needed_.clear();
    droppable_ = droppable_bytes_ = 0;
    server_.add_unsent(-static_cast<std::ptrdiff_t>(dropped));
    counts_.dropped += dropped;
    if (writing_ && writing_->delivery == Delivery::may_drop) ++counts_.dropped;
}

void WebSocketServer::Implementation::Session::write()
{
    if (writing_ || queue_.empty() || ended_) return;
    const auto first = queue_.begin();
    if (!first->clock.empty() && first->clock != clock_) {
        server_.add_unsent(1);
        return write({false, Delivery::newest_only, first->clock});
    }
    if (first->delivery == Delivery::newest_only) {
        time_.reset();
    } else if (first->delivery == Delivery::always) {
        --always_;
        always_bytes_ -= first->size();
    } else if (!needed_.empty() && needed_.front() == first) {
        needed_.pop_front();
    } else {
        --droppable_;
        droppable_bytes_ -= first->size();
        auto& step = steps_.front();
        step.messages.pop_front();
        begun_ = step.number;
        if (step.messages.empty()) steps_.pop_front();
    }
    auto message = std::move(*first);
    queue_.pop_front();
    write(std::move(message));
}

void WebSocketServer::Implementation::Session::write(WebSocketMessage message)
{
    writing_ = std::move(message);
    if (writing_->delivery == Delivery::newest_only) clock_ = writing_->head;
    stream_.text(writing_->text);
    stream_.async_write(
        buffers_of(*writing_, buffers_),
        Handler([self = shared_from_this()](error_code failed, std::size_t) { self->written(failed); }));
}

void WebSocketServer::Implementation::Session::written(error_code failed)
{
    if (ended_) return;
    server_.add_unsent(-1);
    const bool counts = writing_->delivery == Delivery::may_drop;
    writing_.reset();
    if (failed) return end(failed.message());
    if (counts) ++counts_.sent;
    closing_ ? close() : write();
}

/// After what is queued: as the reason for the end.

void WebSocketServer::Implementation::Session::close()
{
    closing_ = true;
    write();
    if (open_ && !ended_ && !writing_)
        stream_.async_close(beast::websocket::close_code::going_away,
                            Closed([self = shared_from_this()](error_code) {}));
}

/// Beast waits without a limit for the end of a client that broke the rules; its own timeouts do not cover that.
void WebSocketServer::Implementation::Session::look(std::chrono::steady_clock::time_point now)
{
    if (!open_ || ended_ || now - heard_ < server_.limits_.idle) return;
    if (pinged_)
        return end("sent nothing for " + std::to_string((2 * server_.limits_.idle).count() / 1000) +
                   " s, not even the answer to a ping");
    heard_ = now;
    pinged_ = true;
    stream_.async_ping({}, Closed([self = shared_from_this()](error_code) {}));
}

/// The connection is lost or refused. What a write that is under way borrows stays until its handler has run.
void WebSocketServer::Implementation::Session::end(const std::string& why)
{
    if (std::exchange(ended_, true)) return;
    const auto unsent = static_cast<std::ptrdiff_t>(queue_.size()) + (writing_ ? 1 : 0);
    queue_.clear();
    server_.add_unsent(-unsent);
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
    const auto self = shared_from_this();
    server_.sessions_.erase(id_);
    if (server_.ending_) {
        if (server_.sessions_.empty()) server_.context_.stop();
        return;
    }
    if (open_)
        server_.events_.closed(id_, counts_, why);
    else if (!why.empty())
        server_.events_.refused(name_, why);
}

WebSocketServer::Implementation::Implementation(Socket listener, std::span<const std::string_view> subprotocols,
                                                const WebSocketLimits& limits, WebSocketEvents& events)
    : subprotocols_(subprotocols.begin(), subprotocols.end()),
      limits_(limits),
      events_(events),
      acceptor_(context_),
      accept_timer_(context_),
      tick_timer_(context_)
{
    hand_over(std::move(listener), acceptor_);
}

void WebSocketServer::Implementation::start()
{
    accept();
    tick();
    thread_ = std::thread([this] { run(); });
}

/// Clients learn that this is the end; who does not answer soon is cut off.
void WebSocketServer::Implementation::end(std::function<void()> last)
{
    if (!thread_.joinable()) return;
    asio::post(context_, [this, last = std::move(last)] {
        ending_ = true;
        if (last) last();
    });
    asio::post(context_, [this] {
        error_code ignored;
        acceptor_.close(ignored);
        accept_timer_.cancel();
        if (sessions_.empty()) return context_.stop();
        for (const auto& [id, session] : sessions_) session->close();
        tick_timer_.expires_after(close_time);
        tick_timer_.async_wait([this](error_code) { context_.stop(); });
    });
    thread_.join();
    while (!sessions_.empty()) sessions_.begin()->second->end({});
}

/// An exception of an event (no memory) ends that event, not the server.
void WebSocketServer::Implementation::run()
{
    while (!context_.stopped()) try {
            context_.run();
        } catch (const std::exception& error) {
            if (!ending_) events_.refused("a client", error.what());
        }
}

void WebSocketServer::Implementation::accept()
{
    acceptor_.async_accept([this](error_code failed, tcp::socket socket) { accepted(failed, std::move(socket)); });
}

void WebSocketServer::Implementation::accepted(error_code failed, tcp::socket socket)
{
    if (ending_) return;
    if (failed) {
        events_.refused("a client", failed.message());
        accept_timer_.expires_after(accept_again);
        accept_timer_.async_wait([this](error_code cancelled) {
            if (!cancelled) accept();
        });
        return;
    }
    if (sessions_.size() >= limits_.clients) {
        events_.refused(name_of(socket), std::to_string(limits_.clients) + " clients are connected");
    } else {
        const auto session = std::make_shared<Session>(*this, next_, std::move(socket));
        sessions_.emplace(next_++, session);
        session->begin();
    }
    accept();
}

void WebSocketServer::Implementation::tick()
{
    tick_timer_.expires_after(tick_time);
    tick_timer_.async_wait([this](error_code cancelled) {
        if (cancelled || ending_) return;
        std::vector<std::shared_ptr<Session>> sessions;  // one that ends is erased
        for (const auto& [id, session] : sessions_) sessions.push_back(session);
        for (const auto& session : sessions) session->look(std::chrono::steady_clock::now());
        events_.tick();
        tick();
    });
}

void WebSocketServer::Implementation::send(ClientId client, WebSocketMessage message)
{
    const auto session = sessions_.find(client);
    if (session == sessions_.end()) return;
    const auto kept = session->second;  // it may end, and then it is erased
    kept->send(std::move(message));
}

ClientCounts WebSocketServer::Implementation::counts(ClientId client) const
{
    const auto session = sessions_.find(client);
    return session == sessions_.end() ? ClientCounts{} : session->second->counts();
}

void WebSocketServer::Implementation::add_unsent(std::ptrdiff_t messages)
{
    const std::lock_guard lock(mutex_);
    unsent_ += messages;
    if (unsent_ == 0) sent_.notify_all();
}

void WebSocketServer::Implementation::drain(std::chrono::milliseconds longest, const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    sent_.wait_for(lock, stop, longest, [&] { return unsent_ == 0; });
}

void WebSocketServer::Implementation::drop_queued()
{
    for (const auto& [id, session] : sessions_) session->drop_queued();
}

WebSocketServer::WebSocketServer(Socket listener, std::span<const std::string_view> subprotocols,
                                 const WebSocketLimits& limits, WebSocketEvents& events)
    : implementation_(std::make_unique<Implementation>(std::move(listener), subprotocols, limits, events))
{
}
WebSocketServer::~WebSocketServer() { end({}); }
void WebSocketServer::start() { implementation_->start(); }
void WebSocketServer::end(std::function<void()> last) { implementation_->end(std::move(last)); }
void WebSocketServer::post(std::function<void()> work) { implementation_->post(std::move(work)); }
void WebSocketServer::drain(std::chrono::milliseconds longest, const std::stop_token& stop)
{
    implementation_->drain(longest, stop);
}
void WebSocketServer::send(ClientId client, WebSocketMessage message)
{
    implementation_->send(client, std::move(message));
}
void WebSocketServer::drop_queued() { implementation_->drop_queued(); }
ClientCounts WebSocketServer::counts(ClientId client) const { return implementation_->counts(client); }

/// Its operations are asynchronous, and run while a function waits for one: a stop or a deadline leaves the others as
/// they are.
class WebSocketClient::Implementation {
public:
    Implementation(Socket connected, const std::string& host, std::span<const std::string_view> subprotocols,
                   std::size_t max_message_bytes, const std::stop_token& stop);

    Result receive(Message& message, const Deadline& deadline, const std::stop_token& stop);
    [[nodiscard]] std::size_t unfinished_bytes() const noexcept { return buffer_ ? buffer_->size() - pad : 0; }
    void send(const std::string& text);

private:
    /// The payload of a message with data follows 13 bytes: with these before it, it is aligned.
    static constexpr std::size_t pad = 3;
    using Buffer = beast::flat_buffer;

    enum class Ran : std::uint8_t { done, stopped, timed_out };
    template <class Done>
    Ran run_until(const Done& done, const Deadline& deadline, const std::stop_token& stop);
    void begin_reading();
    [[noreturn]] void fail(error_code error) const;

    asio::io_context context_{1};
    Stream stream_;
    std::shared_ptr<Buffer> buffer_;  ///< null: nothing is being read
    std::optional<error_code> read_;  ///< how the read ended
    std::size_t usual_bytes_ = 0;
    std::size_t max_message_bytes_;
};

WebSocketClient::Implementation::Implementation(Socket connected, const std::string& host,
                                                std::span<const std::string_view> subprotocols,
                                                std::size_t max_message_bytes, const std::stop_token& stop)
    : stream_(context_), max_message_bytes_(max_message_bytes)
{
    hand_over(std::move(connected), beast::get_lowest_layer(stream_).socket());
    stream_.set_option(Timeouts{handshake_time, idle_time, true});
    const auto offered = list_of(subprotocols, ", ");
    stream_.set_option(beast::websocket::stream_base::decorator(
        [&](beast::websocket::request_type& request) { request.set(http::field::sec_websocket_protocol, offered); }));
    stream_.read_message_max(max_message_bytes_);
    beast::websocket::response_type response;
    std::optional<error_code> shaken;
    stream_.async_handshake(response, host, "/", Closed([&](error_code failed) { shaken = failed; }));
    if (run_until([&] { return shaken.has_value(); }, std::nullopt, stop) == Ran::stopped) {
        error_code ignored;
        beast::get_lowest_layer(stream_).socket().close(ignored);
        context_.restart();
        context_.run();  // the handler refers to this function
        throw Error(Cause::cancelled, "stopped");
    }
    if (*shaken == beast::websocket::error::upgrade_declined)
        throw Error(Cause::io, "the server declined the WebSocket: " + std::to_string(response.result_int()) + " " +
                                   std::string(response.reason()));
    if (*shaken) fail(*shaken);
    const auto field = response[http::field::sec_websocket_protocol];
    if (!selected({field.data(), field.size()}, subprotocols))
        throw Error(Cause::io, "the server selected " +
                                   (field.empty() ? "no subprotocol" : "'" + std::string(field.substr(0, 100)) + "'") +
                                   ", expected one of " + offered);
}

/// Runs handlers until `done`.
template <class Done>
WebSocketClient::Implementation::Ran WebSocketClient::Implementation::run_until(const Done& done,
                                                                                const Deadline& deadline,
                                                                                const std::stop_token& stop)
{
    const std::stop_callback wake(stop, [this] { context_.stop(); });
    context_.restart();
    while (!done()) {
        if (stop.stop_requested()) return Ran::stopped;
        if (!deadline)
            context_.run_one();
        else if (context_.run_one_until(*deadline) == 0 && !stop.stop_requested())
            return Ran::timed_out;
    }
    return Ran::done;
}

void WebSocketClient::Implementation::begin_reading()
{
    buffer_ = std::make_shared<Buffer>();
    buffer_->reserve(pad + usual_bytes_);
    buffer_->commit(buffer_->prepare(pad).size());
    read_.reset();
    stream_.async_read(*buffer_, Handler([this, kept = buffer_](error_code failed, std::size_t) { read_ = failed; }));
}

WebSocketClient::Result WebSocketClient::Implementation::receive(Message& message, const Deadline& deadline,
                                                                 const std::stop_token& stop)
{
    if (!buffer_) begin_reading();
    const auto ran = run_until([&] { return read_.has_value(); }, deadline, stop);
    if (ran != Ran::done) return ran == Ran::stopped ? Result::stopped : Result::timed_out;
    const bool gone =
        *read_ == asio::error::eof || *read_ == asio::error::not_connected || *read_ == asio::error::connection_reset;
    if (gone && !is_closed(stream_, *read_)) return Result::lost;  // a message that is not complete stays
    const auto buffer = std::exchange(buffer_, nullptr);
    if (*read_ && is_closed(stream_, *read_)) return Result::closed;
    if (*read_) fail(*read_);
    const auto bytes = buffer->size() - pad;
    usual_bytes_ = bytes;
    message = {stream_.got_text(), {static_cast<const std::byte*>(buffer->data().data()) + pad, bytes}, buffer};
    return Result::message;
}

void WebSocketClient::Implementation::send(const std::string& text)
{
    std::optional<error_code> sent;
    stream_.text(true);
    const auto buffer = asio::buffer(text);
    stream_.async_write(Buffers(&buffer, 1), Handler([&](error_code failed, std::size_t) { sent = failed; }));
    run_until([&] { return sent.has_value(); }, std::nullopt, {});
    if (*sent) fail(*sent);
}

void WebSocketClient::Implementation::fail(error_code error) const
{
    if (error == beast::websocket::error::message_too_big)
        throw Error(Cause::limit, "a message" + exceeds_limit(max_message_bytes_));
    if (error == asio::error::eof) throw Error(Cause::truncated, "the server disconnected");
    throw Error(Cause::io, error.message());
}

WebSocketClient::WebSocketClient(Socket connected, const std::string& host,
                                 std::span<const std::string_view> subprotocols, std::size_t max_message_bytes,
                                 const std::stop_token& stop)
    : implementation_(
          std::make_unique<Implementation>(std::move(connected), host, subprotocols, max_message_bytes, stop))
{
}
WebSocketClient::~WebSocketClient() = default;
WebSocketClient::Result WebSocketClient::receive(Message& message, const Deadline& deadline,
                                                 const std::stop_token& stop)
{
    return implementation_->receive(message, deadline, stop);
}
std::size_t WebSocketClient::unfinished_bytes() const noexcept { return implementation_->unfinished_bytes(); }
void WebSocketClient::send(const std::string& text) { implementation_->send(text); }

}  // namespace ositrace::net
