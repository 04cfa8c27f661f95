// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/series.hpp>

#include "gui/session/latest_thread.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// The bits of the colour of a lamp that is off, from those of its colour, and back.
[[nodiscard]] constexpr std::uint64_t with_lamp_off(std::uint64_t bits) noexcept
{
    return bits ^ (std::uint64_t{1} << 62);  // of an enumerator, this bit and the one above it are equal
}
[[nodiscard]] constexpr bool is_lamp_off(const FieldRow& field, std::uint64_t bits) noexcept
{
    return field.kind == FieldKind::enumeration && ((bits >> 62 ^ bits >> 63) & 1) != 0;
}

/// Messages [first, last] of a channel in which a field has one value.
struct StateRun {
    std::uint64_t first = 0, last = 0;
    std::uint64_t bits = 0;  ///< as SeriesSample::bits, or with_lamp_off()
    friend bool operator==(const StateRun&, const StateRun&) = default;
};

/// What is new since the last update.
struct StateUpdate {
    struct CurveRun {
        std::uint32_t curve = 0;
        StateRun run;  ///< replaces the last run of the curve if that begins with the same message
    };
    std::vector<SeriesCurve> curves;  ///< numbered on
    std::vector<std::string> texts;   ///< likewise
    std::vector<CurveRun> runs;       ///< in the order of messages for each curve
    std::uint64_t messages = 0;       ///< read so far
};

/// Merges equal values of consecutive messages.
class StateRuns {
public:
    /// Of all curves together; later ones are left out.
    static constexpr std::uint64_t most_runs = std::uint64_t{4} << 20;

    [[nodiscard]] StateUpdate add(SeriesBatch batch);
    [[nodiscard]] bool is_full() const noexcept { return count_ >= most_runs; }

private:
    struct Open {
        std::optional<StateRun> run;
        bool is_changed = false;
    };
    std::vector<Open> open_;  ///< by curve
    std::uint64_t count_ = 0;
};

/// Reads the values of fields over a channel in a thread of its own, and of one that grows also what arrives. A new
/// reading and cancel() end the previous one without waiting for it; the destructor waits. GUI thread.
class StateReader : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void start(OpenChannel channel, SeriesPlan plan);
    void cancel() { thread_.cancel(); }

signals:
    void updated(const std::shared_ptr<const ositrace::gui::StateUpdate>& update);
    /// All that there is has been read; more may arrive. `problem`: what could not be read; one line, or empty.
    void finished(const QString& problem);

private:
    void run(const OpenChannel& channel, const SeriesPlan& plan, const LatestThread::Post& post,
             const std::stop_token& stop);

    LatestThread thread_{*this};
};

}  // namespace ositrace::gui
