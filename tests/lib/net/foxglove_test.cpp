// SPDX-License-Identifier: MPL-2.0
// A Foxglove server and a source that subscribes to it; how the server treats clients that break the rules. Clients and
// servers of others: tests/live.
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include <ositrace/player.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/trace/recognition.hpp"
#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;

namespace {

/// A server, and what it said.
struct Serving {
    TraceInfo info;
    std::mutex mutex;
    std::vector<std::string> notes;
    std::unique_ptr<NetworkSink> sink;

    explicit Serving(std::vector<Channel> channels, const std::string& address = "foxglove://127.0.0.1:0",
                     std::chrono::milliseconds linger = 20s)
    {
        info.channels = std::move(channels);
        NetworkSinkOptions options;
        options.linger = linger;
        options.on_note = [this](const std::string& note) {
            const std::lock_guard lock(mutex);
            notes.push_back(note.substr(note.find(": ") + 2));
        };
        sink = open_network_sink(parse_network_address(address), std::move(options));
        if (sink->address().wait || sink->address().subscribers) return;
        sink->begin(info, {});
    }
    [[nodiscard]] std::string client_address() const { return address_text("foxglove", sink->address().port); }
    void take(const std::string& payload, Nanoseconds time, std::uint32_t channel = 0)
    {
        auto frame = made(payload, channel);
        frame.time = time;
        sink->take({&frame, 1}, time, info);
    }
    [[nodiscard]] Frame made(const std::string& payload, std::uint32_t channel)
    {
        const auto owner = std::make_shared<const std::string>(payload);
        Frame frame;
        frame.bytes = bytes_of(*owner);
        frame.owner = owner;
        frame.channel = channel;
        frame.index = next_++;
        return frame;
    }
    /// The same payload in all channels.
    void take_step(const std::string& payload, Nanoseconds time)
    {
        std::vector<Frame> step;
        for (std::uint32_t i = 0; i < info.channels.size(); ++i) step.push_back(made(payload, i));
        sink->take(step, time, info);
    }
    [[nodiscard]] bool said(const std::string& what)
    {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(notes, [&](const auto& note) { return note.find(what) != note.npos; });
    }

private:
    std::uint64_t next_ = 0;
};

Channel channel(MessageType type, const std::string& topic, Format format = {})
{
    auto made = recognized_channel({type, format}, Schema::built_in());
    made.topic = topic;
    return made;
}

std::vector<Channel> one_channel() { return {channel(MessageType::ground_truth, "truth")}; }

/// All that comes until the server ends: `topic@time: payload`.
std::vector<std::string> texts_of(NetworkSource& source)
{
    std::vector<std::string> texts;
    for (Frame frame; source.read(frame);)
        texts.push_back(source.info().channels.at(frame.channel).topic + "@" + std::to_string(frame.log_time->count()) +
                        ": " + std::string(text_of(frame.bytes)));
    return texts;
}

RawSocket raw_client(const Serving& serving, const std::string& more = "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n")
{
    auto client = RawSocket::connected(SOCK_STREAM, serving.sink->address().port);
    client.send(
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
        more + "\r\n");
    return client;
}

/// The same after its handshake was answered.
RawSocket open_client(const Serving& serving)
{
    auto client = raw_client(serving);
    for (std::string answer; !answer.ends_with("\r\n\r\n");) answer += client.receive(1);
    return client;
}

/// Of the messages with a time in what a server sent.
std::vector<std::uint64_t> times_in(const std::string& received)
{
    static constexpr std::string_view head = "\x82\x09\x02";
    std::vector<std::uint64_t> times;
    for (auto at = received.find(head); at != received.npos && at + head.size() + 8 <= received.size();
         at = received.find(head, at + 1))
        times.push_back(load<std::uint64_t>(bytes_of(received).data() + at + head.size()));
    return times;
}

/// A masked frame, as clients send.
std::string client_frame(int opcode, const std::string& payload)
{
    std::string frame(1, static_cast<char>(0x80 | opcode));
    if (payload.size() < 126) {
        frame += static_cast<char>(0x80 | payload.size());
    } else {
        frame += static_cast<char>(0x80 | 127);
        for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(payload.size() >> shift & 0xff);
    }
    return frame + std::string(4, '\0') + payload;
}

/// A client that behaves as Lichtblick does: it shows a message at the last `time` that it received, and has an alert
/// for each text of a status until the id of that is withdrawn.
class Viewer {
public:
    struct Shown {
        std::uint64_t clock = 0;  ///< at which it is shown
        std::uint64_t time = 0;   ///< of the message
        std::string payload;
        bool operator==(const Shown&) const = default;
    };

