// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/statistics_panel.hpp"

#include <algorithm>
#include <utility>

#include <QColor>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/text/quantity.hpp"
#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

namespace {

constexpr int time_role = Qt::UserRole;

/// From the session's index, while nothing has been read yet.
std::vector<Fact> facts_of(const MessageTimes& times)
{
    std::vector<Fact> facts{{QObject::tr("messages"),
                             count_text(times.count) + (times.complete ? QString() : QStringLiteral(" \u2026")),
                             {}}};
    if (const auto step = times.step(); step && step->count() > 0)
        facts.push_back({QObject::tr("rate"),
                         hertz_text(1 / std::chrono::duration<double>(*step).count()) + QStringLiteral(" Hz"),
                         {}});
    return facts;
}

}  // namespace

StatisticsPanel::StatisticsPanel(const Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection)
{
    build();
    for (const auto signal : {&Session::traces_changed, &Session::channels_changed, &Session::times_changed})
        connect(&session_, signal, this, &StatisticsPanel::update_from_session);
    connect(channels_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
        if (const auto time = item->data(0, time_role); time.isValid())
            emit seek_requested(Nanoseconds(time.toLongLong()));
    });
    connect(findings_view_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (const auto* const finding = findings_.finding(index)) go_to(*finding);
    });
    connect(&findings_, &FindingsModel::marks_changed, this, [this] {
        emit marks_changed(findings_.marks());
        show_state();
    });
    connect(read_all_, &QPushButton::clicked, this, &StatisticsPanel::read_all);
    update_from_session();
}

StatisticsPanel::~StatisticsPanel() = default;

void StatisticsPanel::build()
{
    channels_ = new QTreeWidget;
    channels_->setObjectName("channel_statistics");
    channels_->setHeaderLabels({tr("Channel"), QString()});
    channels_->setUniformRowHeights(true);
    channels_->setAlternatingRowColors(true);
    channels_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);  // the rest is for the values
    channels_->setTextElideMode(Qt::ElideRight);
    findings_view_ = new QTreeView;
    findings_view_->setObjectName("findings");
    findings_view_->setModel(&findings_);
    findings_view_->setUniformRowHeights(true);
    findings_view_->setAlternatingRowColors(true);
    findings_view_->setAllColumnsShowFocus(true);
    findings_view_->setTextElideMode(Qt::ElideRight);
    findings_view_->header()->setStretchLastSection(false);
    const auto em = fontMetrics().horizontalAdvance('m');
    for (const auto& [column, width] : {std::pair{FindingsModel::time, 7},
                                        {FindingsModel::severity, 5},
                                        {FindingsModel::frame, 5},
                                        {FindingsModel::rule, 24}})
        findings_view_->setColumnWidth(column, width * em);
    findings_view_->viewport()->installEventFilter(this);
    state_ = new QLabel;
    state_->setObjectName("examination_state");
    state_->setWordWrap(true);
    read_all_ = new QPushButton(tr("Read all and check"));
    read_all_->setObjectName("read_all");
    read_all_->setToolTip(tr("Large traces are read completely only on request."));

    auto* const line = new QHBoxLayout;
    line->addWidget(state_, 1);
    line->addWidget(read_all_);
    auto* const parts = new QSplitter(Qt::Vertical);
    parts->addWidget(channels_);
    parts->addWidget(findings_view_);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(parts, 1);
    all->addLayout(line);
}

bool StatisticsPanel::is_settled() const
{
    return session_.is_complete() &&
           std::ranges::none_of(session_.traces(),
                                [this](const OpenTrace& open) { return awaits_examination(open); }) &&
           std::ranges::none_of(examinations_, [](const auto& one) { return one.second->is_running(); });
}

void StatisticsPanel::release()
{
    if (std::exchange(on_hold_, false)) update_from_session();
}

bool StatisticsPanel::awaits_examination(const OpenTrace& open) const
{
    return open.is_file() && open.whole && open.complete && !examinations_.contains(open.trace.get());
}

