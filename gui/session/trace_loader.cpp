// SPDX-License-Identifier: MPL-2.0
#include "gui/session/trace_loader.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_name.hpp>

#include "gui/remote/remote_file.hpp"
#include "lib/system/file.hpp"
#include "lib/system/thread.hpp"

#ifdef OSITRACE_TEXT_INPUT
#include <ositrace/libprotobuf_text_parser.hpp>
#endif

namespace ositrace::gui {

namespace {

std::size_t max_message_bytes = default_max_message_bytes;
std::mutex map_mutex;
std::filesystem::path map_file;  // of map_mutex

constexpr std::size_t most_messages = 64;
constexpr std::size_t most_bytes = std::size_t{16} << 20;

class FirstMessages final : public Trace {
public:
    FirstMessages(TraceInfo info, std::vector<std::vector<Frame>> frames)
        : info_(std::move(info)), frames_(std::move(frames))
    {
    }

    const TraceInfo& info() const noexcept override { return info_; }
    std::uint64_t frame_count(std::uint32_t channel) const override { return frames_.at(channel).size(); }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override
    {
        if (i < frames_.at(channel).size()) return frames_[channel][i];
        throw Error(Cause::usage, {.file = info_.file}, "frame " + std::to_string(i) + " is not read yet");
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return frame(channel, i).bytes.size();
    }
    FrameSizes frame_sizes(std::uint32_t channel) const override
    {
        FrameSizes sizes;
        for (const auto& each : frames_.at(channel)) {
            sizes.smallest =
                sizes.total == 0 ? each.bytes.size() : std::min<std::uint64_t>(sizes.smallest, each.bytes.size());
            sizes.largest = std::max<std::uint64_t>(sizes.largest, each.bytes.size());
            sizes.total += each.bytes.size();
        }
        return sizes;
    }
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        std::optional<std::uint64_t> found;
        for (std::uint64_t i = 0; i != frames_.at(channel).size(); ++i)
            if (const auto& time = frames_[channel][i].time; time && *time <= t) found = i;
        return found;
    }
    std::unique_ptr<TraceReader> reader() const override
    {
        throw Error(Cause::unsupported, {.file = info_.file}, "only its first messages are in memory");
    }

private:
    TraceInfo info_;
    std::vector<std::vector<Frame>> frames_;  ///< by channel
};

std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel)
try {
    return timestamp_of(frame.bytes, channel);
} catch (const Error&) {
    return std::nullopt;
}

/// Reads up to the limits, the end, or the first damage.
std::vector<std::vector<Frame>> read_first(FrameSource& stream, const std::stop_token& stop)
{
    std::vector<std::vector<Frame>> frames;
    std::size_t bytes = 0;
    try {
        Frame frame;
        for (std::size_t i = 0; i != most_messages && bytes < most_bytes && stream.read(frame, stop); ++i) {
            frames.resize(std::max(frames.size(), stream.info().channels.size()));
            const auto& channel = stream.info().channels.at(frame.channel);
            if (!frame.time && channel.root != nullptr) frame.time = time_of(frame, channel);
            bytes += frame.bytes.size();
            frames[frame.channel].push_back(std::exchange(frame, {}));
        }
    } catch (const std::exception&) {  // opening the file reports it
    }
    frames.resize(stream.info().channels.size());
    return frames;
}

/// The first messages of a file as a trace in memory, to be shown while the whole file is being read. Null if none can
/// be read; opening the file reports the error. `file` is read from its start: not a pipe.
std::shared_ptr<const Trace> first_messages(const std::filesystem::path& file, OpenOptions options)
try {
    options.threads = 1;
    const auto stream = open_stream(file, options);
    auto frames = read_first(*stream, options.stop);
    if (std::all_of(frames.begin(), frames.end(), [](const auto& each) { return each.empty(); })) return nullptr;
    return std::make_shared<FirstMessages>(stream->info(), std::move(frames));
} catch (const std::exception&) {
    return nullptr;
}

using Clock = std::chrono::steady_clock;

constexpr auto publish_interval = std::chrono::milliseconds(100);
constexpr std::uint64_t messages_at_once = 32;  // then stop and publication are checked
constexpr int walks_per_channel = 16;

/// Number of messages of a channel in `first`, which may be null; at least one.
std::uint64_t count_in(const Trace* first, const Channel& channel)
{
    std::uint64_t count = 1;
    if (first == nullptr) return count;
    const auto& infos = first->info().channels;
    for (std::uint32_t i = 0; i != infos.size(); ++i)
        if (infos[i].topic == channel.topic && infos[i].type_name == channel.type_name)
            count = std::max(count, first->frame_count(i));
    return count;
}

