// SPDX-License-Identifier: MPL-2.0
// The module of osiview that uses Qt Network.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <QByteArray>
#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QObject>
#include <QThread>
#include <QUrl>

#include "gui/remote/range_fetcher.hpp"

namespace ositrace::gui {

namespace {

using namespace std::chrono_literals;

constexpr auto asks_every = 50ms;
constexpr int patience_ms = 20'000;  // without a byte
constexpr int most_redirects = 5;

/// Shared by the thread that waits and the one that works.
struct Request {
    std::string url;
    std::uint64_t offset = 0;
    std::size_t wanted = 0;
    std::mutex mutex;
    std::condition_variable changed;
    bool is_done = false;
    bool is_dropped = false;  ///< nobody waits any more
    RangeAnswer answer;
    QNetworkReply* reply = nullptr;  ///< of the working thread

    void end(RangeAnswer with)
    {
        {
            const std::scoped_lock lock(mutex);
            answer = std::move(with);
            is_done = true;
        }
        changed.notify_all();
    }
};

RangeAnswer refused(const QString& why)
{
    RangeAnswer answer;
    answer.problem = why.toStdString();
    return answer;
}

/// `bytes 0-99/1234`: the first byte and the size of the file.
bool read_content_range(const QByteArray& header, std::uint64_t& first, std::uint64_t& size)
{
    const auto slash = header.indexOf('/'), dash = header.indexOf('-');
    if (!header.startsWith("bytes ") || dash < 0 || slash < dash) return false;
    bool is_first = false, is_size = false;
    first = header.mid(6, dash - 6).trimmed().toULongLong(&is_first);
    size = header.mid(slash + 1).trimmed().toULongLong(&is_size);
    return is_first && is_size;
}

class QtRangeFetcher final : public RangeFetcher {
public:
    QtRangeFetcher()
    {
        context_.moveToThread(&thread_);
        thread_.start();
    }
    ~QtRangeFetcher() override
    {
        QMetaObject::invokeMethod(&context_, [this] { manager_.reset(); }, Qt::BlockingQueuedConnection);
        thread_.quit();
        thread_.wait();
    }

    RangeAnswer fetch(const std::string& url, std::uint64_t offset, std::size_t wanted,
                      bool (*is_stopped)(const void* of), const void* of) noexcept override
    try {
        auto request = std::make_shared<Request>();
        request->url = url;
        request->offset = offset;
        request->wanted = wanted;
        QMetaObject::invokeMethod(&context_, [this, request] { begin(request); }, Qt::QueuedConnection);
        std::unique_lock lock(request->mutex);
        while (!request->changed.wait_for(lock, asks_every, [&] { return request->is_done; })) {
            if (!is_stopped(of)) continue;
            request->is_dropped = true;
            QMetaObject::invokeMethod(
                &context_,
                [request] {
                    if (request->reply != nullptr) request->reply->abort();
                },
                Qt::QueuedConnection);
            return refused(QStringLiteral("stopped"));
        }
        return std::move(request->answer);
    } catch (...) {
        return {};
    }

private:
    void begin(const std::shared_ptr<Request>& request)
    {
        {
            const std::scoped_lock lock(request->mutex);
            if (request->is_dropped) return;
        }
        if (!manager_) {
            manager_ = std::make_unique<QNetworkAccessManager>();
            manager_->setTransferTimeout(patience_ms);
        }
        QNetworkRequest header{QUrl(QString::fromStdString(request->url), QUrl::StrictMode)};
        if (!header.url().isValid()) return request->end(refused(QStringLiteral("is no valid URL")));
        header.setMaximumRedirectsAllowed(most_redirects);
        const auto last = request->offset + request->wanted - 1;
        header.setRawHeader("Range", "bytes=" + QByteArray::number(static_cast<qulonglong>(request->offset)) + '-' +
                                         QByteArray::number(static_cast<qulonglong>(last)));
        header.setRawHeader("Accept-Encoding", "identity");  // the ranges are those of the file
        auto* const reply = manager_->get(header);
        request->reply = reply;
        auto bytes = std::make_shared<QByteArray>();
        auto problem = std::make_shared<QString>();
        const auto give_up = [reply, problem](const QString& why) {
            if (problem->isEmpty()) *problem = why;
            reply->abort();
        };
        // A server that ignores the range would send everything.
        QObject::connect(reply, &QNetworkReply::metaDataChanged, &context_, [reply, give_up] {
            constexpr int whole = 200;
            if (reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == whole)
                give_up(
                    QStringLiteral("the server does not send parts of files (byte ranges), which osiview needs. "
                                   "Download the file"));
        });
        QObject::connect(reply, &QNetworkReply::readyRead, &context_, [reply, bytes, request, give_up] {
            if (static_cast<std::size_t>(bytes->size() + reply->bytesAvailable()) > request->wanted)
                return give_up(QStringLiteral("the server sends more than was requested"));
            *bytes += reply->readAll();
        });
        QObject::connect(reply, &QNetworkReply::finished, &context_, [reply, bytes, problem, request] {
            request->reply = nullptr;
            request->end(answer_of(*reply, *bytes, *problem, *request));
            reply->deleteLater();
        });
    }

    static RangeAnswer answer_of(QNetworkReply& reply, const QByteArray& bytes, const QString& problem,
                                 const Request& request)
    {
        if (!problem.isEmpty()) return refused(problem);
        constexpr int partial = 206, first_failure = 400;
        const auto status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        const auto reason = reply.attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString();
        if (status >= first_failure)
            return refused(QStringLiteral("the server answers %1 %2").arg(status).arg(reason).trimmed());
        if (reply.error() == QNetworkReply::OperationCanceledError)
            return refused(QStringLiteral("the server has sent nothing for %1 s").arg(patience_ms / 1000));
        if (reply.error() != QNetworkReply::NoError) return refused(reply.errorString());
        std::uint64_t first = 0;
        RangeAnswer answer;
        if (status != partial || !read_content_range(reply.rawHeader("Content-Range"), first, answer.size) ||
            first != request.offset)
            return refused(QStringLiteral("the server answers %1 without the requested range").arg(status));
        const auto expected = std::min<std::uint64_t>(request.wanted, answer.size - std::min(answer.size, first));
        if (static_cast<std::uint64_t>(bytes.size()) != expected)
            return refused(QStringLiteral("the server has sent %1 bytes, expected %2").arg(bytes.size()).arg(expected));
        auto version = reply.rawHeader("ETag");
        if (version.isEmpty()) version = reply.rawHeader("Last-Modified");
        answer.version = version.toStdString();
        const auto* const begin = reinterpret_cast<const std::byte*>(bytes.constData());
        answer.bytes.assign(begin, begin + bytes.size());
        return answer;
    }

    QThread thread_;
    QObject context_;                                 ///< of the thread
    std::unique_ptr<QNetworkAccessManager> manager_;  ///< likewise
};

}  // namespace

extern "C" Q_DECL_EXPORT RangeFetcher* osiview_range_fetcher() { return new QtRangeFetcher; }

}  // namespace ositrace::gui