const Examination* StatisticsPanel::examination_of(const Trace* trace) const
{
    const auto found = examinations_.find(trace);
    return found == examinations_.end() ? nullptr : found->second.get();
}

void StatisticsPanel::update_from_session()
{
    const auto is_open = [&](const auto& one) {
        return std::ranges::any_of(session_.traces(),
                                   [&](const OpenTrace& open) { return open.trace.get() == one.first; });
    };
    for (auto& one : examinations_)
        if (!is_open(one)) Examination::retire(std::move(one.second));
    std::erase_if(examinations_, [](const auto& one) { return one.second == nullptr; });
    for (const auto& open : session_.traces())
        if (!on_hold_ && awaits_examination(open)) examine(open.trace, usual_depth(*open.trace));
    show_channels();
    show_findings();
    show_state();
}

void StatisticsPanel::examine(const std::shared_ptr<const Trace>& trace, Depth depth)
{
    auto& examination = examinations_[trace.get()];
    Examination::retire(std::move(examination));
    examination = std::make_unique<Examination>(trace, depth, this);
    connect(examination.get(), &Examination::changed, this, [this] {
        show_channels();
        show_findings();
        show_state();
    });
    connect(examination.get(), &Examination::state_changed, this, &StatisticsPanel::show_state);
}

void StatisticsPanel::read_all()
{
    for (const auto& open : session_.traces()) {
        const auto* const before = open.trace ? examination_of(open.trace.get()) : nullptr;
        if (before != nullptr && before->depth() != Depth::all) examine(open.trace, Depth::all);
    }
    show_state();
}

void StatisticsPanel::show_channels()
{
    const auto& channels = *session_.channels();
    while (channels_->topLevelItemCount() > static_cast<int>(channels.size()))
        delete channels_->takeTopLevelItem(channels_->topLevelItemCount() - 1);
    for (int i = 0; i != static_cast<int>(channels.size()); ++i) {
        const bool is_new = i == channels_->topLevelItemCount();
        if (is_new) channels_->addTopLevelItem(new QTreeWidgetItem);
        auto& item = *channels_->topLevelItem(i);
        show_facts(item, channels[static_cast<std::size_t>(i)]);
        if (is_new) item.setExpanded(true);
    }
}

void StatisticsPanel::show_facts(QTreeWidgetItem& item, const OpenChannel& channel)
{
    item.setText(0, QString::fromStdString(channel.name));
    const auto* const examination = examination_of(channel.trace.get());
    const auto* const summary =
        examination == nullptr || !examination->summary() || channel.in_trace >= examination->summary()->channels.size()
            ? nullptr
            : &examination->summary()->channels[channel.in_trace];
    qDeleteAll(item.takeChildren());
    for (const auto& fact : summary == nullptr ? facts_of(*channel.times) : facts_of(*summary))
        add_fact(item, fact, channel.shift);
    const auto gaps = summary == nullptr ? std::vector<Fact>() : gaps_of(*summary);
    if (gaps.empty()) return;
    auto* const list = new QTreeWidgetItem(
        &item,
        {tr("list of gaps"), summary->steps->gaps > gaps.size() ? tr("the first %1").arg(gaps.size()) : QString()});
    for (const auto& gap : gaps) add_fact(*list, gap, channel.shift);
}

void StatisticsPanel::add_fact(QTreeWidgetItem& above, const Fact& fact, Nanoseconds shift)
{
    auto* const item = new QTreeWidgetItem(&above, {fact.name, fact.value});
    item->setToolTip(0, fact.tip);
    item->setToolTip(1, fact.tip.isEmpty() ? fact.value : QStringLiteral("%1\n%2").arg(fact.value, fact.tip));
    if (fact.time) item->setData(0, time_role, static_cast<qlonglong>(shifted(*fact.time, shift).count()));
    if (fact.is_odd) item->setForeground(1, colour_of(Tone::warning, palette()));
}

