// SPDX-License-Identifier: MPL-2.0
#include "gui/find/value_search.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_check.hpp>

#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

/// Total of all hits: names of a schema may have any length.
constexpr std::size_t max_path_bytes = std::size_t{16} << 20;

class Searcher {
public:
    Searcher(const ValueQuery& query, std::size_t most, const std::function<void(ValueHit)>& found,
             const std::stop_token& stop)
        : query_(query), most_(most), found_(found), stop_(stop)
    {
    }

    void search(const ShownFrame& shown, std::uint32_t source)
    {
        if (!shown.frame || shown.channel->root == nullptr) return;
        source_ = source;
        try {
            search_message(MessageView(shown.frame->bytes, *shown.channel->root, shown.channel->format));
        } catch (const Error&) {
            ++end_.broken;
        }
    }

    [[nodiscard]] const ValueSearchEnd& end() const noexcept { return end_; }

private:
    /// Returns false when the search has ended. Checks the token per message: a message may contain more messages than
    /// values.
    bool search_message(const MessageView& message)
    {
        if (stop_.stop_requested()) return end_.all = false;
        const auto length = path_.size();
        const auto values = end_.values;
        try {
            search_fields_of(message, length);
        } catch (const Error&) {
            ++end_.broken;
            if (end_.values == values) search_rest(up_to_damage(message), length);
        }
        path_.resize(length);
        return end_.all;
    }

    void search_fields_of(const MessageView& message, std::size_t length)
    {
        message.for_each_field([&](const FieldRow& field) {
            path_.resize(length);
            if (length != 0) path_ += '.';
            path_ += field.name;
            return field.repeated ? search_elements(message, field) : check_value(field, message.get(field));
        });
    }

    /// Searches a broken message, which has been counted, up to the damage.
    void search_rest(const MessageView& message, std::size_t length)
    {
        try {
            search_fields_of(message, length);
        } catch (const Error&) {  // ends at the damage
        }
    }

    bool search_elements(const MessageView& message, const FieldRow& field)
    {
        const auto length = path_.size();
        std::uint64_t number = 0;
        message.for_each_element(field, [&](const Value& element) {
            path_.resize(length);
            path_.append("[").append(std::to_string(number++)).append("]");
            return check_value(field, element);
        });
        return end_.all;
    }

    bool check_value(const FieldRow& field, const Value& value)
    {
        if (const auto* const message = std::get_if<MessageView>(&value)) return search_message(*message);
        if (!query_.names(path_)) return true;
        ++end_.values;
        if (query_.matches(field, value)) {
            found_({source_, path_, value_text(field, value).toStdString()});
            ++hits_;
            path_bytes_ += path_.size();
        }
        end_.all = hits_ != most_ && path_bytes_ < max_path_bytes && !stop_.stop_requested();
        return end_.all;
    }

    const ValueQuery& query_;
    std::size_t most_;
    const std::function<void(ValueHit)>& found_;
    const std::stop_token& stop_;
    std::uint32_t source_ = 0;
    std::size_t hits_ = 0, path_bytes_ = 0;
    std::string path_;
    ValueSearchEnd end_;
};

}  // namespace

ValueSearchEnd search_values(const Snapshot& snapshot, const ValueQuery& query, std::size_t most,
                             const std::function<void(ValueHit)>& found, const std::stop_token& stop)
{
    Searcher searcher(query, most, found, stop);
    for (std::uint32_t source = 0; source != snapshot.channels.size() && searcher.end().all; ++source)
        searcher.search(snapshot.channels[source], source);
    return searcher.end();
}

ValueSearch::~ValueSearch() { cancel(); }

void ValueSearch::cancel()
{
    ++number_;
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();  // checks the token at every message and value
}

void ValueSearch::start(std::shared_ptr<const Snapshot> snapshot, const ValueQuery& query)
{
    cancel();
    thread_ = std::jthread([this, snapshot = std::move(snapshot), query,
                            number = number_](const std::stop_token& stop) { run(*snapshot, query, number, stop); });
}

void ValueSearch::run(const Snapshot& snapshot, const ValueQuery& query, std::uint64_t number,
                      const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    constexpr auto between = std::chrono::milliseconds(100);
    std::vector<ValueHit> hits;
    auto last = Clock::now();
    const auto deliver = [&] {
        QMetaObject::invokeMethod(
            this,
            [this, number, batch = std::exchange(hits, {})] {
                if (number == number_) emit found(batch);
            },
            Qt::QueuedConnection);
        last = Clock::now();
    };
    ValueSearchEnd end;
    try {
        end = search_values(
            snapshot, query, most_hits,
            [&](ValueHit hit) {
                hits.push_back(std::move(hit));
                if (Clock::now() - last > between) deliver();
            },
            stop);
    } catch (const std::exception& error) {  // out of memory
        end.all = false;
        end.problem = error.what();
    }
    if (!hits.empty()) deliver();
    QMetaObject::invokeMethod(
        this,
        [this, number, end] {
            if (number == number_) emit finished(end);
        },
        Qt::QueuedConnection);
}

}  // namespace ositrace::gui
