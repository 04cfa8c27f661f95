// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/compare_bar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "gui/compare/result_rows.hpp"
#include "gui/widgets/tool_button.hpp"

namespace ositrace::gui {

namespace {

constexpr double farthest = 0;          // m: any distance
constexpr double all_around = 180;      // degrees
constexpr double longest_offset = 1e7;  // ms
/// Of a mode of comparison: are objects paired by their names?
constexpr int by_name_role = Qt::UserRole + 1;

QDoubleSpinBox* spin_box(const char* name, double low, double high, int decimals, double step, const QString& suffix,
                         const QString& tip)
{
    auto* const box = new QDoubleSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(low, high);
    box->setDecimals(decimals);
    box->setSingleStep(step);
    box->setSuffix(suffix);
    box->setToolTip(tip);
    box->setKeyboardTracking(false);  // not for every digit that is typed
    return box;
}

}  // namespace

CompareBar::CompareBar(QWidget* parent) : QWidget(parent)
{
    build();
    for (std::size_t side = 0; side != 2; ++side)
        connect(sides_.at(side), &QComboBox::activated, this, [this, side](int place) { choose(side, place); });
    connect(mode_, &QComboBox::activated, this, [this] {
        mode_is_users_ = true;
        update_mode();
    });
    connect(error_, &QComboBox::activated, this, &CompareBar::error_changed);
    connect(gate_, &QDoubleSpinBox::valueChanged, this, &CompareBar::choice_changed);
    for (auto* const box : {range_, angle_})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
            reach_is_users_ = true;
            emit choice_changed();
        });
    connect(offset_, &QDoubleSpinBox::valueChanged, this, [this](double milliseconds) {
        offset_->setPrefix(milliseconds < 0 ? tr("B ") : tr("B + "));
        if (chosen_[1]) emit offset_chosen(chosen_[1]->source, Nanoseconds(std::llround(milliseconds * 1e6)));
    });
    connect(from_detections_, &QToolButton::clicked, this, [this] {
        reach_is_users_ = false;
        take_seen();
    });
    connect(side_by_side_, &QToolButton::toggled, this, &CompareBar::side_by_side_changed);
    connect(export_, &QToolButton::clicked, this, &CompareBar::export_requested);
}

