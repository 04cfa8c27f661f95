// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/frame.hpp>
#include <ositrace/picture.hpp>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// Two objects of a channel over time: a sample per message that contains both. In the time of the session.
struct PairCurves {
    std::vector<Nanoseconds> times;
    std::vector<double> gap;                ///< m
    std::vector<double> distance;           ///< m
    std::vector<double> time_to_collision;  ///< s; NaN: never
    bool is_complete = false;
    QString problem;  ///< why it is not; one line
};

/// The objects by their ids, in one list of a channel or in two.
struct PairPaths {
    std::string thing;  ///< `global_ground_truth.moving_object[id=42]`
    std::string other;
    friend bool operator==(const PairPaths&, const PairPaths&) = default;
};
/// Empty if they are of different channels, or have no ids.
[[nodiscard]] std::optional<PairPaths> pair_paths(const Thing& thing, const Thing& other);

/// Reads a pair on a thread of its own; partial results come about ten times a second. GUI thread.
class PairReader : public QObject {
    Q_OBJECT
public:
    PairReader(OpenChannel channel, const PairPaths& paths, QObject* parent = nullptr);
    ~PairReader() override;

signals:
    void updated(const std::shared_ptr<const ositrace::gui::PairCurves>& curves);

private:
    void run(const OpenChannel& channel, const PairPaths& paths, const std::stop_token& stop);
    void publish(const PairCurves& curves);
    Q_INVOKABLE void deliver();

    std::mutex mutex_;  // guards answer_
    std::shared_ptr<const PairCurves> answer_;
    std::jthread thread_;  ///< the last member, so that it ends first
};

}  // namespace ositrace::gui
