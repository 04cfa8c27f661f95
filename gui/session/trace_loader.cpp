// SPDX-License-Identifier: MPL-2.0
#include "gui/session/trace_loader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <sys/stat.h>

#include <ositrace/error.hpp>

#include "gui/session/first_messages.hpp"
#include "gui/session/step_back.hpp"

namespace ositrace::gui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto publish_every = std::chrono::milliseconds(100);
constexpr std::uint64_t messages_at_once = 32;  // then one looks whether to stop, or to publish
constexpr int times_per_turn = 16;

/// How many messages of a channel `first`, which may be null, has; one at least.
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

/// The walks of all channels, which take turns, and what was published of them.
class Walks {
public:
    explicit Walks(const std::shared_ptr<const Trace>& trace) : trace_(trace)
    {
        for (std::uint32_t i = 0; i != trace->info().channels.size(); ++i) walks_.emplace_back(trace, i);
        published_.channels.resize(walks_.size(), std::make_shared<const MessageTimes>());
    }

    /// The first message of each, and those that were shown of it.
    void begin(const Trace* shown, const std::stop_token& stop)
    {
        for (std::size_t i = 0; i != walks_.size(); ++i)
            if (!stop.stop_requested()) walks_[i].walk(count_in(shown, trace_->info().channels[i]));
    }

    /// A little of the channel whose turn it is. False when all have reached their ends.
    bool walk_on()
    {
        for (std::size_t ended = 0; ended != walks_.size(); ++ended) {
            const bool more = walks_[turn_].walk(messages_at_once);
            if (!more || ++times_ == times_per_turn) pass_turn();
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
    void pass_turn()
    {
        turn_ = (turn_ + 1) % walks_.size();
        times_ = 0;
    }

    /// By the place in the file that the furthest message has.
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
            if (info.container == "mcap") {
                known += count;
                all += trace_->frame_count(i);
            } else if (info.compression == "none" && count != 0) {
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
    std::size_t turn_ = 0;  ///< of walks_
    int times_ = 0;         ///< within the turn
    IndexedTimes published_;
};

/// A pipe that nobody writes to, and a device, have no end that one could wait for.
void refuse_endless(const std::filesystem::path& file)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (file == "-" || !exists(status) || is_directory(status) || is_regular_file(status)) return;
    throw Error(Cause::unsupported, {.file = file}, "is no regular file; a pipe is read from standard input, as -");
}

QString words_of(const std::exception& error, const std::filesystem::path& file)
{
    const auto* const told = dynamic_cast<const Error*>(&error);
    std::error_code failed;
    if (told != nullptr && told->cause() == Cause::ambiguous && std::filesystem::file_size(file, failed) == 0 &&
        !failed)
        return QStringLiteral("%1: the file is empty").arg(QString::fromStdString(file.string()));
    return QString::fromStdString(error.what());
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) noexcept
{
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    const auto changed = std::chrono::seconds(status.st_mtim.tv_sec) + Nanoseconds(status.st_mtim.tv_nsec);
    return FileStamp{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), changed};
}

TraceLoader::TraceLoader(std::filesystem::path file, OpenOptions options, bool in_whole, QObject* parent)
    : QObject(parent), file_(std::move(file)), options_(std::move(options)), in_whole_(in_whole)
{
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
        walk(open_trace(file_, options_), stop);
    } catch (const std::exception& error) {
        if (!stop.stop_requested()) emit failed(words_of(error, file_));
    }
    ended_ = true;
    emit ended();
}

void TraceLoader::begin()
{
    std::error_code failed;
    if (in_whole_ || first_ || !std::filesystem::is_regular_file(file_, failed)) return;
    first_ = first_messages(file_, options_);
    if (!first_) return;
    Walks walks(first_);
    walks.begin(first_.get(), options_.stop);
    IndexedTimes times{.channels = walks.publish().channels, .progress = {}, .problem = {}};
    for (auto& each : times.channels) {
        auto more_to_come = *each;
        more_to_come.complete = false;
        each = std::make_shared<const MessageTimes>(std::move(more_to_come));
    }
    if (!options_.stop.stop_requested()) emit begun(first_, times);
}

void TraceLoader::walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop)
{
    Walks walks(trace);
    walks.begin(first_.get(), stop);
    first_.reset();
    if (in_whole_)
        for (step_back(); !stop.stop_requested() && walks.walk_on();) {
        }
    if (stop.stop_requested()) return;
    emit opened(trace, walks.publish());
    step_back();
    auto published = Clock::now();
    auto pause = std::chrono::nanoseconds(publish_every);
    while (!stop.stop_requested() && walks.walk_on()) {
        const auto now = Clock::now();
        if (now - published < pause) continue;
        emit grown(walks.publish());
        published = Clock::now();
        // Publishing copies what is known: it may take a tenth of the time.
        pause = std::max<std::chrono::nanoseconds>(publish_every, 10 * (published - now));
    }
    if (!stop.stop_requested()) emit grown(walks.publish());
}

}  // namespace ositrace::gui