/// Reads the message times of the channels of a trace alternately, and publishes them.
class ChannelWalks {
public:
    explicit ChannelWalks(const std::shared_ptr<const Trace>& trace) : trace_(trace)
    {
        for (std::uint32_t i = 0; i != trace->info().channels.size(); ++i) walks_.emplace_back(trace, i);
        published_.channels.resize(walks_.size(), std::make_shared<const MessageTimes>());
    }

    /// Reads the times of the first message of each channel, and of those already shown.
    void begin(const Trace* shown, const std::stop_token& stop)
    {
        for (std::size_t i = 0; i != walks_.size(); ++i)
            if (!stop.stop_requested()) walks_[i].walk(count_in(shown, trace_->info().channels[i]));
    }

    /// Reads the times of some messages of the current channel. Returns false at the end of all channels.
    bool walk_on()
    {
        for (std::size_t ended = 0; ended != walks_.size(); ++ended) {
            const bool more = walks_[current_].walk(messages_at_once);
            if (!more || ++times_ == walks_per_channel) next_channel();
            if (more) return true;
        }
        return false;
    }

    const IndexedTimes& publish()
    {
        for (std::size_t i = 0; i != walks_.size(); ++i) {
            const auto& times = walks_[i].times();
            auto& published = published_.channels[i];
            const bool grew = times.count != published->count || times.complete != published->complete;
            if (grew) published = std::make_shared<const MessageTimes>(times);
            if (!walks_[i].problem().empty()) published_.problem = QString::fromStdString(walks_[i].problem());
        }
        published_.progress = progress();
        return published_;
    }

private:
    void next_channel()
    {
        current_ = (current_ + 1) % walks_.size();
        times_ = 0;
    }

    /// By the position of the last message in the file.
    [[nodiscard]] std::optional<double> progress() const
    try {
        const bool complete =
            std::all_of(walks_.begin(), walks_.end(), [](const auto& each) { return each.times().complete; });
        if (complete) return 1.0;
        const auto& info = trace_->info();
        std::uint64_t known = 0;
        std::uint64_t all = 0;
        for (std::uint32_t i = 0; i != walks_.size(); ++i) {
            const auto count = walks_[i].times().count;
            if (info.container.index) {
                known += count;
                all += trace_->frame_count(i);
            } else if (!info.is_compressed() && count != 0) {
                known = trace_->frame(i, count - 1).offset;
                all = std::filesystem::file_size(info.file);
            }
        }
        if (all == 0) return std::nullopt;
        return std::min(1.0, static_cast<double>(known) / static_cast<double>(all));
    } catch (const std::exception&) {
        return std::nullopt;
    }

    std::shared_ptr<const Trace> trace_;
    std::vector<TimesWalk> walks_;
    std::size_t current_ = 0;  ///< index of the current channel
    int times_ = 0;            ///< how often in a row the current channel was read
    IndexedTimes published_;
};

/// Reading a device, or a pipe without a writer, may never end.
void refuse_endless(const std::filesystem::path& file)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (file == "-" || !exists(status) || is_directory(status) || is_regular_file(status)) return;
    throw Error(Cause::unsupported, {.file = file}, "not a regular file. Use - to read a pipe from standard input.");
}

QString error_text(const std::exception& error, const std::filesystem::path& file)
{
    const auto* const typed = dynamic_cast<const Error*>(&error);
    std::error_code failed;
    if (typed != nullptr && typed->cause() == Cause::ambiguous && std::filesystem::file_size(file, failed) == 0 &&
        !failed)
        return QStringLiteral("%1: the file is empty").arg(QString::fromStdString(file.string()));
    return QString::fromStdString(error.what());
}

}  // namespace

/// Warnings of the library, each once. Any thread.
class TraceLoader::Notes {
public:
    void add(const Error& warning)
    {
        const auto text = QString::fromStdString(warning.what());
        const std::scoped_lock lock(mutex_);
        if (!lines_.contains(text)) lines_ += text;
    }
    [[nodiscard]] IndexedTimes with(IndexedTimes times)
    {
        const std::scoped_lock lock(mutex_);
        times.notes = lines_;
        return times;
    }

private:
    std::mutex mutex_;
    QStringList lines_;
};

void set_max_message_bytes(std::size_t bytes) noexcept { max_message_bytes = bytes; }

void set_map_file(const std::filesystem::path& file)
{
    const std::scoped_lock lock(map_mutex);
    map_file = file;
}

OpenOptions viewer_open_options(std::optional<MessageType> type)
{
    OpenOptions options;
    options.type = type;
    options.max_message_bytes = max_message_bytes;
#ifdef OSITRACE_TEXT_INPUT
    options.text_parser = libprotobuf_text_parser();
#endif
    return options;
}