void CompareBar::build()
{
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const auto combo = [&](const char* name, const QString& tip) {
        auto* const box = new QComboBox;
        box->setObjectName(QLatin1String(name));
        box->setToolTip(tip);
        return box;
    };
    for (std::size_t side = 0; side != 2; ++side) {
        row->addWidget(new QLabel(side == 0 ? tr("A") : tr("B")));
        auto* const box =
            combo(side == 0 ? "compare_a" : "compare_b",
                  side == 0 ? tr("What B is compared with: the ground truth") : tr("What is compared: the detections"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
        sides_.at(side) = box;
        row->addWidget(box, 1);
    }
    mode_ = combo("compare_mode", tr("Objects: the errors of the objects of B\n"
                                     "Objects by name: objects of two ground truths that have a name in the scenario "
                                     "are paired by it, the others by id\n"
                                     "Exact: are the messages equal to the last bit?\n"
                                     "Lane boundaries: their lateral errors. Chosen by itself where both sides have "
                                     "no other objects"));
    mode_->addItem(tr("Objects"), static_cast<int>(CompareMode::objects));
    mode_->addItem(tr("Objects by name"), static_cast<int>(CompareMode::objects));
    mode_->setItemData(1, true, by_name_role);
    mode_->addItem(tr("Exact"), static_cast<int>(CompareMode::exact));
    mode_->addItem(tr("Lane boundaries"), static_cast<int>(CompareMode::boundaries));
    row->addWidget(mode_);
    offset_ = spin_box("compare_offset", -longest_offset, longest_offset, 3, 10, tr(" ms"),
                       tr("Added to the times of B, here and in the scene. Messages are paired by time."));
    offset_->setPrefix(tr("B + "));
    // The longest offsets are rare, and would take the place of the other controls.
    offset_->setMaximumWidth(offset_->fontMetrics().horizontalAdvance(QStringLiteral("B + 0000.000 ms")) + 36);
    row->addWidget(offset_);
    side_by_side_ = tool_button("compare_side_by_side", tr("Side by side"),
                                tr("Shows A in one view and B in a second one, with one camera"));
    side_by_side_->setCheckable(true);

    of_objects_ = new QWidget;
    auto* const inner = new QHBoxLayout(of_objects_);
    inner->setContentsMargins(0, 0, 0, 0);
    gate_ = spin_box("compare_gate", 0, 100, 2, 0.5, tr(" m"),
                     tr("Objects that no id pairs are paired with the nearest one up to this distance.\n"
                        "A lane boundary of B is measured against the nearest one of A up to it."));
    gate_->setPrefix(tr("pairs within "));
    gate_->setValue(ObjectCompareOptions().gate);
    inner->addWidget(gate_);
    range_ = spin_box("compare_range", farthest, 10000, 0, 10, tr(" m"),
                      tr("What the sensor can see: objects farther away from it do not count as missed"));
    range_->setPrefix(tr("range up to "));
    range_->setSpecialValueText(tr("any range"));
    inner->addWidget(range_);
    angle_ = spin_box("compare_angle", 0, all_around, 1, 5, QStringLiteral("\u00b0"),
                      tr("What the sensor can see: objects outside this angle, on either side of its axis, do not "
                         "count as missed"));
    angle_->setPrefix(tr("angle up to \u00b1"));
    angle_->setValue(all_around);
    inner->addWidget(angle_);
    from_detections_ = tool_button("compare_reach", tr("Fit to detections"),
                                   tr("Sets range and angle so that they contain all detections, but no more:\n"
                                      "objects outside do not count as missed"));
    from_detections_->setEnabled(false);
    inner->addWidget(from_detections_);
    row->addWidget(of_objects_);
    of_results_ = new QWidget;
    auto* const results = new QHBoxLayout(of_results_);
    results->setContentsMargins(0, 0, 0, 0);
    results->addWidget(side_by_side_);
    error_ = combo("compare_error", tr("The error of the curve, of the summary and of the table over time"));
    for (std::size_t i = 0; i != object_error_count; ++i) {
        const auto& kind = row_of(static_cast<ObjectError>(i));
        error_->addItem(QString::fromUtf8(kind.name.data(), static_cast<qsizetype>(kind.name.size())));
        error_->setItemData(static_cast<int>(i),
                            QString::fromUtf8(kind.what.data(), static_cast<qsizetype>(kind.what.size())),
                            Qt::ToolTipRole);
    }
    results->addWidget(error_);
    export_ = tool_button(
        "compare_export", tr("CSV..."),
        tr("Writes all errors, missed objects and ghosts to a file; of lane boundaries a row for each and message"));
    export_->setEnabled(false);
    results->addWidget(export_);
    row->addWidget(of_results_);
    row->addStretch();
}

void CompareBar::show_channels(const std::shared_ptr<const OpenChannels>& channels)
{
    const auto before = std::exchange(channels_, channels);
    for (std::size_t side = 0; side != 2; ++side) {
        auto& chosen = chosen_.at(side);
        const auto place =
            chosen && chosen->source < before->size() ? place_of(*before, chosen->source, *channels_) : std::nullopt;
        if (chosen && place)
            chosen->source = *place;
        else
            chosen.reset();
        is_users_.at(side) = is_users_.at(side) && chosen;
    }
    if (channels_->empty()) mode_is_users_ = false;
    if (channels_->size() != before->size()) try_objects();
    list_sides();
}

std::vector<CompareSide> CompareBar::available() const
{
    std::vector<CompareSide> sides;
    const bool exact = mode_->currentData().toInt() == static_cast<int>(CompareMode::exact);
    const bool boundaries = mode_->currentData().toInt() == static_cast<int>(CompareMode::boundaries);
    for (std::uint32_t source = 0; source != channels_->size(); ++source) {
        const auto& channel = *(*channels_)[source].channel;
        if (exact) {
            if (channel.root != nullptr) sides.push_back({source, ObjectSet::ground_truth});
            continue;
        }
        for (const auto set : {ObjectSet::detections, ObjectSet::ground_truth})
            if (boundaries ? has_lane_boundaries(channel, set) : has_objects(channel, set))
                sides.push_back({source, set});
    }
    return sides;
}

QString CompareBar::name_of(const CompareSide& side) const
{
    const auto& channel = (*channels_)[side.source];
    auto name = QString::fromStdString(channel.name);
    if (mode_->currentData().toInt() == static_cast<int>(CompareMode::exact)) return name;
    if (side.set == ObjectSet::detections) return tr("%1: detections").arg(name);
    return channel.channel->type == MessageType::sensor_data ? tr("%1: its ground truth").arg(name) : name;
}

void CompareBar::list_sides()
{
    offered_ = available();
    choose_defaults();
    for (std::size_t side = 0; side != 2; ++side) {
        auto& box = *sides_.at(side);
        box.clear();
        for (const auto& each : offered_) box.addItem(name_of(each));
        const auto found = chosen_.at(side) ? std::ranges::find(offered_, *chosen_.at(side)) : offered_.end();
        box.setCurrentIndex(found == offered_.end() ? -1 : static_cast<int>(found - offered_.begin()));
        box.setEnabled(!offered_.empty());
    }
    update_offset();
    emit choice_changed();
}

void CompareBar::show_offsets(const std::shared_ptr<const OpenChannels>& channels)
{
    if (channels->size() != channels_->size()) return;  // show_channels() follows
    channels_ = channels;
    update_offset();
}

void CompareBar::update_offset()
{
    const QSignalBlocker quiet(offset_);
    const auto& [a, b] = chosen_;
    offset_->setEnabled(a && b && a->source != b->source);  // a channel is not shifted against itself
    offset_->setValue(b ? static_cast<double>((*channels_)[b->source].offset.count()) / 1e6 : 0);
}

/// A ground truth as A and detections as B, in another channel if there is one; else any two channels, and those of the
/// same type first.
void CompareBar::choose_defaults()
{
    for (std::size_t side = 0; side != 2; ++side) {
        auto& chosen = chosen_.at(side);
        if (!is_users_.at(side) || (chosen && std::ranges::find(offered_, *chosen) == offered_.end())) chosen.reset();
    }
    auto& a = chosen_[0];
    auto& b = chosen_[1];
    const auto type_of = [&](const CompareSide& side) { return (*channels_)[side.source].channel->type; };
    const auto rank_a = [&](const CompareSide& side) {
        if (b && side == *b) return 3;
        if (side.set == ObjectSet::detections) return 2;
        return type_of(side) == MessageType::sensor_data ? 1 : 0;
    };
    const auto rank_b = [&](const CompareSide& side) {
        if (a && side == *a) return 4;
        if (side.set == ObjectSet::detections) return a && side.source == a->source ? 1 : 0;
        return a && type_of(side) == type_of(*a) ? 2 : 3;
    };
    if (!a && !offered_.empty()) a = *std::ranges::min_element(offered_, {}, rank_a);
    if (!b && offered_.size() > 1) b = *std::ranges::min_element(offered_, {}, rank_b);
}

void CompareBar::choose(std::size_t side, int place)
{
    if (place < 0 || static_cast<std::size_t>(place) >= offered_.size()) return;
    chosen_.at(side) = offered_[static_cast<std::size_t>(place)];
    is_users_.at(side) = true;
    if (try_objects()) return;
    update_offset();
    emit choice_changed();
}

void CompareBar::prefer_boundaries()
{
    if (!mode_is_users_) set_mode(CompareMode::boundaries);
}

void CompareBar::choose_mode(CompareMode mode)
{
    mode_is_users_ = true;
    set_mode(mode);
}

void CompareBar::set_mode(CompareMode mode)
{
    if (mode_->currentData().toInt() == static_cast<int>(mode)) return;
    mode_->setCurrentIndex(mode_->findData(static_cast<int>(mode)));
    update_mode();
}

/// Of other channels lane boundaries need not be all there is.
bool CompareBar::try_objects()
{
    if (mode_is_users_ || mode_->currentData().toInt() != static_cast<int>(CompareMode::boundaries)) return false;
    set_mode(CompareMode::objects);
    return true;
}

bool CompareBar::has_equal_types() const
{
    if (chosen_[0] && chosen_[1] && chosen_[0]->source == chosen_[1]->source) return false;
    std::vector<std::string> types;
    for (std::uint32_t source = 0; source != channels_->size(); ++source) {
        const bool is_chosen =
            (chosen_[0] && chosen_[0]->source == source) || (chosen_[1] && chosen_[1]->source == source);
        const auto& channel = *(*channels_)[source].channel;
        if (channel.root != nullptr && (is_chosen || !chosen_[0] || !chosen_[1])) types.push_back(channel.type_name);
    }
    std::ranges::sort(types);
    return std::ranges::adjacent_find(types) != types.end();
}

void CompareBar::update_mode()
{
    const auto mode = static_cast<CompareMode>(mode_->currentData().toInt());
    of_objects_->setEnabled(mode != CompareMode::exact);
    // Lane boundaries have a gate alone.
    for (auto* const each : std::initializer_list<QWidget*>{range_, angle_, error_})
        each->setEnabled(mode == CompareMode::objects);
    from_detections_->setEnabled(mode == CompareMode::objects && seen_.has_value());
    list_sides();
}

std::optional<CompareChoice> CompareBar::choice() const
{
    if (!chosen_[0] || !chosen_[1]) return std::nullopt;
    CompareChoice choice{.sides = {*chosen_[0], *chosen_[1]},
                         .mode = static_cast<CompareMode>(mode_->currentData().toInt()),
                         .objects = {}};
    choice.objects.gate = gate_->value();
    choice.objects.pair_by_name = mode_->currentData(by_name_role).toBool();
    if (range_->value() > farthest) choice.objects.reach.range = range_->value();
    if (angle_->value() < all_around) choice.objects.reach.half_angle = angle_->value() * std::numbers::pi / 180;
    return choice;
}

void CompareBar::show_seen(const std::optional<SensorReach>& seen, bool is_complete)
{
    seen_ = seen;
    from_detections_->setEnabled(range_->isEnabled() && seen_.has_value());
    const bool is_of_detections = chosen_[1] && chosen_[1]->set == ObjectSet::detections;
    if (is_complete && is_of_detections && !reach_is_users_) take_seen();
}

void CompareBar::take_seen()
{
    if (!seen_) return;
    const auto range = std::ceil(seen_->range),
               angle = std::min(std::ceil(seen_->half_angle * 180 / std::numbers::pi), all_around);
    if (range_->value() == range && angle_->value() == angle) return;
    {
        const QSignalBlocker quiet_range(range_), quiet_angle(angle_);
        range_->setValue(range);
        angle_->setValue(angle);
    }
    emit choice_changed();
}

ObjectError CompareBar::error() const { return static_cast<ObjectError>(error_->currentIndex()); }

bool CompareBar::is_side_by_side() const { return side_by_side_->isChecked(); }

void CompareBar::set_exportable(bool exportable) { export_->setEnabled(exportable); }

}  // namespace ositrace::gui
