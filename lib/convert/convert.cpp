// SPDX-License-Identifier: MPL-2.0
// Every thread does the same walk: read a batch and take a ticket (one at a time), convert it (all at once), write it
// (one at a time, in the order of the tickets). There are no queues: what is in flight is one batch per thread, and of
// large frames fewer.
#include <ositrace/convert.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/convert/batch.hpp"
#include "lib/convert/left_out.hpp"
#include "lib/convert/turnstile.hpp"
#include "lib/convert/type_watch.hpp"
#include "lib/mcap/osi_names.hpp"
#include "lib/trace/frame_error.hpp"

namespace ositrace {

namespace {

using length_prefix::prefix_bytes;  // in other containers a fair estimate

constexpr std::uint64_t batch_bytes = std::uint64_t{256} << 10;
constexpr std::size_t batch_frames = 512;
// With frames as large as this together in flight, one more would cost more memory than a converter may take.
constexpr std::uint64_t enough_in_flight = std::uint64_t{40} << 20;

/// Bytes that were read and not yet written.
class InFlight {
public:
    void add(std::uint64_t bytes)
    {
        const std::scoped_lock lock(mutex_);
        bytes_ += bytes;
    }
    void remove(std::uint64_t bytes)
    {
        {
            const std::scoped_lock lock(mutex_);
            bytes_ -= bytes;
        }
        changed_.notify_all();
    }
    void wait_for_room()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return bytes_ < enough_in_flight; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t bytes_ = 0;
};

/// Converters that no batch is in: the one used last, whose memory has its size already, is the next.
class IdleConverters {
public:
    explicit IdleConverters(const ConvertOptions& options) : options_(options) {}
    std::unique_ptr<BatchConverter> take()
    {
        const std::scoped_lock lock(mutex_);
        if (idle_.empty()) return std::make_unique<BatchConverter>(options_);
        auto converter = std::move(idle_.back());
        idle_.pop_back();
        return converter;
    }
    void put(std::unique_ptr<BatchConverter> converter)
    {
        const std::scoped_lock lock(mutex_);
        idle_.push_back(std::move(converter));
    }

private:
    const ConvertOptions& options_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<BatchConverter>> idle_;
};

// Where nothing is converted there is nothing to do beside reading and writing, and both happen one at a time.
unsigned thread_count(const ConvertOptions& options)
{
    if (!options.to) return 1;
    if (options.threads != 0) return options.threads;
    return std::max(1u, std::thread::hardware_concurrency());
}

class Conversion {
public:
    Conversion(FrameSource& from, TraceWriter& to, const ConvertOptions& options, std::stop_token stop)
        : from_(from),
          to_(to),
          options_(options),
          stop_(std::move(stop)),
          file_(from.info().file),
          threads_(thread_count(options)),
          told_{from.info().channels.size(), from.info().metadata.size(), from.info().attachments.size()},
          types_(file_),
          converters_(options)
    {
    }

    ConvertResult run();

private:
    void work();
    std::unique_ptr<BatchConverter> take(Batch& batch);
    void read(Batch& batch, BatchConverter& converter);
    void take_news(Batch::News& news);
    void tell(const Batch::News& news);
    void start_helper();
    void join_helpers();
    void deliver(Batch& batch);
    void deliver(Batch::Item& item);
    void write(const Batch::Item& item);
    void skip(const Batch::Item& item, const Error& why);
    [[nodiscard]] bool cancelling() const { return !options_.live && stop_.stop_requested(); }

    FrameSource& from_;
    TraceWriter& to_;
    const ConvertOptions& options_;
    const std::stop_token stop_;
    const std::filesystem::path file_;
    const unsigned threads_;

    std::mutex reading_;  // guards from_, next_ticket_, helpers_, told_, types_
    std::uint64_t next_ticket_ = 0;
    std::vector<std::thread> helpers_;
    struct {
        std::size_t channels, metadata, attachments;
    } told_;  // of the source's info(): the writer knows so many
    TypeWatch types_;
    std::atomic<bool> ended_ = false;      // nothing more is to be read
    std::atomic<bool> cancelled_ = false;  // frames were left behind because of a stop
    InFlight in_flight_;
    IdleConverters converters_;

