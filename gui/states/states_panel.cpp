// SPDX-License-Identifier: MPL-2.0
#include "gui/states/states_panel.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <ositrace/error.hpp>
#include <ositrace/query.hpp>

#include "gui/channels/channel_chooser.hpp"
#include "gui/text/quantity.hpp"
#include "gui/widgets/tool_button.hpp"

namespace ositrace::gui {

namespace {

struct Preset {
    const char* name;
    const char* path;
};

/// Those whose path a channel has are offered.
constexpr Preset presets[] = {
    {QT_TRANSLATE_NOOP("StatesPanel", "Brake lights"),
     "moving_object[*].vehicle_classification.light_state.brake_light_state"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Indicators"),
     "moving_object[*].vehicle_classification.light_state.indicator_state"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Headlights"), "moving_object[*].vehicle_classification.light_state.head_light"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Reversing lights"),
     "moving_object[*].vehicle_classification.light_state.reversing_light"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Types of objects"), "moving_object[*].type"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Types of vehicles"), "moving_object[*].vehicle_classification.type"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Assigned lanes"), "moving_object[*].assigned_lane_id[0].value"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Classified lanes"),
     "moving_object[*].moving_object_classification.assigned_lane_id[0].value"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Traffic light colours"), "traffic_light[*].classification.color"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Traffic light modes"), "traffic_light[*].classification.mode"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Detected types"), "moving_object[*].candidate[0].type"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Measured or predicted"), "moving_object[*].header.measurement_state"},
    {QT_TRANSLATE_NOOP("StatesPanel", "Detected light colours"), "traffic_light[*].candidate[0].classification.color"},
};

/// Every index of a path as `[*]`.
std::string for_all_elements(const std::string& path)
{
    std::string all;
    for (std::size_t i = 0; i != path.size(); ++i) {
        all += path[i];
        if (path[i] != '[') continue;
        i = path.find(']', i);
        if (i == std::string::npos) break;
        all += "*]";
    }
    return all;
}

/// From the first list that is enough to name it: another type of message may have it as well.
std::string shortened(const MessageTable& root, const std::string& whole)
{
    const auto list = whole.rfind('.', whole.find('['));
    if (whole.find('[') == std::string::npos || list == std::string::npos) return whole;
    auto path = whole.substr(list + 1);
    try {
        return full_path(root, path) == whole ? path : whole;
    } catch (const Error&) {  // ambiguous
        return whole;
    }
}

}  // namespace

StatesPanel::StatesPanel(const Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection)
{
    build();
    connect(path_, &QLineEdit::returnPressed, this, [this] {
        if (add(path_->text().trimmed())) path_->clear();
    });
    connect(only_changes_, &QCheckBox::toggled, view_, &StateView::set_only_changes);
    connect(presets_, &QMenu::aboutToShow, this, &StatesPanel::list_presets);
    connect(chooser_, &QComboBox::activated, this, &StatesPanel::read);
    connect(view_, &StateView::time_requested, this, &StatesPanel::seek_requested);
    connect(view_, &StateView::message_requested, this, [this](std::uint64_t number) {
        if (const auto source = shown_source()) emit message_requested(*source, number);
    });
    connect(view_, &StateView::curve_selected, this, &StatesPanel::select_object);
    connect(view_, &StateView::field_removed, this, [this](std::uint32_t field) {
        paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(shown_[field]));
        read();
    });
    connect(&reader_, &StateReader::updated, this, [this](const auto& update) {
        messages_ = update->messages;
        view_->add(*update);
        show_state();
    });
    connect(&reader_, &StateReader::finished, this, [this](const QString& problem) {
        is_reading_ = false;
        problem_ = problem;
        show_state();
    });
    connect(&session_, &Session::channels_changed, this, &StatesPanel::show_channels);
    connect(&session_, &Session::times_changed, this, &StatesPanel::show_channels);
    show_state();
}