PlacedFinding StatisticsPanel::placed(const Finding& finding, const Trace* trace) const
{
    PlacedFinding place{.finding = finding};
    const auto& channels = *session_.channels();
    for (std::uint32_t source = 0; source != channels.size(); ++source) {
        const auto& channel = channels[source];
        const bool is_it =
            channel.trace.get() == trace && (finding.channel.empty() || finding.channel == channel.channel->topic);
        if (!is_it) continue;
        if (finding.frame || !finding.channel.empty()) place.source = source;
        if (finding.time) place.time = shifted(*finding.time, channel.shift);
        // A frame that cannot be read has no time: the time of its message in the index is used. With several channels
        // the message is unknown.
        const bool is_only = trace->info().channels.size() == 1;
        if (!place.time && finding.frame && is_only && channel.times->count != 0)
            place.time = channel.time_of(*finding.frame);
        break;
    }
    return place;
}

/// Findings of the same rule in several traces form one group.
void StatisticsPanel::show_findings()
{
    std::vector<FindingGroup> groups;
    std::map<std::string_view, std::size_t> places;
    for (const auto& [trace, examination] : examinations_) {
        if (!examination->findings()) continue;
        for (const auto& rule : examination->findings()->counts) {
            const auto [place, is_new] = places.try_emplace(rule.id, groups.size());
            if (is_new)
                groups.push_back({.rule = rule, .is_usual = true});
            else
                groups[place->second].rule.count += rule.count;
            groups[place->second].is_usual &= examination->usual().contains(rule.id);
        }
        for (const auto& finding : examination->findings()->findings)
            groups[places.at(finding.id)].listed.push_back(placed(finding, trace));
        for (const auto& [finding, count] : examination->unlisted()) {
            auto& unlisted = groups[places.at(finding.id)].unlisted;
            unlisted.push_back(placed(finding, trace));
            unlisted.back().count = count;
        }
    }
    findings_.show(std::move(groups));
    emit marks_changed(findings_.marks());
}

/// Text and time fit the view; the other columns are reached by scrolling.
void StatisticsPanel::fit_findings()
{
    const auto least = 12 * fontMetrics().horizontalAdvance('m');
    const auto room = findings_view_->viewport()->width() - findings_view_->columnWidth(FindingsModel::time);
    findings_view_->setColumnWidth(FindingsModel::message, std::max(room, least));
}

bool StatisticsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) fit_findings();
    return QWidget::eventFilter(watched, event);
}

void StatisticsPanel::show_state()
{
    QStringList lines;
    std::uint64_t errors = 0, warnings = 0, frames = 0;
    bool is_checked = false, all_requested = true, are_all_listed = true;
    for (const auto& [trace, examination] : examinations_) {
        if (!examination->state().isEmpty()) lines += examination->state();
        all_requested = all_requested && examination->depth() == Depth::all;
        if (!examination->findings()) continue;
        is_checked = true;
        errors += examination->findings()->errors;
        warnings += examination->findings()->warnings;
        frames += examination->findings()->frames;
        are_all_listed =
            are_all_listed && std::ranges::all_of(examination->findings()->counts, [](const FindingCount& kind) {
                return kind.count <= Examination::listed_per_kind;
            });
    }
    if (!are_all_listed) lines.prepend(tr("listed: the first %1 of each kind").arg(Examination::listed_per_kind));
    if (const auto muted = findings_.muted(); muted != 0)
        lines.prepend(
            tr("rules not marked on the timeline: %1 (nearly every frame violates them, or they are not checked)")
                .arg(muted));
    if (is_checked)
        lines.prepend(
            tr("%1 checked: %2, %3")
                .arg(count_text(frames, "frame"), count_text(errors, "error"), count_text(warnings, "warning")));
    state_->setText(lines.join('\n'));
    read_all_->setVisible(!all_requested);
}

void StatisticsPanel::go_to(const PlacedFinding& finding)
{
    if (finding.time) emit seek_requested(*finding.time);
    if (finding.source && !finding.finding.field.empty())
        selection_.select({{}, *finding.source, finding.finding.field});
}

}  // namespace ositrace::gui
