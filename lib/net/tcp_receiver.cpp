// SPDX-License-Identifier: MPL-2.0
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/network_framing.hpp>

#include "lib/net/receiver.hpp"
#include "lib/net/tcp_connection.hpp"
#include "lib/net/transports.hpp"

namespace ositrace::net {

namespace {

/// The memory of messages that nobody holds any more. Any thread.
class UsedMemory {
public:
    /// The message, whose memory returns here.
    static std::shared_ptr<const ByteBuffer> lend(const std::shared_ptr<UsedMemory>& memory, ByteBuffer message)
    {
        return {new ByteBuffer(std::move(message)), [memory](ByteBuffer* used) { memory->put(used); }};
    }
    /// Empty where there is none.
    [[nodiscard]] ByteBuffer take()
    {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return {};
        auto memory = std::move(*free_.back());
        free_.pop_back();
        return memory;
    }

private:
    static constexpr std::size_t most = 4;

    void put(ByteBuffer* used) noexcept
    {
        std::unique_ptr<ByteBuffer> memory(used);
        const std::lock_guard lock(mutex_);
        if (free_.size() < most) free_.push_back(std::move(memory));  // there is room for all
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<ByteBuffer>> free_ = [] {
        std::vector<std::unique_ptr<ByteBuffer>> list;
        list.reserve(most);
        return list;
    }();
};

class TcpReceiver final : public Receiver {
public:
    TcpReceiver(const NetworkAddress& address, ReceiverOptions options)
        : options_(std::move(options)),
          listens_(receiver_listens(address)),
          connection_(address, listens_),
          assembly_(options_.max_message_bytes)
    {
    }

    std::uint16_t port() const override { return connection_.port(); }
    bool receive(Received& message, const std::stop_token& stop) override;
    void end() override
    {
        if (const auto part = assembly_.cut_off(); !part.empty()) options_.lost(ended_after(part), 1);
    }
    std::uint64_t bytes() const noexcept override { return bytes_; }

private:
    enum class Step : std::uint8_t { more, message, stopped, gone };
    Step step(const std::stop_token& stop);
    [[nodiscard]] bool goes_on_without(const std::error_code& error);
    [[nodiscard]] bool awaits_sender() const noexcept { return listens_ && !received_; }
    void begin_anew();

    ReceiverOptions options_;
    bool listens_;
    bool received_ = false;  ///< a message: before, any peer may have connected
    TcpConnection connection_;
    MessageAssembly assembly_;
    std::shared_ptr<UsedMemory> memory_ = std::make_shared<UsedMemory>();
    std::uint64_t bytes_ = 0;
    std::uint64_t offset_ = 0;  ///< of the message in progress
    std::error_code error_;     ///< with which the connection ended
};

bool TcpReceiver::receive(Received& message, const std::stop_token& stop)
{
    while (true) {
        if (!connection_.socket() && !connection_.wait(std::nullopt, stop)) return false;
        const auto result = step(stop);
        if (result == Step::stopped) return false;
        if (result == Step::gone) {
            if (!goes_on_without(error_)) return false;
        } else if (result == Step::message) {
            const auto payload = UsedMemory::lend(memory_, assembly_.take());
            assembly_.reuse(memory_->take());
            message = {payload->bytes(), payload, offset_};
            offset_ = bytes_;
            received_ = true;
            return true;
        }
    }
}

TcpReceiver::Step TcpReceiver::step(const std::stop_token& stop)
{
    if (stop.stop_requested()) return Step::stopped;
    const auto space = assembly_.wanted();
    std::error_code error;
    const auto count = receive_some(connection_.socket(), space, error);
    if (count > 0) {
        bytes_ += count;
        try {
            return assembly_.filled(count) ? Step::message : Step::more;
        } catch (const Error& damage) {
            const auto where = offset_;
            begin_anew();  // the start of the next message is unknown
            if (awaits_sender()) {
                options_.note("a peer that is no sender was disconnected: " + damage.reason());
                return Step::more;
            }
            throw damage.within({.offset = where});
        }
    }
    if (error && would_block(error))
        return connection_.waiting().wait(connection_.socket(), Ready::to_read, std::nullopt, stop) == Waited::stopped
                   ? Step::stopped
                   : Step::more;
    error_ = error;
    return Step::gone;
}

void TcpReceiver::begin_anew()
{
    connection_.drop();
    assembly_ = MessageAssembly(options_.max_message_bytes);
    offset_ = bytes_;
}

/// Returns false at the end of the stream. Throws Error if it ended within a message.
bool TcpReceiver::goes_on_without(const std::error_code& error)
{
    const auto why = error ? ": " + error.message() : std::string{};
    const auto cut_off = assembly_.cut_off();
    const auto where = offset_;
    begin_anew();
    if (awaits_sender() && cut_off.empty()) {
        options_.note("a peer connected and disconnected, and sent nothing");
        return true;
    }
    if (options_.next_sender || awaits_sender()) {
        if (!cut_off.empty()) options_.lost("the sender disconnected after " + cut_off + " of a message" + why, 1);
        return true;
    }
    if (!cut_off.empty())
        throw Error(Cause::truncated, {.offset = where},
                    "the sender disconnected after " + cut_off + " of a message" + why);
    if (error) throw Error(Cause::io, {.offset = where}, "the sender disconnected" + why);
    return false;
}

}  // namespace

std::unique_ptr<Receiver> make_tcp_receiver(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<TcpReceiver>(address, options);
}

}  // namespace ositrace::net