void StatesPanel::build()
{
    chooser_ = new ChannelChooser(session_);
    chooser_->setObjectName("states_channel");
    chooser_->setToolTip(tr("The channel whose messages are shown"));
    presets_ = new QMenu(this);
    presets_->setToolTipsVisible(true);
    auto* const add_button = tool_button("states_add", tr("Add"), tr("Add a field that is often looked at"));
    add_button->setMenu(presets_);
    add_button->setPopupMode(QToolButton::InstantPopup);
    path_ = new QLineEdit;
    path_->setObjectName("states_path");
    path_->setAccessibleName(tr("Path"));
    path_->setClearButtonEnabled(true);
    path_->setPlaceholderText(tr("Add a field: moving_object[*].type"));
    path_->setToolTip(
        tr("The path of an enum, a bool, an integer or a text. The beginning may be left out.\n"
           "Enter adds it; a right click on its name removes it."));
    only_changes_ = new QCheckBox(tr("only what changes"));
    only_changes_->setObjectName("states_only_changes");
    only_changes_->setToolTip(tr("Hides objects that keep one value in all messages"));
    const auto button = [this](const char* name, const QString& text, const QString& tip, int direction) {
        auto* const made = tool_button(name, text, tip);
        connect(made, &QToolButton::clicked, this, [this, direction] { go(direction); });
        return made;
    };
    auto* const line = new QHBoxLayout;
    line->setContentsMargins(4, 4, 4, 0);
    line->addWidget(chooser_);
    line->addWidget(add_button);
    line->addWidget(path_, 1);
    line->addWidget(only_changes_);
    line->addWidget(button("states_previous", tr("Previous change"),
                           tr("Of the selected row, or of any if none is selected (Shift+F4)"), -1));
    line->addWidget(
        button("states_next", tr("Next change"), tr("Of the selected row, or of any if none is selected (F4)"), 1));
    note_ = new QLabel;
    note_->setObjectName("states_note");
    note_->setContentsMargins(6, 0, 6, 0);
    note_->setWordWrap(true);
    view_ = new StateView;
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addLayout(line);
    all->addWidget(note_);
    all->addWidget(view_, 1);
}

const MessageTable* StatesPanel::root() const
{
    const auto source = chooser_->source();
    return source ? (*session_.channels())[*source].channel->root : nullptr;
}

std::optional<std::uint32_t> StatesPanel::shown_source() const
{
    return channel_ ? source_of(*channel_, session_) : std::nullopt;
}

void StatesPanel::list_presets()
{
    presets_->clear();
    const auto* const table = root();
    if (table == nullptr) return;
    for (const auto& preset : presets) {
        try {
            static_cast<void>(full_path(*table, preset.path));
        } catch (const Error&) {  // another type of message
            continue;
        }
        const auto path = QString::fromLatin1(preset.path);
        presets_->addAction(tr(preset.name), this, [this, path] { add(path); })->setToolTip(path);
    }
}

bool StatesPanel::add(const QString& path)
{
    problem_.clear();
    const auto* const table = root();
    try {
        if (table == nullptr) throw Error(Cause::usage, tr("open a trace first").toStdString());
        const auto whole = full_path(*table, path.toStdString());
        const std::vector<std::string> one{whole};
        const SeriesPlan plan(*table, one);
        const auto kind = plan.paths().front().leaf().kind;
        if (kind == FieldKind::double_ || kind == FieldKind::float_)
            throw Error(Cause::usage, tr("'%1' is a real number: show it as a plot").arg(path).toStdString());
        if (paths_.size() == most_fields)
            throw Error(Cause::usage, tr("no more than %1 fields are shown").arg(most_fields).toStdString());
        auto shorter = shortened(*table, whole);
        if (std::ranges::find(paths_, shorter) != paths_.end()) return show_state(), true;
        paths_.push_back(std::move(shorter));
    } catch (const Error& error) {
        problem_ = QString::fromStdString(error.reason());
        show_state();
        return false;
    }
    read();
    return true;
}

void StatesPanel::add_of(std::uint32_t source, const std::string& path)
{
    if (chooser_->source() != source) {
        chooser_->choose(source);
        paths_.clear();
    }
    add(QString::fromStdString(for_all_elements(path)));
}