    explicit Viewer(const Serving& serving) : socket_(open_client(serving)) {}
    void subscribe(std::size_t channels, std::size_t first = 1)
    {
        std::string list;
        for (std::size_t i = first; i < first + channels; ++i)
            list += (i == first ? "" : ",") + (R"({"id":)" + std::to_string(i)) + R"(,"channelId":)" +
                    std::to_string(i) + "}";
        socket_.send(client_frame(1, R"({"op":"subscribe","subscriptions":[)" + list + "]}"));
    }
    /// Reads until it is true, for 20 s at most.
    template <class Condition>
    bool until(const Condition& condition)
    {
        return comes_true([&] {
            if (condition()) return true;
            received_ += socket_.receive(1 << 20);
            while (take()) {
            }
            return false;
        });
    }
    [[nodiscard]] bool has_alert(const std::string& text) const { return alerts.contains(text); }

    std::vector<Shown> shown;
    std::map<std::string, std::string> alerts;  ///< text to id
    std::set<std::string> texts;                ///< of all statuses
    std::vector<std::uint64_t> clocks;

private:
    /// The value of a member of a flat JSON object.
    static std::string member(std::string_view json, std::string_view name)
    {
        const auto key = "\"" + std::string(name) + "\":";
        auto at = json.find(key) + key.size();
        if (json[at] == '[') ++at;
        return std::string(json.substr(at + 1, json.find('"', at + 1) - at - 1));
    }
    /// A frame of the server; false: it is not complete.
    bool take()
    {
        const auto bytes = bytes_of(received_);
        if (bytes.size() < 10) return false;
        std::uint64_t size = std::to_integer<std::uint8_t>(bytes[1]);
        std::size_t head = 2;
        const std::size_t more = size == 127 ? 8 : size == 126 ? 2 : 0;
        if (more != 0) size = 0;
        for (std::size_t i = 0; i < more; ++i) size = size << 8 | std::to_integer<std::uint8_t>(bytes[head + i]);
        head += more;
        if (bytes.size() - head < size) return false;
        const auto payload = received_.substr(head, size);
        if (received_[0] == '\x81')
            text(payload);
        else if (payload[0] == 2)
            clocks.push_back(load<std::uint64_t>(bytes_of(payload).data() + 1));
        else
            shown.push_back(
                {clocks.at(clocks.size() - 1), load<std::uint64_t>(bytes_of(payload).data() + 5), payload.substr(13)});
        received_.erase(0, head + size);
        return true;
    }
    void text(const std::string& json)
    {
        const auto op = member(json, "op");
        if (op == "status") {
            texts.insert(member(json, "message"));
            alerts[member(json, "message")] = member(json, "id");
        }
        if (op == "removeStatus")
            std::erase_if(alerts, [&](const auto& alert) { return alert.second == member(json, "statusIds"); });
    }

    RawSocket socket_;
    std::string received_;
};

}  // namespace

TEST_CASE("a source receives all channels of a server with their topics, types and times")
{
    Serving serving({channel(MessageType::ground_truth, "truth"), channel(MessageType::sensor_view, "view")},
                    "foxglove://127.0.0.1:0?subscribers=1");
    std::vector<std::string> notes;
    NetworkOptions options;
    options.on_note = [&](const std::string& note) { notes.push_back(note); };
    auto opened = std::async(std::launch::async,
                             [&] { return open_network(parse_network_address(serving.client_address()), options); });
    serving.sink->begin(serving.info, {});  // when the source has subscribed
    const auto source = opened.get();
    REQUIRE(source->info().channels.size() == 2);
    CHECK(source->info().channels[0].type == MessageType::ground_truth);
    CHECK(source->info().channels[1].type == MessageType::sensor_view);
    serving.take(ground_truth(1), 1s);
    serving.take(sample::sensor_view(2), 2s, 1);
    serving.sink->finish();
    CHECK(texts_of(*source) ==
          std::vector{"truth@1000000000: " + ground_truth(1), "view@2000000000: " + sample::sensor_view(2)});
    CHECK(serving.sink->counts().not_delivered == 0);
    CHECK(notes.empty());
}

TEST_CASE("a late subscriber receives the map that was sent only once, then the last message, then what follows")
{
    const auto lane = field(6, "");  // GroundTruth.lane
    Serving serving(one_channel());
    serving.take(ground_truth(1) + lane, 1s);
    for (std::uint8_t second = 2; second < 9; ++second)
        serving.take(ground_truth(second), std::chrono::seconds(second));
    const auto source = open_network(parse_network_address(serving.client_address()));
    Frame frame;
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == ground_truth(1) + lane);
    CHECK(frame.log_time == 1s);  // as its timestamp
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == ground_truth(8));
    serving.take(ground_truth(9), 9s);
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == ground_truth(9));
    serving.sink->finish();
    CHECK_FALSE(source->read(frame));
}

