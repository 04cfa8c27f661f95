// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/curve.hpp>

#include "gui/plot/plot_data.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// What is read of a channel: expressions that were compiled for its root.
struct PlotRequest {
    OpenChannel channel;
    std::vector<CurveExpression> expressions;
    bool is_followed = false;  ///< its file grows: follow() may be called
};

/// What is known so far.
struct PlotUpdate {
    struct NamedCurve {
        std::string name;
        std::shared_ptr<const PlotData> data;
    };
    std::vector<std::vector<NamedCurve>> curves;  ///< by expression; of one with `[*]` in the order of appearance
    std::uint64_t messages = 0;                   ///< read so far
    bool is_complete = false;                     ///< all that there is has been read; more may arrive
    bool is_last = false;                         ///< the reading has ended
    QString problem;                              ///< what is missing and why; one line
    std::vector<QString> missing;                 ///< when complete, by expression: its path that no message has
};

/// Reads curves in a thread of its own and reports what it has about ten times a second; of a channel that grows also
/// what arrives, without what the trace has dropped. GUI thread; the destructor waits for the thread, see retire().
class PlotReader : public QObject {
    Q_OBJECT
public:
    /// Curves of one expression with `[*]`, and samples of all curves: then reading ends with a problem.
    static constexpr std::size_t most_curves = 400;
    static constexpr std::size_t most_samples = std::size_t{16} << 20;

    explicit PlotReader(PlotRequest request, QObject* parent = nullptr);
    ~PlotReader() override;
    /// The channel of the request after its file has grown: reads what was appended, or everything if that is not the
    /// same with more messages. Of a request that is followed.
    void follow(const OpenChannel& channel);
    [[nodiscard]] bool is_followed() const noexcept { return is_followed_; }
    /// Ends it without waiting: it emits nothing any more, and is deleted when its thread ends, or with its parent.
    static void retire(PlotReader* reader);

signals:
    void updated(const std::shared_ptr<const ositrace::gui::PlotUpdate>& update);

private:
    void run(const std::stop_token& stop);
    void publish(std::shared_ptr<const PlotUpdate> update);
    Q_INVOKABLE void deliver();
    [[nodiscard]] bool is_replaced(const std::stop_token& stop);

    PlotRequest request_;  ///< of the thread
    bool is_followed_;
    std::mutex mutex_;  // guards next_, update_ and has_ended_
    std::condition_variable_any changed_;
    std::optional<OpenChannel> next_;
    std::shared_ptr<const PlotUpdate> update_;
    bool has_ended_ = false;
    bool is_retired_ = false;  ///< GUI thread
    std::jthread thread_;
};

}  // namespace ositrace::gui