QStringList opened_extensions()
{
    QStringList all;
    for (const auto& each : trace_extensions())
        if (!each.container.text || viewer_open_options({}).text_parser) all += QString::fromUtf8(each.text);
    return all;
}

QStringList written_extensions(bool texts)
{
    QStringList all;
    for (const auto& each : trace_extensions())
        if (each.is_written && (texts || !each.container.text)) all += QString::fromUtf8(each.text);
    return all;
}

QString name_patterns(const QStringList& extensions)
{
    QStringList patterns;
    for (const auto& each : extensions) patterns += '*' + each + " *" + each + ".*";
    return patterns.join(' ');
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) noexcept
{
    const auto status = status_of(file);
    if (!status || status->kind != FileKind::regular) return std::nullopt;
    const auto changed = std::chrono::seconds(status->changed.seconds) + Nanoseconds(status->changed.nanoseconds);
    return FileStamp{status->identity.volume, status->identity.number, status->bytes, changed};
}

QString why_not_opened(const std::filesystem::path& file, std::optional<MessageType> type, const std::stop_token& stop)
{
    try {
        auto options = viewer_open_options(type);
        options.stop = stop;
        static_cast<void>(open_stream(file, options));
        return {};
    } catch (const std::exception& error) {
        return error_text(error, file);
    }
}

TraceLoader::TraceLoader(std::filesystem::path file, OpenOptions options, bool in_whole, QObject* parent)
    : Loader(parent),
      file_(std::move(file)),
      notes_(std::make_shared<Notes>()),
      options_(std::move(options)),
      in_whole_(in_whole)
{
    options_.on_warning = [notes = notes_](const Error& warning) { notes->add(warning); };
}

TraceLoader::~TraceLoader() { stop(); }

void TraceLoader::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void TraceLoader::stop() { thread_.request_stop(); }

void TraceLoader::run(const std::stop_token& stop)
{
    stamp_ = stamp_of(file_);
    try {
        refuse_endless(file_);
        options_.stop = stop;
        options_.before_whole_read = [this] { begin(); };
        walk(with_its_map(is_remote(file_.string()) ? open_trace(open_remote(file_.string(), stop), options_)
                                                    : open_trace(file_, options_)),
             stop);
    } catch (const std::exception& error) {
        if (!stop.stop_requested()) emit failed(error_text(error, file_));
    }
    ended_ = true;
    emit ended();
}

/// What is wrong with a map is no reason not to show its trace.
std::shared_ptr<const Trace> TraceLoader::with_its_map(std::shared_ptr<const Trace> trace)
{
    if (trace->info().container.map) return trace;
    try {
        MapSearch search;
        {
            const std::scoped_lock lock(map_mutex);
            search.file = map_file;
        }
        search.max_bytes = max_message_bytes;
        auto map = map_of(*trace, search);
        if (!map) return trace;
        for (const auto& note : map->notes) notes_->add(note);
        return with_map(std::move(trace), std::move(map));
    } catch (const Error& error) {
        notes_->add(error);
        return trace;
    }
}

void TraceLoader::begin()
{
    std::error_code failed;
    if (in_whole_ || first_ || !std::filesystem::is_regular_file(file_, failed)) return;
    first_ = first_messages(file_, options_);
    if (!first_) return;
    ChannelWalks walks(first_);
    walks.begin(first_.get(), options_.stop);
    IndexedTimes times{.channels = walks.publish().channels, .progress = {}, .problem = {}, .notes = {}};
    for (auto& each : times.channels) {
        auto more_to_come = *each;
        more_to_come.complete = false;
        each = std::make_shared<const MessageTimes>(std::move(more_to_come));
    }
    if (!options_.stop.stop_requested()) emit begun(first_, notes_->with(std::move(times)));
}

void TraceLoader::walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop)
{
    ChannelWalks walks(trace);
    walks.begin(first_.get(), stop);
    first_.reset();
    if (in_whole_)
        for (lower_thread_priority(); !stop.stop_requested() && walks.walk_on();) {
        }
    if (stop.stop_requested()) return;
    emit opened(trace, notes_->with(walks.publish()));
    lower_thread_priority();
    auto published = Clock::now();
    auto pause = std::chrono::nanoseconds(publish_interval);
    while (!stop.stop_requested() && walks.walk_on()) {
        const auto now = Clock::now();
        if (now - published < pause) continue;
        emit grown(notes_->with(walks.publish()));
        published = Clock::now();
        // Publishing copies all known times: it may use a tenth of the time.
        pause = std::max<std::chrono::nanoseconds>(publish_interval, 10 * (published - now));
    }
    if (!stop.stop_requested()) emit grown(notes_->with(walks.publish()));
}

}  // namespace ositrace::gui
