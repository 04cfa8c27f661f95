// SPDX-License-Identifier: MPL-2.0
#include "gui/window/action_table.hpp"

#include <array>

namespace ositrace::gui {

namespace {

constexpr std::array rows{
    ActionRow{Command::open, Menu::file, "Open...", "Ctrl+O"},
    ActionRow{Command::add, Menu::file, "Open additional...", "Ctrl+Shift+O"},
    ActionRow{Command::connect_to, Menu::file, "Connect...", "Ctrl+Alt+O"},
    ActionRow{Command::reload, Menu::file, "Reload", "F5"},
    ActionRow{Command::follow_files, Menu::file, "Follow files that grow", "Shift+F5", true},
    ActionRow{Command::run_model, Menu::file, "Run a sensor model...", "Ctrl+M"},
    ActionRow{Command::remove_model, Menu::file, "Remove the sensor model", ""},
    ActionRow{Command::close, Menu::file, "Close", "Ctrl+W"},
    ActionRow{Command::open_report, Menu::file, "Open the report of a checker...", ""},
    ActionRow{Command::save_screenshot, Menu::file, "Save scene as picture...", "C", false, true},
    ActionRow{Command::export_section, Menu::file, "Export section as trace...", "Ctrl+E"},
    ActionRow{Command::export_json, Menu::file, "Export message as JSON...", ""},
    ActionRow{Command::export_video, Menu::file, "Export video...", "Ctrl+Shift+E"},
    ActionRow{Command::export_page, Menu::file, "Export as web page...", ""},
    ActionRow{Command::load_layout, Menu::file, "Open layout...", "", false, true},
    ActionRow{Command::save_layout, Menu::file, "Save layout...", "Ctrl+S"},
    ActionRow{Command::quit, Menu::file, "Quit", "Ctrl+Q", false, true},

    ActionRow{Command::toggle_play, Menu::playback, "Play or pause", "Space"},
    ActionRow{Command::previous_message, Menu::playback, "Previous message", "Left ,", false, true},
    ActionRow{Command::next_message, Menu::playback, "Next message", "Right ."},
    ActionRow{Command::back_100ms, Menu::playback, "Back 0.1 s", "Shift+Left"},
    ActionRow{Command::forward_100ms, Menu::playback, "Forward 0.1 s", "Shift+Right"},
    ActionRow{Command::back_500ms, Menu::playback, "Back 0.5 s", "Alt+Left"},
    ActionRow{Command::forward_500ms, Menu::playback, "Forward 0.5 s", "Alt+Right"},
    ActionRow{Command::back_1s, Menu::playback, "Back 1 s", "Ctrl+Shift+Left"},
    ActionRow{Command::forward_1s, Menu::playback, "Forward 1 s", "Ctrl+Shift+Right"},
    ActionRow{Command::back_10s, Menu::playback, "Back 10 s", "PgUp"},
    ActionRow{Command::forward_10s, Menu::playback, "Forward 10 s", "PgDown"},
    ActionRow{Command::to_start, Menu::playback, "Go to start", "Home Ctrl+Left"},
    ActionRow{Command::to_end, Menu::playback, "Go to end", "End Ctrl+Right"},
    ActionRow{Command::live, Menu::playback, "Live", "Shift+End Shift+L"},
    ActionRow{Command::go_to_time, Menu::playback, "Go to time...", "Ctrl+G"},
    ActionRow{Command::slower, Menu::playback, "Slower speed", "-", false, true},
    ActionRow{Command::faster, Menu::playback, "Faster speed", "+ ="},
    ActionRow{Command::real_time, Menu::playback, "Real-time speed", "1"},
    ActionRow{Command::loop, Menu::playback, "Loop", "L", true, true},
    ActionRow{Command::section_begin, Menu::playback, "Start section here", "I"},
    ActionRow{Command::section_end, Menu::playback, "End section here", "O"},
    ActionRow{Command::section_clear, Menu::playback, "Play everything", "Shift+I"},
    ActionRow{Command::find_in_time, Menu::playback, "Find in time...", "Ctrl+Shift+F", false, true},
    ActionRow{Command::next_found, Menu::playback, "Next found", "F3"},
    ActionRow{Command::previous_found, Menu::playback, "Previous found", "Shift+F3"},
    ActionRow{Command::states, Menu::playback, "States over time...", "Ctrl+Shift+T"},
    ActionRow{Command::next_change, Menu::playback, "Next change of a state", "F4"},
    ActionRow{Command::previous_change, Menu::playback, "Previous change of a state", "Shift+F4"},
    ActionRow{Command::add_bookmark, Menu::playback, "Bookmark this time...", "Ctrl+B", false, true},
    ActionRow{Command::bookmark_section, Menu::playback, "Bookmark the section...", "Ctrl+Shift+B"},
    ActionRow{Command::next_mark, Menu::playback, "Next bookmark or finding", "F6"},
    ActionRow{Command::previous_mark, Menu::playback, "Previous bookmark or finding", "Shift+F6"},
    ActionRow{Command::arrows_by_message, Menu::playback, "Arrow keys step by message", "", true, true},
    ActionRow{Command::interpolate, Menu::playback, "Motion between messages", "", true},

    ActionRow{Command::view_3d, Menu::scene, "3D", "3", true},
    ActionRow{Command::view_bird, Menu::scene, "Bird's eye view", "B 2", true},
    ActionRow{Command::second_view, Menu::scene, "Second view", "V", true},
    ActionRow{Command::reset_camera, Menu::scene, "Reset camera", "R", false, true},
    ActionRow{Command::to_host, Menu::scene, "Centre the host", "H"},
    ActionRow{Command::follow, Menu::scene, "Follow", "F", true},
    ActionRow{Command::turn_along, Menu::scene, "Turn with the heading", "Shift+F", true},
    ActionRow{Command::walk_ahead, Menu::scene, "Camera forward", "W", false, true},
    ActionRow{Command::walk_back, Menu::scene, "Camera back", "S"},
    ActionRow{Command::walk_left, Menu::scene, "Camera to the left", "A"},
    ActionRow{Command::walk_right, Menu::scene, "Camera to the right", "D"},
    ActionRow{Command::next_object, Menu::scene, "Next moving object", "Tab", false, true},
    ActionRow{Command::previous_object, Menu::scene, "Previous moving object", "Shift+Tab"},
    ActionRow{Command::deselect, Menu::scene, "Clear selection", "Esc"},
    ActionRow{Command::find_field, Menu::scene, "Find a field or a value...", "Ctrl+F"},
    ActionRow{Command::measure, Menu::scene, "Measure", "M", true, true},
    ActionRow{Command::trails, Menu::scene, "Trails", "T", true},
    ActionRow{Command::directions, Menu::scene, "Driving directions", "", true},
    ActionRow{Command::labels, Menu::scene, "Labels", "N", true},
    ActionRow{Command::legend, Menu::scene, "Legend", "G", true},

    ActionRow{Command::plot, Menu::window, "Plot a field...", "P"},
    ActionRow{Command::plot_selected, Menu::window, "Plot what is selected, of an object its speed", "Shift+P"},
    ActionRow{Command::left_panels, Menu::window, "Panels on the left", "[", false, true},
    ActionRow{Command::right_panels, Menu::window, "Panels on the right", "]"},
    ActionRow{Command::compare, Menu::window, "Compare two channels", "Shift+C"},
    ActionRow{Command::full_screen, Menu::window, "Full screen", "F11", true},
    ActionRow{Command::theme, Menu::window, "Light theme", "", true, true},
    ActionRow{Command::align_starts, Menu::window, "Align the starts of traces", "", true},
    ActionRow{Command::undo_layout, Menu::window, "Undo layout change", "Ctrl+Z", false, true},
    ActionRow{Command::redo_layout, Menu::window, "Redo layout change", "Ctrl+Shift+Z"},
    ActionRow{Command::default_layout, Menu::window, "Default layout", ""},
    ActionRow{Command::arrange_to_inspect, Menu::window, "Arrange to inspect", "Ctrl+1", false, true},
    ActionRow{Command::arrange_to_plot, Menu::window, "Arrange to plot", "Ctrl+2"},
    ActionRow{Command::arrange_to_compare, Menu::window, "Arrange to compare", "Ctrl+3"},
    ActionRow{Command::arrange_scene_only, Menu::window, "Scene only", "Ctrl+4"},

    ActionRow{Command::keys, Menu::help, "Keys and mouse", "F1"},
    ActionRow{Command::palette, Menu::help, "Find a command...", "Ctrl+K Ctrl+P"},
};

}  // namespace

std::span<const ActionRow> action_table() noexcept { return rows; }

}  // namespace ositrace::gui
