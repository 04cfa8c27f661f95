// SPDX-License-Identifier: MPL-2.0
#include "gui/remote/remote_file.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLibrary>
#include <QUrl>

#include <ositrace/error.hpp>

#include "gui/remote/range_fetcher.hpp"

namespace ositrace::gui {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t block_bytes = std::uint64_t{256} << 10;
constexpr std::uint64_t most_kept = std::uint64_t{64} << 20;
constexpr std::uint64_t most_at_once = std::uint64_t{8} << 20;  // of one request
constexpr auto module_name = "osiview_remote" OSIVIEW_MODULE_SUFFIX;

std::atomic<std::uint64_t> remote_generation{1};

/// Beside the program, as in the build tree; else where the installation has it.
QStringList module_places()
{
    const auto folder = QCoreApplication::applicationDirPath();
    QStringList places;
    for (const auto* const each : {"", "/" OSIVIEW_MODULE_FOLDER})
        places += QDir(folder + QLatin1String(each)).filePath(QLatin1String(module_name));
    return places;
}

/// Null with `why`.
RangeFetcher* load_fetcher(QString& why)
{
    for (const auto& place : module_places()) {
        if (!QFileInfo::exists(place)) continue;
        QLibrary library(place);
        const auto make = reinterpret_cast<MakeRangeFetcher>(library.resolve("osiview_range_fetcher"));
        if (make != nullptr) return make();
        why = library.errorString();
    }
    if (why.isEmpty())
        why = QStringLiteral(
            "this osiview is without the module for remote files (Qt Network). Download the file, or "
            "read it in Python: ositrace.open(URL)");
    return nullptr;
}

/// One for all files; ends before the application does.
class Fetchers {
public:
    std::shared_ptr<RangeFetcher> get(const std::filesystem::path& name, const std::stop_token& stop)
    {
        // Files are opened while the application connects to the display.
        while (QCoreApplication::instance() == nullptr) {
            if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = name}, "stopped");
            std::this_thread::sleep_for(5ms);
        }
        const std::scoped_lock lock(mutex_);
        if (const auto known = fetcher_.lock()) return known;
        QString why;
        std::shared_ptr<RangeFetcher> made(load_fetcher(why));
        if (!made) throw Error(Cause::unsupported, {.file = name}, why.toStdString());
        fetcher_ = made;
        return made;
    }

private:
    std::mutex mutex_;
    std::weak_ptr<RangeFetcher> fetcher_;  ///< the files own it
};

Fetchers& fetchers()
{
    static Fetchers all;
    return all;
}

struct Stop {
    const std::stop_token* token;
    std::uint64_t generation;
};

RangeAnswer fetch(RangeFetcher& fetcher, const std::filesystem::path& name, std::uint64_t offset, std::uint64_t wanted,
                  const Stop& stop)
{
    const auto is_stopped = [](const void* of) {
        const auto& each = *static_cast<const Stop*>(of);
        return (each.token != nullptr && each.token->stop_requested()) || each.generation != remote_generation.load();
    };
    if (is_stopped(&stop)) throw Error(Cause::cancelled, {.file = name}, "stopped");
    auto answer = fetcher.fetch(name.string(), offset, static_cast<std::size_t>(wanted), is_stopped, &stop);
    if (is_stopped(&stop)) throw Error(Cause::cancelled, {.file = name}, "stopped");
    if (!answer.problem.empty()) throw Error(Cause::io, {.file = name}, answer.problem);
    return answer;
}