TEST_CASE("what a late subscriber of several channels receives has its own time, which goes backward at most once")
{
    const auto lane = field(6, "");
    Serving serving({channel(MessageType::ground_truth, "a"), channel(MessageType::ground_truth, "b")});
    serving.take(ground_truth(1) + lane, 1s, 0);
    serving.take(ground_truth(2) + lane, 2s, 1);
    serving.take_step(ground_truth(3), 3s);
    Viewer viewer(serving);
    CHECK(viewer.until([&] { return !viewer.clocks.empty(); }));
    viewer.subscribe(2);
    CHECK(viewer.until([&] { return viewer.shown.size() == 4; }));
    constexpr std::uint64_t second = 1'000'000'000;
    CHECK(viewer.shown == std::vector<Viewer::Shown>{{second, second, ground_truth(1) + lane},
                                                     {2 * second, 2 * second, ground_truth(2) + lane},
                                                     {3 * second, 3 * second, ground_truth(3)},
                                                     {3 * second, 3 * second, ground_truth(3)}});
    CHECK(std::ranges::is_sorted(std::ranges::find(viewer.clocks, second), viewer.clocks.end()));
}

TEST_CASE("a viewer shows each message at its own time, also after a stall and while the replay is paused")
{
    Serving serving(one_channel());
    Viewer viewer(serving);
    viewer.subscribe(1);
    serving.take(ground_truth(1), 0s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1; }));
    constexpr int messages = 100;  // of which the oldest are dropped
    for (int i = 1; i <= messages; ++i) serving.take(ground_truth(1, 1'000'000), std::chrono::seconds(i));
    constexpr std::uint64_t last = messages * std::uint64_t{1'000'000'000};
    CHECK(viewer.until([&] { return viewer.shown.back().time == last; }));
    CHECK(viewer.shown.size() > 40);
    CHECK(viewer.shown.size() < messages);
    CHECK(std::ranges::all_of(viewer.shown, [](const auto& each) { return each.clock == each.time; }));
    serving.sink->waiting({std::chrono::seconds(messages) + 123ms, std::chrono::seconds(messages + 1), 0});  // a pause
    CHECK(viewer.until([&] { return viewer.clocks.back() == last + 123'000'000; }));
    Viewer late(serving);
    CHECK(late.until([&] { return !late.clocks.empty() && late.clocks.back() == last + 123'000'000; }));
    late.subscribe(1);
    CHECK(late.until([&] { return !late.shown.empty(); }));
    CHECK(late.shown.front().clock == last);
}

TEST_CASE("a viewer shows a second channel at its own time, and the first one again, in a pause, too")
{
    constexpr std::uint64_t second = 1'000'000'000;
    const auto lane = field(6, "");
    const bool pauses = GENERATE(false, true);
    CAPTURE(pauses);
    Serving serving({channel(MessageType::ground_truth, "a"), channel(MessageType::ground_truth, "b"),
                     channel(MessageType::ground_truth, "none")});
    serving.take(ground_truth(1) + lane, 1s, 1);
    serving.take(ground_truth(2), 2s, 1);
    serving.take(ground_truth(3), 3s, 0);
    auto clock = 3 * second;
    if (pauses) {
        serving.sink->waiting({3s + 123ms, 4s, 0});
        clock += 123'000'000;
    }
    Viewer viewer(serving);
    viewer.subscribe(1, 3);  // of which there is no message yet
    CHECK(viewer.until([&] { return !viewer.clocks.empty() && viewer.clocks.back() == clock; }));
    viewer.subscribe(1);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1 && viewer.clocks.back() == clock; }));
    const Viewer::Shown first{3 * second, 3 * second, ground_truth(3)};
    CHECK(viewer.shown == std::vector{first});
    viewer.shown.clear();
    viewer.clocks.clear();
    viewer.subscribe(1, 2);
    CHECK(viewer.until([&] { return viewer.shown.size() == 3 && viewer.clocks.back() == clock; }));
    CHECK(viewer.shown == std::vector<Viewer::Shown>{{second, second, ground_truth(1) + lane},
                                                     {2 * second, 2 * second, ground_truth(2)},
                                                     first});
    CHECK(std::ranges::is_sorted(std::ranges::find(viewer.clocks, second), viewer.clocks.end()));
    serving.take_step(ground_truth(4), 4s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 6; }));
    CHECK(viewer.shown.back() == Viewer::Shown{4 * second, 4 * second, ground_truth(4)});
}

TEST_CASE("a second channel of the last step sets no clock back, and nothing comes twice")
{
    Serving serving({channel(MessageType::ground_truth, "a"), channel(MessageType::ground_truth, "b")});
    serving.take_step(ground_truth(3), 3s);
    Viewer viewer(serving);
    viewer.subscribe(1);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1; }));
    viewer.subscribe(1, 2);
    CHECK(viewer.until([&] { return viewer.shown.size() == 2; }));
    serving.take_step(ground_truth(4), 4s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 4; }));
    CHECK(std::ranges::is_sorted(viewer.clocks));
    CHECK(std::ranges::all_of(viewer.shown, [](const auto& each) { return each.clock == each.time; }));
}

TEST_CASE("the map is not sent twice where the last message has it")
{
    const auto with_map = ground_truth(1) + field(6, "");
    Serving serving(one_channel());
    serving.take(with_map, 1s);
    const auto source = open_network(parse_network_address(serving.client_address()));
    serving.sink->finish();
    CHECK(texts_of(*source) == std::vector{"truth@1000000000: " + with_map});
}

