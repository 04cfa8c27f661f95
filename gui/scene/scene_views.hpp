// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <QSplitter>

#include "gui/scene/scene_view.hpp"

class QFrame;

namespace ositrace::gui {

/// The scene: one view, or two beside each other, each with its own camera, kinds and channels. Both show the same
/// picture, selection and theme. GUI thread.
class SceneViews : public QSplitter {
    Q_OBJECT
public:
    explicit SceneViews(QWidget* parent = nullptr);
    ~SceneViews() override;

    [[nodiscard]] SceneView& first() noexcept { return *views_.front(); }
    /// Null if there is one view.
    [[nodiscard]] SceneView* second() noexcept { return is_split() ? views_.back() : nullptr; }
    [[nodiscard]] const std::vector<SceneView*>& all() const noexcept { return views_; }
    [[nodiscard]] bool is_split() const noexcept { return views_.size() == 2; }
    /// A second view begins like the first one, but from above if that is in 3D, else in 3D.
    void set_split(bool split);
    /// The part of the width that the first of two views has.
    [[nodiscard]] double first_share() const;
    void set_first_share(double share);
    /// See SceneView::set_flying().
    void set_flying(bool on);
    /// Both views have one camera: that of the view that moved last.
    void set_linked(bool linked);
    /// The view that has or had the keyboard focus last: commands apply to it.
    [[nodiscard]] SceneView& active() noexcept { return *active_; }

    void set_picture(const std::shared_ptr<const Picture>& picture);
    /// The next picture places the cameras, whoever has moved them.
    void expect_new_scene();
    void set_marks(const std::vector<SceneMark>& marks);
    void set_tints(const std::vector<ThingTint>& tints);
    void set_theme(Theme theme);
    void select(const std::optional<ThingKey>& thing);
    void set_channels(const QStringList& names);
    void set_styles(const std::vector<SourceStyle>& styles);
    [[nodiscard]] bool is_seen() const;
    [[nodiscard]] bool is_complete() const;
    /// Of all views together.
    [[nodiscard]] std::chrono::nanoseconds drawn_in() const;

signals:
    /// The views, or the active one, changed.
    void views_changed();
    void view_added(ositrace::gui::SceneView* view);

private:
    SceneView& add_view();
    void activate(QWidget* focused);
    void mark_active();
    void link_to(const SceneView& moved);

    std::vector<SceneView*> views_;  ///< one or two
    std::vector<QFrame*> frames_;    ///< around the views
    SceneView* active_ = nullptr;
    bool is_linked_ = false;
};

}  // namespace ositrace::gui
