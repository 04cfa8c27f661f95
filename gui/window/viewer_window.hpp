// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include <QElapsedTimer>
#include <QMainWindow>

#include "gui/export/background_job.hpp"
#include "gui/scene/frame_limit.hpp"
#include "gui/viewer/viewer.hpp"
#include "gui/window/commands.hpp"
#include "gui/window/layout.hpp"

class QActionGroup;
class QStackedWidget;

namespace ositrace::gui {

struct ArrangedScene;
class DockPanel;
class SceneView;
class SceneViews;
class StatusLine;
class TimelineWidget;
class TransportBar;
struct PictureRequest;
struct VideoRequest;
class WelcomePage;

/// The window: the scene in the middle, panels around it, the timeline below. Connects them and passes each snapshot to
/// them.
class ViewerWindow : public QMainWindow {
    Q_OBJECT
public:
    /// Takes over a viewer that may be opening traces already.
    explicit ViewerWindow(std::unique_ptr<Viewer> viewer = std::make_unique<Viewer>());
    ~ViewerWindow() override;

    [[nodiscard]] Viewer& viewer() noexcept { return *viewer_; }
    /// The active view of the scene: commands apply to it.
    [[nodiscard]] SceneView& scene() noexcept { return *scene_; }
    [[nodiscard]] SceneViews& views() noexcept { return *views_; }
    [[nodiscard]] TimelineWidget& timeline() noexcept { return *timeline_; }
    [[nodiscard]] Commands& commands() noexcept { return *commands_; }

    /// Replaces the open files, and adds them to the recent files.
    void open(const QStringList& files, std::optional<MessageType> type = {});
    void open_additional(const QStringList& files);
    /// The result file of a checker: its findings are listed and marked on the timeline.
    void open_report(const QString& file);
    /// Adds files to the recent files, each as soon as it can be shown; addresses at once.
    void remember(const QStringList& files);
    /// The status line shows no durations and sizes, which differ from run to run.
    void hide_work();
    /// The screen shows the current time, clouds at least coarsely.
    [[nodiscard]] bool is_seen() const;
    /// The screen shows the current time completely.
    [[nodiscard]] bool is_settled() const;
    /// All panels are settled.
    [[nodiscard]] bool is_examined() const;
    void set_theme(Theme theme);
    [[nodiscard]] Layout layout_now() const;
    void apply(const Layout& layout);
    /// Restores position, size and panels of the last session.
    void restore_arrangement();
    [[nodiscard]] static Theme last_theme();

signals:
    /// All panels show another snapshot.
    void snapshot_shown();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build_centre();
    template <class P>
    QWidget* make_panel();
    template <class P>
    P& shown();
    void build_panels();
    void build_toolbar();
    QDockWidget* dock(const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area);
    QDockWidget* build_player();
    void show_panel(QWidget& panel);
    void bring_forward(QDockWidget& dock);
    void show_message_of(std::uint32_t source, std::uint64_t number);
    void show_side_by_side(const std::shared_ptr<const CompareChoice>& choice);
    void apply_views(const Layout& layout);
    void connect_panels();
    void connect_panel_commands();
    void connect_parts();
    void connect_file_commands();
    void connect_playback_commands();
    void connect_view(SceneView& view);
    void connect_scene_commands();
    void connect_window_commands();
    void connect_export_commands();
    void list_recent();
    void show_snapshot();
    void show_scene();
    void show_motion();
    void set_interpolates(bool on);
    void show_problems();
    void show_files();
    void show_time();
    void show_times();
    void show_section();
    void show_work();
    void show_followed();
    void show_views();
    void add_trail_lengths();
    void set_trail(Nanoseconds length);
    [[nodiscard]] QString followed_text() const;
    void scene_drawn();
    void select_next(int direction);
    void arrow(int direction);
    void ask_for_files(bool beside);
    void ask_for_address();
    void ask_for_model();
    void run_job(const QString& title, BackgroundJob::Work work);
    void save_section();
    void save_part(std::uint32_t source, bool only_channel);
    void save_json();
    [[nodiscard]] ArrangedScene scene_now() const;
    void save_picture();
    [[nodiscard]] QSize shown_size() const;
    void save_video();
    void save_page();
    void save_window_video(const VideoRequest& request);
    void load_layout();
    void save_layout();
    void share_width();
    void show_panels(bool shows);
    bool restore(const QByteArray& state);
    void keep_picture();
    void make_sample();
    void arrange(Command command);
    void toggle_panels(Qt::DockWidgetArea area);
    void show_message(const QString& problem);
    void remember_opened();
    void show_kept_bookmarks(const QStringList& files);
    void show_failure(const QString& title, const QString& why);

    std::unique_ptr<Viewer> viewer_;
    Theme theme_ = Theme::dark;
    bool arrows_by_message_ = true;
    FrameLimit motion_limit_;
    QElapsedTimer motion_shown_;
    ModelChoice last_model_;
    Commands* commands_ = nullptr;
    QStackedWidget* centre_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    QWidget* welcome_area_ = nullptr;
    SceneViews* views_ = nullptr;
    SceneView* scene_ = nullptr;  ///< the active one of the views
    std::vector<DockPanel*> panels_;
    TransportBar* transport_ = nullptr;
    TimelineWidget* timeline_ = nullptr;
    StatusLine* status_ = nullptr;
    std::optional<Layout> before_side_by_side_;  ///< the views to which they return
    QMenu* recent_ = nullptr;
    QActionGroup* trail_lengths_ = nullptr;
    Nanoseconds last_trail_ = std::chrono::seconds(3);  ///< that is switched on again
    bool keeps_bookmarks_ = false;                      ///< in the settings of the user
    QString bookmarks_of_;                              ///< the file whose bookmarks are kept; empty: none
    QStringList to_remember_;                           ///< files that cannot be shown yet
    QByteArray default_state_;
    std::optional<QByteArray> put_away_;  ///< the arrangement, while nothing is open and the panels are hidden
    bool is_arranged_ = false;            ///< by the user, now or in an earlier session
    std::map<Qt::DockWidgetArea, QList<QDockWidget*>> in_front_;  ///< front tabs of a hidden side
};

}  // namespace ositrace::gui