TEST_CASE("FlatBuffers are served as Protobuf, or as they are")
{
    const Format flat{Encoding::flatbuffers, Layout::numbered};
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    ByteBuffer buffer;
    Transcoder(root, {}, flat).transcode(bytes_of(ground_truth(3)), buffer);
    const std::string payload(text_of(buffer.bytes()));
    const bool as_they_are = GENERATE(false, true);
    Serving serving({channel(MessageType::ground_truth, "truth", flat)},
                    as_they_are ? "foxglove://127.0.0.1:0?flatbuffers" : "foxglove://127.0.0.1:0");
    serving.take(payload, 3s);
    const auto source = open_network(parse_network_address(serving.client_address()));
    CHECK(source->info().channels.at(0).format.encoding == (as_they_are ? Encoding::flatbuffers : Encoding::protobuf));
    serving.sink->finish();
    CHECK(texts_of(*source) == std::vector{"truth@3000000000: " + (as_they_are ? payload : ground_truth(3))});
}

TEST_CASE("a channel that appears later is offered and followed")
{
    Serving serving(one_channel());
    serving.take(ground_truth(1), 1s);
    const auto source = open_network(parse_network_address(serving.client_address()));
    serving.info.channels.push_back(channel(MessageType::sensor_view, "view"));
    serving.take(sample::sensor_view(2), 2s, 1);
    Frame frame;
    REQUIRE(source->read(frame));
    REQUIRE(source->read(frame));
    CHECK(frame.channel == 1);
    CHECK(source->info().channels.at(1).topic == "view");
    CHECK(text_of(frame.bytes) == sample::sensor_view(2));
}

TEST_CASE("a step of any number of messages and bytes arrives whole, at a late client, too")
{
    const bool large = GENERATE(false, true);
    std::vector<Channel> channels;
    for (int i = 0; i < (large ? 5 : 200); ++i)
        channels.push_back(channel(MessageType::traffic_command_update, "c" + std::to_string(i)));
    Serving serving(channels);
    const auto payload = ground_truth(1, large ? 20'000'000 : 7);
    const auto source = open_network(parse_network_address(serving.client_address()));
    std::vector<int> received(channels.size());
    Frame frame;
    for (int step = 1; step <= 3; ++step) {
        serving.take_step(payload, std::chrono::seconds(step));
        for (std::size_t i = 0; i < channels.size(); ++i) {
            REQUIRE(source->read(frame));
            ++received[frame.channel];
        }
        CHECK(received == std::vector<int>(channels.size(), step));
    }
    const auto late = open_network(parse_network_address(serving.client_address()));
    std::vector<int> last(channels.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
        REQUIRE(late->read(frame));
        ++last[frame.channel];
    }
    CHECK(last == std::vector<int>(channels.size(), 1));
    serving.sink->finish();
    CHECK(serving.sink->counts().not_delivered == 0);
}

TEST_CASE("a client that reads slowly receives the map, although its step was dropped")
{
    Serving serving(one_channel(), "foxglove://127.0.0.1:0?subscribers=1");
    auto opened =
        std::async(std::launch::async, [&] { return open_network(parse_network_address(serving.client_address())); });
    serving.sink->begin(serving.info, {});  // when the source has subscribed
    const auto source = opened.get();
    const auto with_map = ground_truth(2, 1'000'000) + field(6, "");
    for (int i = 0; i < 200; ++i)
        serving.take(i == 50 ? with_map : ground_truth(1, 1'000'000), std::chrono::seconds(i));
    auto finished = std::async(std::launch::async, [&] { serving.sink->finish(); });
    std::vector<Nanoseconds> times;
    int maps = 0;
    for (Frame frame; source->read(frame);) {
        times.push_back(*frame.log_time);
        if (text_of(frame.bytes) != with_map) continue;
        CHECK(frame.log_time == 50s);
        ++maps;
    }
    finished.get();
    CHECK(maps == 1);
    CHECK(std::ranges::is_sorted(times));
    CHECK(std::ranges::find(times, Nanoseconds(51s)) == times.end());  // beside it they were dropped
    CHECK(serving.sink->counts().not_delivered == 200 - times.size());
}

TEST_CASE("a source counts what the server dropped for it")
{
    Serving serving(one_channel(), "foxglove://127.0.0.1:0?subscribers=1");
    std::vector<std::string> notes;
    NetworkOptions options;
    options.on_note = [&](const std::string& note) { notes.push_back(note); };
    auto opened = std::async(std::launch::async,
                             [&] { return open_network(parse_network_address(serving.client_address()), options); });
    serving.sink->begin(serving.info, {});  // when the source has subscribed
    const auto source = opened.get();
    for (int i = 0; i < 200; ++i) serving.take(ground_truth(1, 1'000'000), std::chrono::seconds(i));
    auto finished = std::async(std::launch::async, [&] { serving.sink->finish(); });
    const auto received = texts_of(*source).size();
    finished.get();
    CHECK(source->lost() > 50);
    CHECK(received + source->lost() == 200);
    CHECK(source->lost() == serving.sink->counts().not_delivered);
    CHECK(notes.empty());
}