    Turnstile turn_;  // guards to_, result_, failure_
    ConvertResult result_;
    std::exception_ptr failure_;
};

ConvertResult Conversion::run()
{
    work();
    join_helpers();
    if (failure_) std::rethrow_exception(failure_);
    if (cancelled_) throw Error(Cause::cancelled, {.file = file_}, "cancelled");
    count_left_out(from_.info(), to_, result_);
    result_.other_type = types_.found();
    result_.replaced_publish_times = to_.replaced_publish_times();
    result_.replaced_texts = to_.replaced_texts();
    return result_;
}

void Conversion::work()
{
    Batch batch;
    while (auto converter = take(batch)) {
        converter->convert(batch);
        turn_.wait(batch.ticket);
        deliver(batch);
        turn_.pass();
        converters_.put(std::move(converter));
        const auto bytes = batch.bytes_in;
        batch.clear();
        in_flight_.remove(bytes);
    }
}

/// Null: nothing more is to be read.
std::unique_ptr<BatchConverter> Conversion::take(Batch& batch)
{
    const std::scoped_lock lock(reading_);
    in_flight_.wait_for_room();
    if (ended_) return nullptr;
    auto converter = converters_.take();
    batch.clear();
    batch.ticket = next_ticket_++;
    try {
        read(batch, *converter);
    } catch (...) {
        batch.read_error = std::current_exception();
        ended_ = true;
    }
    in_flight_.add(batch.bytes_in);
    take_news(batch.news);
    batch.bytes_consumed = from_.bytes_consumed();
    batch.bytes_total = from_.bytes_total();
    if (!ended_) start_helper();
    return converter;
}

void Conversion::read(Batch& batch, BatchConverter& converter)
{
    do {
        Batch::Item item;
        if (cancelling() || !from_.read(item.frame, stop_)) {
            if (cancelling()) cancelled_ = true;
            ended_ = true;
            return;
        }
        const auto& channel = from_.info().channels.at(item.frame.channel);
        converter.know(item.frame.channel, channel);
        types_.look_at(item.frame, channel);
        item.other_times = !to_.holds_records() && has_other_times(item.frame, channel);
        item.bytes_in = item.frame.bytes.size();
        batch.bytes_in += item.bytes_in;
        batch.items.push_back(std::move(item));
    } while (!options_.live && batch.bytes_in < batch_bytes && batch.items.size() < batch_frames);
}

void Conversion::take_news(Batch::News& news)
{
    const auto take = [](auto& to, const auto& from, std::size_t& told) {
        to.assign(from.begin() + static_cast<std::ptrdiff_t>(told), from.end());
        told = from.size();
    };
    const auto& info = from_.info();
    take(news.channels, info.channels, told_.channels);
    take(news.metadata, info.metadata, told_.metadata);
    take(news.attachments, info.attachments, told_.attachments);
}

void Conversion::tell(const Batch::News& news)
{
    for (const auto& channel : news.channels) to_.add_channel(converted_channel(channel, options_.to));
    if (!to_.holds_records()) return;
    for (const auto& record : news.metadata) to_.add_metadata(record);
    for (const auto& attachment : news.attachments) to_.add_attachment(attachment);
}

void Conversion::start_helper()
{
    if (helpers_.size() + 1 >= threads_) return;
    try {
        helpers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // No more threads to be had: those there are do the work.
    }
}

void Conversion::join_helpers()
{
    std::vector<std::thread> helpers;
    {
        const std::scoped_lock lock(reading_);
        helpers = std::move(helpers_);
    }
    for (auto& helper : helpers) helper.join();
}

void Conversion::deliver(Batch& batch)
{
    if (failure_) return;
    try {
        tell(batch.news);
        for (auto& item : batch.items) {
            if (cancelling()) {
                cancelled_ = ended_ = true;
                return;
            }
            deliver(item);
        }
        if (options_.on_progress && !batch.items.empty())
            options_.on_progress(
                {result_.frames, result_.bytes_in, result_.bytes_out, batch.bytes_consumed, batch.bytes_total});
        if (batch.read_error) std::rethrow_exception(batch.read_error);
    } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
    }
}

void Conversion::deliver(Batch::Item& item)
{
    result_.bytes_in += item.bytes_in + prefix_bytes;
    if (item.error) {
        try {
            std::rethrow_exception(item.error);
        } catch (const Error& e) {
            return skip(item, within_frame(e, item.frame, file_));
        }
    }
    write(item);
    ++result_.frames;
    result_.bytes_out += item.frame.bytes.size() + prefix_bytes;
    result_.dropped_unknown_fields += item.dropped_unknown_fields;
    result_.other_wire_form += item.other_wire_form ? 1 : 0;
    result_.other_times += item.other_times ? 1 : 0;
}

void Conversion::write(const Batch::Item& item)
{
    const auto dropped_before = to_.dropped_unknown_fields();
    to_.write(item.frame);
    const auto dropped = to_.dropped_unknown_fields() - dropped_before;
    if (options_.strict && dropped != 0)
        throw Error(Cause::lossy, {.file = file_, .frame = item.frame.index, .offset = item.frame.offset},
                    std::to_string(dropped) + " fields that the schema does not know cannot be kept");
    result_.dropped_unknown_fields += dropped;
}

void Conversion::skip(const Batch::Item& item, const Error& why)
{
    if (!options_.skip_bad_frames) throw why;
    ++result_.skipped;
    if (options_.on_skip) options_.on_skip({item.frame.index, item.frame.offset, item.bytes_in + prefix_bytes, why});
}

}  // namespace

ConvertResult convert(FrameSource& from, TraceWriter& to, const ConvertOptions& options, std::stop_token stop)
{
    return Conversion(from, to, options, std::move(stop)).run();
}

TraceInfo converted_info(const TraceInfo& from, std::optional<Format> to)
{
    auto info = from;
    info.file.clear();
    info.container.clear();
    info.compression.clear();
    for (auto& channel : info.channels) channel = converted_channel(channel, to);
    return info;
}

// What the container said of the old form goes.
Channel converted_channel(const Channel& from, std::optional<Format> to)
{
    auto channel = from;
    if (!channel.root || !to || same_form(channel.format, *to)) return channel;
    channel.format = *to;
    channel.message_encoding.clear();
    channel.schema_record = nullptr;
    channel.metadata.erase(std::string(mcap::osi::channel_protobuf_version_key));
    return channel;
}

}  // namespace ositrace
