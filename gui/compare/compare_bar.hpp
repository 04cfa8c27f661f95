// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "gui/compare/comparison.hpp"

class QComboBox;
class QDoubleSpinBox;
class QToolButton;

namespace ositrace::gui {

/// What is compared, and how: the controls of the panel.
class CompareBar : public QWidget {
    Q_OBJECT
public:
    explicit CompareBar(QWidget* parent = nullptr);

    /// Offers the objects of these channels. Channels that the user has chosen and that are still open stay chosen;
    /// else a ground truth and detections are, or the first two that can be compared.
    void show_channels(const std::shared_ptr<const OpenChannels>& channels);
    /// Empty if there are no two sides.
    [[nodiscard]] std::optional<CompareChoice> choice() const;
    /// The offsets of the channels changed.
    void show_offsets(const std::shared_ptr<const OpenChannels>& channels);
    /// Of the detections; enables the button that limits the reach to it. Unless the user has chosen a reach, it
    /// becomes that of the detections when all of them are known.
    void show_seen(const std::optional<SensorReach>& seen, bool is_complete);
    /// There is nothing else to compare: unless the user has chosen a mode, it becomes that of lane boundaries.
    void prefer_boundaries();
    /// As if the user did.
    void choose_mode(CompareMode mode);
    /// Have the two sides messages of one type; without two sides, have any two channels?
    [[nodiscard]] bool has_equal_types() const;
    /// The kind of error that curve and summary show.
    [[nodiscard]] ObjectError error() const;
    void set_exportable(bool exportable);
    /// The controls of what is shown and saved, for a place beside the results.
    [[nodiscard]] QWidget* of_results() const noexcept { return of_results_; }
    /// Is A to be shown in one view and B in another one?
    [[nodiscard]] bool is_side_by_side() const;

signals:
    void choice_changed();
    void error_changed();
    void side_by_side_changed();
    /// The user shifts the times of B.
    void offset_chosen(std::uint32_t source, ositrace::Nanoseconds offset);
    void export_requested();

private:
    void build();
    void list_sides();
    void choose_defaults();
    [[nodiscard]] std::vector<CompareSide> available() const;
    [[nodiscard]] QString name_of(const CompareSide& side) const;
    void choose(std::size_t side, int place);
    void set_mode(CompareMode mode);
    bool try_objects();
    void update_mode();
    void update_offset();
    void take_seen();

    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    std::vector<CompareSide> offered_;
    std::array<std::optional<CompareSide>, 2> chosen_;
    std::array<bool, 2> is_users_{};  ///< the side was chosen by the user
    std::optional<SensorReach> seen_;
    bool reach_is_users_ = false;
    bool mode_is_users_ = false;
    std::array<QComboBox*, 2> sides_{};
    QComboBox* mode_ = nullptr;
    QComboBox* error_ = nullptr;
    QDoubleSpinBox* offset_ = nullptr;
    QDoubleSpinBox* gate_ = nullptr;
    QDoubleSpinBox* range_ = nullptr;
    QDoubleSpinBox* angle_ = nullptr;
    QToolButton* side_by_side_ = nullptr;
    QToolButton* from_detections_ = nullptr;
    QToolButton* export_ = nullptr;
    QWidget* of_objects_ = nullptr;  ///< the controls that only objects have
    QWidget* of_results_ = nullptr;
};

}  // namespace ositrace::gui