TEST_CASE("what a client that is gone had not read is no loss")
{
    Serving serving(one_channel());
    auto slow = open_client(serving);
    slow.send(client_frame(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]})"));
    serving.take(ground_truth(1), 0s);
    for (std::string answer; answer.find(ground_truth(1)) == answer.npos;) answer += slow.receive(1);
    for (int i = 0; i < 60; ++i) serving.take(ground_truth(1, 1'000'000), std::chrono::seconds(i));
    slow.close();
    CHECK(comes_true([&] { return serving.said("disconnected"); }));
    serving.sink->finish();
    CHECK(serving.sink->counts().not_delivered == 0);
    CHECK_FALSE(serving.said("read too slowly"));
}

TEST_CASE("all messages of a step have its time in the trace, whatever the clock of their log times")
{
    Serving serving({channel(MessageType::ground_truth, "truth"), channel(MessageType::sensor_view, "view")});
    const auto source = open_network(parse_network_address(serving.client_address()));
    std::vector<Frame> step{serving.made(ground_truth(7), 0), serving.made(sample::sensor_view(7), 1)};
    step[0].time = 7s;
    for (auto& frame : step) frame.log_time = 1'000'000'007s;
    PlayStatus status;
    status.time = 7s;
    serving.sink->due(status);
    serving.sink->take(step, 307s, serving.info);
    serving.sink->finish();
    CHECK(texts_of(*source) ==
          std::vector{"truth@7000000000: " + ground_truth(7), "view@7000000000: " + sample::sensor_view(7)});
}

TEST_CASE("between two steps the time goes on with the replay, up to the next one, and not in a pause")
{
    Serving serving(one_channel());
    const auto client = open_client(serving);
    std::string received;
    std::uint64_t last = 0;
    const auto arrives = [&](Nanoseconds time) {
        return comes_true([&] {
            received += client.receive();
            const auto times = times_in(received);
            if (times.empty()) return false;
            CHECK(std::ranges::is_sorted(times));
            last = times.back();
            return last == static_cast<std::uint64_t>(time.count());
        });
    };
    const auto wait = [&](const PlayWait& announced) { serving.sink->waiting(announced); };
    wait({1s, 2s, 10});  // of a step that has not come: says nothing yet
    serving.take(ground_truth(1), 1s);
    CHECK(arrives(1s));
    wait({1s, 2s, 4});
    CHECK(arrives(2s));
    const auto times = times_in(received);
    CHECK(std::ranges::any_of(times, [](auto time) { return time > 1'000'000'000 && time < 2'000'000'000; }));
    serving.take(ground_truth(2), 2s);
    wait({2500ms, 3s, 0});
    CHECK(arrives(2500ms));
    const auto before = times_in(received).size();
    CHECK(comes_true([&] { return arrives(2500ms) && times_in(received).size() > before + 2; }));
    serving.take(ground_truth(3), 3s);
    CHECK(arrives(3s));
    received.clear();
    serving.take(ground_truth(1), 1s);  // the next round
    CHECK(arrives(1s));
    serving.sink->finish();
}

TEST_CASE("a client that does not read delays nobody, and its losses are counted")
{
    Serving serving(one_channel());
    auto slow = open_client(serving);
    slow.send(client_frame(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]})"));
    const auto fast = open_network(parse_network_address(serving.client_address()));
    constexpr int messages = 400;
    const std::string payload = ground_truth(1, 100'000);
    std::atomic<int> received = 0;
    auto reading = std::async(std::launch::async, [&] {
        for (Frame frame; received < messages && fast->read(frame); ++received)
            if (text_of(frame.bytes) != payload) return false;
        return true;
    });
    for (int i = 0; i < messages; ++i) {
        serving.take(payload, std::chrono::milliseconds(i));
        comes_true([&] { return received >= i - 32; });  // the fast one keeps up
    }
    CHECK(reading.get());
    CHECK(received == messages);
    slow.close();
    CHECK(comes_true([&] { return serving.sink->counts().not_delivered > 100; }));
    CHECK(serving.said("read too slowly"));
}

TEST_CASE("what a client has not read when the wait for it ends is counted")
{
    Serving serving(one_channel(), "foxglove://127.0.0.1:0", 300ms);
    const auto slow = open_client(serving);
    slow.send(client_frame(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]})"));
    serving.take(ground_truth(1), 0s);
    for (std::string answer; answer.find(ground_truth(1)) == answer.npos;) answer += slow.receive(1);
    constexpr std::uint64_t messages = 60;  // fewer than are queued, more than the system takes
    for (std::uint64_t i = 0; i < messages; ++i) serving.take(ground_truth(1, 1'000'000), std::chrono::seconds(i));
    serving.sink->finish();
    const auto counts = serving.sink->counts();
    CHECK(counts.sent + counts.not_delivered == messages + 1);
    CHECK(counts.not_delivered > 10);
    CHECK(serving.said("read too slowly"));
}