class RemoteFile final : public RandomAccess {
public:
    RemoteFile(std::string url, std::shared_ptr<RangeFetcher> fetcher, const RangeAnswer& first,
               std::uint64_t generation)
        : RandomAccess(std::move(url), first.size),
          fetcher_(std::move(fetcher)),
          version_(first.version),
          generation_(generation)
    {
        keep(0, first.bytes);
    }
    [[nodiscard]] std::string version() const override { return version_; }
    void expect(std::uint64_t offset, std::uint64_t bytes) const override
    {
        const std::scoped_lock lock(mutex_);
        expected_from_ = offset;
        expected_to_ = offset > size() ? size() : offset + std::min(bytes, size() - offset);
    }
    [[nodiscard]] std::uint64_t fetched() const noexcept { return fetched_; }

private:
    using Block = std::shared_ptr<const std::vector<std::byte>>;
    struct Kept {
        Block bytes;
        std::list<std::uint64_t>::iterator use;
    };

    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        const auto number = offset / block_bytes;
        auto block = kept(number);
        if (!block) {
            get(number, into.size() + offset % block_bytes);
            block = kept(number);
        }
        const auto at = static_cast<std::size_t>(offset % block_bytes);
        if (!block || at >= block->size()) return 0;
        const auto count = std::min(into.size(), block->size() - at);
        std::memcpy(into.data(), block->data() + at, count);
        return count;
    }

    [[nodiscard]] Block kept(std::uint64_t number) const
    {
        const std::scoped_lock lock(mutex_);
        const auto found = blocks_.find(number);
        if (found == blocks_.end()) return nullptr;
        uses_.splice(uses_.begin(), uses_, found->second.use);
        return found->second.bytes;
    }

    /// Fetches the blocks from this one on that are wanted or expected and are not there, in one request.
    void get(std::uint64_t number, std::uint64_t wanted) const
    {
        const auto offset = number * block_bytes;
        std::uint64_t end = 0;
        {
            const std::scoped_lock lock(mutex_);
            end = offset + std::max(wanted, block_bytes);
            if (expected_from_ < offset + block_bytes && offset < expected_to_) end = std::max(end, expected_to_);
            // Reading on: twice as much as before.
            if (offset == next_) end = std::max(end, offset + 2 * ahead_);
            end = std::min((end + block_bytes - 1) / block_bytes * block_bytes, offset + most_at_once);
            auto last = number + 1;
            while (last * block_bytes < end && !blocks_.contains(last)) ++last;
            end = std::min(last * block_bytes, size());
            ahead_ = std::min(end - offset, most_at_once / 4);
            next_ = end;
        }
        const auto answer = fetch(*fetcher_, name(), offset, end - offset, {nullptr, generation_});
        if (answer.size != size() || answer.version != version_)
            throw Error(Cause::io, {.file = name()}, "the file on the server has changed. Reload it (F5)");
        keep(number, answer.bytes);
    }

    void keep(std::uint64_t number, const std::vector<std::byte>& bytes) const
    {
        fetched_ += bytes.size();
        const std::scoped_lock lock(mutex_);
        for (std::size_t at = 0; at < bytes.size(); at += block_bytes, ++number) {
            if (blocks_.contains(number)) continue;
            const auto end = std::min<std::size_t>(bytes.size(), at + block_bytes);
            const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            uses_.push_front(number);
            blocks_[number] = {
                std::make_shared<const std::vector<std::byte>>(from, bytes.begin() + static_cast<std::ptrdiff_t>(end)),
                uses_.begin()};
        }
        while (blocks_.size() > most_kept / block_bytes) {
            blocks_.erase(uses_.back());
            uses_.pop_back();
        }
    }

    std::shared_ptr<RangeFetcher> fetcher_;
    std::string version_;
    std::uint64_t generation_;
    mutable std::atomic<std::uint64_t> fetched_{0};
    mutable std::mutex mutex_;  // guards what follows
    mutable std::map<std::uint64_t, Kept> blocks_;
    mutable std::list<std::uint64_t> uses_;  ///< of blocks, the last one first
    mutable std::uint64_t expected_from_ = 0, expected_to_ = 0;
    mutable std::uint64_t next_ = 0, ahead_ = 0;
};

}  // namespace

bool is_remote(std::string_view name) noexcept { return name.starts_with("http://") || name.starts_with("https://"); }

/// Without a name and a password.
QString server_of(const std::filesystem::path& url)
{
    const QUrl parts(QString::fromStdString(url.string()));
    return parts.port() < 0 ? parts.host() : QStringLiteral("%1:%2").arg(parts.host()).arg(parts.port());
}

std::shared_ptr<const RandomAccess> open_remote(const std::string& url, const std::stop_token& stop)
{
    const auto generation = remote_generation.load();
    auto fetcher = fetchers().get(url, stop);
    const auto first = fetch(*fetcher, url, 0, block_bytes, {&stop, generation});
    return std::make_shared<RemoteFile>(url, std::move(fetcher), first, generation);
}

void stop_remote_reads() noexcept { ++remote_generation; }

std::uint64_t fetched_bytes(const RandomAccess& file) noexcept
{
    const auto* const remote = dynamic_cast<const RemoteFile*>(&file);
    return remote == nullptr ? 0 : remote->fetched();
}

}  // namespace ositrace::gui
