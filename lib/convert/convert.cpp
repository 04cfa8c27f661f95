// SPDX-License-Identifier: MPL-2.0
// Every thread repeats the same three steps: read a batch and get a ticket (one thread at a time), convert the batch
// (all threads at once), write it (one thread at a time, in the order of the tickets). There are no queues: the frames
// in memory are one batch per thread, and fewer if frames are large.
#include <ositrace/convert.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/convert/frame_converter.hpp"
#include "lib/convert/left_out.hpp"
#include "lib/system/processors.hpp"
#include "lib/trace/other_type.hpp"

namespace ositrace {

namespace {

using length_prefix::prefix_bytes;  // in other containers an estimate

constexpr std::uint64_t batch_bytes = std::uint64_t{256} << 10;
constexpr std::size_t batch_frames = 512;
// Reading waits while this many bytes are in memory: the memory of a conversion stays bounded.
constexpr std::uint64_t max_bytes_in_flight = std::uint64_t{40} << 20;

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
        changed_.wait(lock, [&] { return bytes_ < max_bytes_in_flight; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t bytes_ = 0;
};

/// Converters without a batch. The last one used is the next: its buffers have their size already.
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

/// Lets threads pass one at a time, in the order of their tickets 0, 1, 2 ... The next thread sees what the previous
/// one wrote before pass().
class Turnstile {
public:
    /// Returns when every smaller ticket has passed. Every ticket must come, and pass.
    void wait(std::uint64_t ticket)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == ticket; });
    }
    void pass()
    {
        {
            const std::scoped_lock lock(mutex_);
            ++turn_;
        }
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t turn_ = 0;
};

/// Samples whether messages have the type of their channel: of each channel number 0, 1, 2, 4, 8 ... and every 256th,
/// until one does not. That costs a conversion nothing. One thread at a time.
class TypeSampler {
public:
    explicit TypeSampler(std::filesystem::path file) : file_(std::move(file)) {}
    void sample(const Frame& frame, const Channel& channel)
    {
        constexpr std::uint64_t frames_between = 256;
        if (seen_.size() <= frame.channel) seen_.resize(frame.channel + std::size_t{1});
        const auto number = seen_[frame.channel]++;
        if (found_ || (number % frames_between != 0 && !std::has_single_bit(number))) return;
        const auto other = other_type_of(frame.bytes, channel);
        if (!other) return;
        const auto topic = channel.topic.empty() ? std::string() : "a message of '" + channel.topic + "' ";
        found_ = Error(Cause::mismatch, {.file = file_, .frame = frame.index, .offset = frame.offset, .field = {}},
                       topic + *other);
    }
    /// `run.osi: frame 20 at byte 1921963: fits SensorView, not GroundTruth`
    [[nodiscard]] const std::optional<Error>& found() const noexcept { return found_; }

private:
    std::filesystem::path file_;
    std::vector<std::uint64_t> seen_;  ///< by channel
    std::optional<Error> found_;
};

// Where frames are only copied more threads are useless: reading and writing happen one at a time.
unsigned thread_count(const ConvertOptions& options)
{
    if (!options.to && !options.read_copied) return 1;
    if (options.threads != 0) return options.threads;
    return usable_processors();
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
          known_{from.info().channels.size(), from.info().metadata.size(), from.info().attachments.size()},
          types_(file_),
          converters_(options)
    {
    }

    ConvertResult run();

private:
    void work();
    std::unique_ptr<BatchConverter> read_batch(ConvertBatch& batch);
    void fill(ConvertBatch& batch, BatchConverter& converter);
    void collect_additions(ConvertBatch::Additions& additions);
    void write_additions(const ConvertBatch::Additions& additions);
    void start_helper();
    void join_helpers();
    void write_batch(ConvertBatch& batch);
    void write_item(const ConvertBatch::Item& item);
    void write_frame(const Frame& frame);
    void skip(const ConvertBatch::Item& item, const Error& why);
    [[nodiscard]] bool cancelling() const { return !options_.live && stop_.stop_requested(); }

    FrameSource& from_;
    TraceWriter& to_;
    const ConvertOptions& options_;
    const std::stop_token stop_;
    const std::filesystem::path file_;
    const unsigned threads_;

    std::mutex reading_;  // guards from_, next_ticket_, helpers_, known_, types_
    std::uint64_t next_ticket_ = 0;
    std::vector<std::thread> helpers_;
    struct {
        std::size_t channels, metadata, attachments;
    } known_;  // sizes of the lists in the source's info() that the writer knows
    TypeSampler types_;
    std::atomic<bool> ended_ = false;      // no more frames are read
    std::atomic<bool> cancelled_ = false;  // a stop was requested before the last frame
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
    ConvertBatch batch;
    while (auto converter = read_batch(batch)) {
        converter->convert(batch);
        turn_.wait(batch.ticket);
        write_batch(batch);
        turn_.pass();
        converters_.put(std::move(converter));
        const auto bytes = batch.bytes_in;
        batch.clear();
        in_flight_.remove(bytes);
    }
}

/// Null: no more frames.
std::unique_ptr<BatchConverter> Conversion::read_batch(ConvertBatch& batch)
{
    const std::scoped_lock lock(reading_);
    in_flight_.wait_for_room();
    if (ended_) return nullptr;
    auto converter = converters_.take();
    batch.clear();
    batch.ticket = next_ticket_++;
    try {
        fill(batch, *converter);
    } catch (...) {
        batch.read_error = std::current_exception();
        ended_ = true;
    }
    in_flight_.add(batch.bytes_in);
    collect_additions(batch.additions);
    batch.bytes_consumed = from_.bytes_consumed();
    batch.bytes_total = from_.bytes_total();
    if (!ended_) start_helper();
    return converter;
}

void Conversion::fill(ConvertBatch& batch, BatchConverter& converter)
{
    do {
        ConvertBatch::Item item;
        if (cancelling() || !from_.read(item.frame, stop_)) {
            if (cancelling()) cancelled_ = true;
            ended_ = true;
            return;
        }
        const auto& channel = from_.info().channels.at(item.frame.channel);
        converter.add_channel(item.frame.channel, channel);
        types_.sample(item.frame, channel);
        if (!to_.holds_records()) item.kept_time = kept_time_of(item.frame, channel);
        item.bytes_in = item.frame.bytes.size();
        batch.bytes_in += item.bytes_in;
        batch.items.push_back(std::move(item));
    } while (!options_.live && batch.bytes_in < batch_bytes && batch.items.size() < batch_frames);
}

void Conversion::collect_additions(ConvertBatch::Additions& additions)
{
    const auto collect = [](auto& to, const auto& from, std::size_t& known) {
        to.assign(from.begin() + static_cast<std::ptrdiff_t>(known), from.end());
        known = from.size();
    };
    const auto& info = from_.info();
    collect(additions.channels, info.channels, known_.channels);
    collect(additions.metadata, info.metadata, known_.metadata);
    collect(additions.attachments, info.attachments, known_.attachments);
}

void Conversion::write_additions(const ConvertBatch::Additions& additions)
{
    for (const auto& channel : additions.channels) to_.add_channel(converted_channel(channel, options_.to));
    if (!to_.holds_records()) return;
    for (const auto& record : additions.metadata) to_.add_metadata(record);
    for (const auto& attachment : additions.attachments) to_.add_attachment(attachment);
}

void Conversion::start_helper()
{
    if (helpers_.size() + 1 >= threads_) return;
    try {
        helpers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // The system has no more threads: the existing ones do the work.
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

void Conversion::write_batch(ConvertBatch& batch)
{
    if (failure_) return;
    try {
        write_additions(batch.additions);
        for (auto& item : batch.items) {
            if (cancelling()) {
                cancelled_ = ended_ = true;
                return;
            }
            write_item(item);
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

void Conversion::write_item(const ConvertBatch::Item& item)
{
    result_.bytes_in += item.bytes_in + prefix_bytes;
    const auto dropped_before = to_.dropped_unknown_fields();
    try {
        if (item.error) std::rethrow_exception(item.error);
        write_frame(item.frame);
    } catch (const Error& e) {
        if (!item.error && !is_damage(e)) throw;
        const auto error = within_frame(e, item.frame, file_);
        if (!options_.skip_bad_frames) throw error;
        return skip(item, error);
    }
    const auto dropped = to_.dropped_unknown_fields() - dropped_before;
    if (options_.strict && dropped != 0)
        throw Error(
            Cause::lossy, {.file = file_, .frame = item.frame.index, .offset = item.frame.offset},
            "the output cannot store fields that the schema does not define (found " + std::to_string(dropped) + ")");
    ++result_.frames;
    result_.bytes_out += item.frame.bytes.size() + prefix_bytes;
    result_.dropped_unknown_fields += item.dropped_unknown_fields + dropped;
    result_.other_wire_form += item.other_wire_form ? 1 : 0;
    count_kept_time(item.kept_time, result_.other_times, result_.lost_times);
}

/// A writer may find damage that nothing else looked for: MCAP needs times and versions, text all fields. It then has
/// written nothing of the frame. The damage is in the input.
void Conversion::write_frame(const Frame& frame)
try {
    to_.write(frame);
} catch (const Error& e) {
    if (!is_damage(e)) throw;
    throw e.moved_to({.file = {}, .frame = {}, .offset = e.where().offset, .field = e.where().field});
}

void Conversion::skip(const ConvertBatch::Item& item, const Error& why)
{
    ++result_.skipped;
    if (options_.on_skip)
        options_.on_skip({item.frame.index, item.frame.offset, item.bytes_in + prefix_bytes, why, 0, 1});
}

}  // namespace

ConvertResult convert(FrameSource& from, TraceWriter& to, const ConvertOptions& options, std::stop_token stop)
{
    return Conversion(from, to, options, std::move(stop)).run();
}

}  // namespace ositrace
