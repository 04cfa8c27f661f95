// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <span>

namespace ositrace::gui {

/// The commands of the menus, keys and the palette.
enum class Command : std::uint8_t {
    open,
    add,
    connect_to,
    reload,
    follow_files,
    run_model,
    remove_model,
    close,
    save_screenshot,
    export_section,
    export_json,
    export_video,
    export_page,
    save_layout,
    load_layout,
    default_layout,
    arrange_to_inspect,
    arrange_to_plot,
    arrange_to_compare,
    arrange_scene_only,
    undo_layout,
    redo_layout,
    quit,
    toggle_play,
    previous_message,
    next_message,
    back_100ms,
    forward_100ms,
    back_500ms,
    forward_500ms,
    back_1s,
    forward_1s,
    back_10s,
    forward_10s,
    to_start,
    to_end,
    live,
    faster,
    slower,
    real_time,
    loop,
    section_begin,
    section_end,
    section_clear,
    go_to_time,
    arrows_by_message,
    interpolate,
    find_in_time,
    next_found,
    previous_found,
    add_bookmark,
    bookmark_section,
    next_mark,
    previous_mark,
    find_events,
    open_report,
    states,
    next_change,
    previous_change,
    view_3d,
    view_bird,
    second_view,
    reset_camera,
    to_host,
    follow,
    turn_along,
    walk_ahead,
    walk_back,
    walk_left,
    walk_right,
    next_object,
    previous_object,
    measure,
    trails,
    directions,
    labels,
    legend,
    deselect,
    find_field,
    plot,
    plot_selected,
    left_panels,
    right_panels,
    compare,
    full_screen,
    theme,
    align_starts,
    palette,
    keys,
};

/// `steps` is a menu in `playback`.
enum class Menu : std::uint8_t { file, playback, steps, scene, window, help };

/// A row per command; the menus, keys and the list of keys are built from it.
struct ActionRow {
    Command command;
    Menu menu;
    const char* text;  ///< in the menu
    const char* keys;  ///< separated by blanks; the menu shows the first; empty: none
    bool checkable = false;
    bool separated = false;  ///< a separator before it
    const char* words = "";  ///< by which it is found, too
};

[[nodiscard]] std::span<const ActionRow> action_table() noexcept;

}  // namespace ositrace::gui