TEST_CASE("requests that cannot be met are answered, logged and harmless")
{
    Serving serving(one_channel());
    const auto client = open_client(serving);
    const auto asked = [&](int opcode, const std::string& request, const std::string& answer) {
        client.send(client_frame(opcode, request));
        CHECK(comes_true([&] { return serving.said(answer); }));
    };
    asked(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":7}]})", "there is no channel 7");
    asked(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":0}]})", "there is no channel 0");
    asked(1, R"({"op":"unsubscribe","subscriptionIds":[5]})", "there is no subscription 5");
    asked(1, R"({"op":"fetchAsset"})", "op 'fetchAsset' is not supported");
    asked(1, "nonsense", "a message that is not JSON");
    asked(2, "binary", "unexpected binary message");
    asked(
        1,
        R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":7},{"id":2,"channelId":7},{"id":3,"channelId":1}]})",
        "subscription 1: there is no channel 7 (and 1 more like it)");
    asked(1, R"({"op":"unsubscribe","subscriptionIds":[3,5,6,7]})", "there is no subscription 5 (and 2 more like it)");
    asked(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":1,"channelId":1}]})",
          "subscription 1 exists already");
    serving.take(ground_truth(1), 1s);
    const auto source = open_network(parse_network_address(serving.client_address()));
    serving.sink->finish();
    CHECK(texts_of(*source).size() == 1);
}

TEST_CASE("peers that are no Foxglove clients are refused, and clients that break WebSocket are disconnected")
{
    Serving serving(one_channel());
    const auto other = raw_client(serving, "Sec-WebSocket-Protocol: mqtt, graphql-ws\r\n");
    const std::string why = "offers 'mqtt, graphql-ws', expected foxglove.sdk.v1 or foxglove.websocket.v1";
    const auto answer = other.receive();
    CHECK(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"));
    CHECK(answer.ends_with("\r\n\r\n" + why));
    CHECK(other.receive().empty());
    CHECK(comes_true([&] { return serving.said(why); }));
    const auto none = raw_client(serving, "");
    CHECK(none.receive().ends_with("offers no subprotocol, expected foxglove.sdk.v1 or foxglove.websocket.v1"));
    const auto in_two_fields =
        raw_client(serving, "Sec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n");
    CHECK(in_two_fields.receive().starts_with("HTTP/1.1 101 "));
    const auto web = RawSocket::connected(SOCK_STREAM, serving.sink->address().port);
    web.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(web.receive().ends_with("handshake: no request for a WebSocket"));
    CHECK(web.receive().empty());
    CHECK(comes_true([&] { return serving.said("no request for a WebSocket"); }));
    const auto noise = RawSocket::connected(SOCK_STREAM, serving.sink->address().port);
    noise.send("\x16\x03\x01\r\n\r\n");
    const auto endless = RawSocket::connected(SOCK_STREAM, serving.sink->address().port);
    try {
        for (int i = 0; i < 100; ++i) endless.send("X: " + std::string(1000, 'x') + "\r\n");
    } catch (const std::runtime_error&) {  // it was cut off
    }
    auto unmasked = open_client(serving);
    unmasked.send(std::string("\x81\x02{}"));
    while (!unmasked.receive().empty()) {
    }
    unmasked.close();
    CHECK(comes_true([&] { return serving.said("The WebSocket frame was unmasked"); }));
    const auto large = open_client(serving);
    large.send(client_frame(1, std::string((1 << 20) + 1, ' ')).substr(0, 100'000));
    const auto text = open_client(serving);
    text.send(client_frame(1, "\xff\xfe"));
    serving.take(ground_truth(1), 1s);
    const auto source = open_network(parse_network_address(serving.client_address()));
    Frame frame;
    CHECK(source->read(frame));
}

TEST_CASE("a client may vanish at any byte")
{
    Serving serving(one_channel());
    const auto subscribe = client_frame(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]})");
    for (std::size_t size = 0; size <= subscribe.size(); ++size) {
        const auto client = open_client(serving);
        client.send(subscribe.substr(0, size));
        serving.take(ground_truth(1), 1s);
    }
    const auto source = open_network(parse_network_address(serving.client_address()));
    Frame frame;
    CHECK(source->read(frame));
}

TEST_CASE("more than 64 clients are refused until one leaves")
{
    Serving serving(one_channel());
    std::vector<RawSocket> clients;
    for (int i = 0; i < 64; ++i) {
        clients.push_back(raw_client(serving));
        CHECK(clients.back().receive(1) == "H");  // HTTP/1.1 101
    }
    const auto refused = raw_client(serving);
    CHECK(comes_true([&] { return serving.said("64 clients are connected"); }));
    clients.pop_back();
    serving.take(ground_truth(1), 1s);
    CHECK(comes_true([&] {
        const auto again = raw_client(serving);
        try {
            return again.receive(1) == "H";
        } catch (const std::runtime_error&) {
            return false;
        }
    }));
}

TEST_CASE("a client has 4096 subscriptions and no more")
{
    Serving serving(one_channel());
    const auto client = open_client(serving);
    std::string subscriptions;
    for (int id = 1; id <= 4096; ++id)
        subscriptions += (id == 1 ? "" : ",") + (R"({"channelId":1,"id":)" + std::to_string(id)) + "}";
    client.send(client_frame(1, R"({"op":"subscribe","subscriptions":[)" + subscriptions + "]}"));
    client.send(client_frame(1, R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":1}]})"));
    CHECK(comes_true([&] { return serving.said("subscription 0 exceeds the limit of 4096"); }));
    CHECK_FALSE(serving.said("subscription 4096 is"));
}

TEST_CASE("a request of 256 KiB is read, a longer one ends the connection")
{
    Serving serving(one_channel());
    auto client = open_client(serving);
    const std::string request = R"({"op":"unsubscribe","subscriptionIds":[7]})";
    client.send(client_frame(1, request + std::string((256 << 10) - request.size(), ' ')));
    CHECK(comes_true([&] { return serving.said("there is no subscription 7"); }));
    try {
        client.send(client_frame(1, request + std::string((256 << 10) - request.size() + 1, ' ')));
        while (!client.receive().empty()) {
        }
    } catch (const std::runtime_error&) {  // it was cut off
    }
    client.close();
    CHECK(comes_true([&] { return serving.said("disconnected: "); }));
}

TEST_CASE("1024 channels are offered and all are followed, more are refused")
{
    std::vector<Channel> channels;
    // Each is advertised with its schema; that of GroundTruth is five times as large.
    for (int i = 0; i < 1023; ++i)
        channels.push_back(channel(MessageType::traffic_command_update, "c" + std::to_string(i)));
    channels.push_back(channel(MessageType::ground_truth, "c1023"));
    Serving serving(channels);
    const auto source = open_network(parse_network_address(serving.client_address()));
    serving.take(ground_truth(5), 5s, 1023);
    Frame frame;
    REQUIRE(source->read(frame));
    CHECK(frame.channel == 1023);
    CHECK(source->info().channels.size() == 1024);
    channels.push_back(channel(MessageType::ground_truth, "one more"));
    CHECK(error_of([&] {
              const Serving refused(channels);
              return 0;
          }).ends_with("the number of channels (1025) exceeds the limit of 1024: choose some with --topic"));
}

TEST_CASE("a viewer has one alert for losses, however many there are, and none a while after them")
{
    Serving serving(one_channel());
    Viewer viewer(serving);
    viewer.subscribe(1);
    serving.take(ground_truth(1), 0s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1; }));
    PlayStatus status;
    status.frames = 10;
    for (int i = 1; i <= 2; ++i) {
        ++status.lost;
        serving.sink->delivered(status);
        for (int k = 0; k < 100; ++k) serving.take(ground_truth(1, 1'000'000), std::chrono::seconds(100 * i + k));
        std::this_thread::sleep_for(1100ms);  // statuses come once a second
    }
    const std::set<std::string> told{"frames are dropped because the replay is late",
                                     "messages are dropped because this client reads too slowly"};
    CHECK(viewer.until([&] { return viewer.alerts.size() == 2; }));
    CHECK(viewer.until([&] { return viewer.alerts.empty(); }));
    CHECK(viewer.texts == told);
}