QStringList StatesPanel::fields() const
{
    QStringList fields;
    for (const auto& path : paths_) fields += QString::fromStdString(path);
    return fields;
}

void StatesPanel::save(QJsonObject& layout) const
{
    layout.insert(QStringLiteral("states"), QJsonArray::fromStringList(fields()));
}

void StatesPanel::set_fields(const QStringList& paths)
{
    paths_.clear();
    for (const auto& path : paths.first(std::min<qsizetype>(paths.size(), most_fields)))
        paths_.push_back(path.toStdString());
    read();
}

void StatesPanel::focus() { path_->setFocus(Qt::ShortcutFocusReason); }

/// Paths that the channel does not have stay in the list for another channel, and are named.
void StatesPanel::read()
{
    reader_.cancel();
    is_reading_ = false;
    messages_ = 0;
    channel_.reset();
    shown_.clear();
    missing_.clear();
    problem_.clear();
    view_->clear();
    const auto source = chooser_->source();
    if (source && !paths_.empty()) {
        const auto& channel = (*session_.channels())[*source];
        const auto& table = *channel.channel->root;
        std::vector<std::string> known;
        for (std::size_t i = 0; i != paths_.size(); ++i) {
            try {
                auto whole = full_path(table, paths_[i]);
                static_cast<void>(FieldPath::compile_value(table, whole));
                paths_[i] = shortened(table, whole);
                known.push_back(std::move(whole));
                shown_.push_back(i);
            } catch (const Error&) {
                missing_ += QString::fromStdString(paths_[i]);
            }
        }
        if (!known.empty()) {
            SeriesPlan plan(table, known);
            channel_ = channel;
            view_->begin(channel, {plan.paths().begin(), plan.paths().end()});
            is_reading_ = true;
            reader_.start(channel, std::move(plan));
        }
    }
    show_state();
}

/// A channel that was read anew is read again here.
void StatesPanel::show_channels()
{
    if (!channel_) return paths_.empty() ? show_state() : read();
    const auto source = shown_source();
    if (!source) return read();
    const auto& now = (*session_.channels())[*source];
    if (now.times->count == channel_->times->count && now.shift == channel_->shift) return;
    channel_ = now;
    view_->set_channel(now);
    show_state();
}

void StatesPanel::show_state()
{
    QStringList parts;
    if (is_reading_) {
        const auto count = channel_->times->count;
        parts += count == 0 ? tr("reading \u2026")
                            : tr("reading: %1 %").arg(std::min<std::uint64_t>(99, 100 * messages_ / count));
    } else if (channel_ && view_->curves().empty()) {
        parts += tr("no message has a value");
    }
    if (!missing_.isEmpty()) parts += tr("this channel has no %1").arg(missing_.join(QStringLiteral(", ")));
    if (!problem_.isEmpty()) parts += problem_;
    note_->setText(parts.join(QStringLiteral("; ")));
    note_->setVisible(!parts.isEmpty());
}

void StatesPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) { snapshot_ = snapshot; }

void StatesPanel::go(int direction)
{
    const auto source = shown_source();
    if (!source || !snapshot_ || *source >= snapshot_->channels.size()) return;
    problem_.clear();
    if (const auto message = view_->change(snapshot_->channels[*source].number, direction))
        emit message_requested(*source, *message);
    else
        problem_ = direction > 0 ? tr("no later change") : tr("no earlier change");
    show_state();
}

/// Selects the object of a row, if it is there at this time.
void StatesPanel::select_object(std::uint32_t curve)
{
    const auto source = shown_source();
    const auto& id = view_->curves()[curve].curve.id;
    if (!source || !id || !snapshot_) return;
    const auto& text = view_->curves()[curve].curve.text;
    const auto list = text.substr(0, text.find('[') + 1);  // `global_ground_truth.moving_object[`
    for (const auto& layer : snapshot_->picture->layers)
        for (const auto& thing : layer->things)
            if (thing.key.source == *source && thing.key.id == *id && thing.path.starts_with(list))
                return selection_.select({thing.key, *source, thing.path});
}

}  // namespace ositrace::gui