TEST_CASE("clients are warned of lateness only while more than 1 % of the frames are over 10 ms late")
{
    Serving serving(one_channel());
    Viewer viewer(serving);
    const auto frame = serving.made(ground_truth(1), 0);
    PlayStatus status;
    status.step = {&frame, 1};
    status.frames = 10;
    status.late = 9ms;
    serving.sink->delivered(status);
    serving.sink->tell_of_damage("frame 7 is bad");
    CHECK(viewer.until([&] { return !viewer.alerts.empty(); }));
    CHECK(viewer.has_alert("damage in the trace, the first place: frame 7 is bad"));
    CHECK(viewer.alerts.size() == 1);
    status.late = 11ms;
    const std::string late = "more than 1 % of the frames are over 10 ms late";
    for (; status.frames < 13; ++status.frames) {
        serving.sink->delivered(status);
        CHECK(viewer.until([&] { return viewer.has_alert(late); }));
    }
    status.late = 0ms;
    status.frames = 1000;
    serving.sink->delivered(status);
    CHECK(viewer.until([&] { return !viewer.has_alert(late); }));
    CHECK(viewer.texts.size() == 2);
}

TEST_CASE("clients, also late ones, receive the first damage and the reason for the end as a status")
{
    Serving serving(one_channel());
    Viewer first(serving);
    serving.sink->tell_of_damage("frame 7 is bad");
    serving.sink->tell_of_damage("frame 8 is bad");
    const std::string damage = "damage in the trace, the first place: frame 7 is bad";
    CHECK(first.until([&] { return first.has_alert(damage); }));
    serving.sink->tell_of_damage("frame 9 is bad");
    Viewer second(serving);
    CHECK(second.until([&] { return second.has_alert(damage); }));
    serving.sink->failed("frame 9 is broken");
    serving.sink->give_up();
    CHECK(first.until([&] { return first.has_alert("the replay ended: frame 9 is broken"); }));
    CHECK(first.texts.size() == 2);
}

TEST_CASE("a status says that viewers do not show a map that is sent only once")
{
    const auto with_map = ground_truth(1) + field(6, "");
    const std::string told =
        "the trace sends its map only once, and Lichtblick removes what the next message lacks: "
        "foxglove://?static=expand sends it with every message";
    Serving serving(one_channel());
    Viewer viewer(serving);
    viewer.subscribe(1);
    serving.take(with_map, 1s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1; }));
    serving.take(with_map, 2s);
    serving.take(ground_truth(3), 3s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 3; }));
    CHECK(viewer.texts.empty());                       // as where the last sign is out of sight
    serving.take(ground_truth(4) + field(9, ""), 4s);  // GroundTruth.lane_boundary
    serving.take(ground_truth(5), 5s);
    serving.take(ground_truth(6), 6s);
    CHECK(viewer.until([&] { return viewer.has_alert(told) && viewer.shown.size() == 6; }));
    Viewer late(serving);
    CHECK(late.until([&] { return late.has_alert(told); }));
    CHECK(viewer.texts.size() == 1);
}

TEST_CASE("with static=expand a server sends the map with every message")
{
    const auto lane = field(6, "");
    Serving serving({channel(MessageType::ground_truth, "a"), channel(MessageType::ground_truth, "b")},
                    "foxglove://127.0.0.1:0?static=expand");
    Viewer viewer(serving);
    viewer.subscribe(1);
    serving.take(ground_truth(1) + lane, 1s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 1; }));
    serving.take(ground_truth(2), 2s);
    serving.take(ground_truth(2), 2s, 1);  // of which there is no map
    serving.take(field(99, "broken").substr(0, 3), 3s);
    serving.take(ground_truth(4), 4s);
    CHECK(viewer.until([&] { return viewer.shown.size() == 4; }));
    CHECK(viewer.shown[1].payload == ground_truth(2) + lane);
    CHECK(viewer.shown[2].payload == field(99, "broken").substr(0, 3));
    CHECK(viewer.shown[3].payload == ground_truth(4) + lane);
    CHECK(serving.said("channel 'a': the map is not added: "));
    CHECK(viewer.texts.empty());
    Viewer late(serving);
    CHECK(late.until([&] { return !late.clocks.empty(); }));
    late.subscribe(2);
    CHECK(late.until([&] { return late.shown.size() == 2; }));
    CHECK(late.shown.back().payload == ground_truth(4) + lane);
    CHECK(late.shown.front().payload == ground_truth(2));
}

TEST_CASE("without enough subscribers within the wait a server fails")
{
    Serving serving(one_channel(), "foxglove://127.0.0.1:0?wait=0.01&subscribers=2");
    CHECK(error_of([&] {
              serving.sink->begin(serving.info, {});
              return 0;
          }).ends_with("0 of 2 subscribers within 10 ms"));
}

TEST_CASE("a server listens on the loopback unless told otherwise")
{
    CHECK(parse_network_address("foxglove://").host == "127.0.0.1");
    CHECK(parse_network_address("foxglove://").port == 8765);
    CHECK(parse_network_address("foxglove://:9000").host == "127.0.0.1");
    CHECK(parse_network_address("foxglove://:9000").port == 9000);
    CHECK(parse_network_address("foxglove://*").host == "*");
    CHECK(parse_network_address("foxglove://?wait=1").wait == 1s);
    CHECK(sender_listens(parse_network_address("foxglove://")));
    CHECK_FALSE(receiver_listens(parse_network_address("foxglove://")));
}

TEST_CASE("options of a sink are no options of a source")
{
    for (const auto* const text :
         {"foxglove://127.0.0.1:1?wait=1", "foxglove://127.0.0.1:1?subscribers=1", "foxglove://127.0.0.1:1?flatbuffers",
          "foxglove://127.0.0.1:1?static=expand", "tcp://127.0.0.1:1?wait=1", "udp://127.0.0.1:0?pace=1",
          "udp://127.0.0.1:0?part=100"}) {
        const auto address = parse_network_address(text);
        CHECK(error_of([&] { return open_network(address); }).ends_with("are options of a sink"));
    }
}

TEST_CASE("a server that is no Foxglove server is an error of the source")
{
    const auto listener = RawSocket::bound(SOCK_STREAM);
    auto opened = std::async(std::launch::async, [&] {
        return error_of([&] { return open_network(parse_network_address(address_text("foxglove", listener.port()))); });
    });
    const auto peer = listener.accept();
    SECTION("a web server")
    {
        peer.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        CHECK(opened.get().ends_with("the server declined the WebSocket: 404 Not Found"));
    }
    SECTION("one that says nothing anybody understands")
    {
        peer.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
        CHECK_FALSE(opened.get().empty());
    }
}
