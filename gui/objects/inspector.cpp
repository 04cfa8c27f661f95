// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/inspector.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <ositrace/error.hpp>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double longest_collision = 20;  // s: longer times to a collision do not matter, and would flatten the others

/// Gives a row the height of its text, wrapped at the width of its column: QTreeView asks without a width.
class WrappedText final : public QStyledItemDelegate {
public:
    explicit WrappedText(QTreeView& view) : QStyledItemDelegate(&view), view_(view) {}
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        auto within = option;
        within.rect = {0, 0, view_.columnWidth(index.column()), 1};
        return QStyledItemDelegate::sizeHint(within, index);
    }

private:
    QTreeView& view_;
};

/// `least 3.21 at 4.500 s`
QString least_text(const PlotLine& line)
{
    const auto& [times, values] = line.data->curve;
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i != values.size(); ++i)
        if (std::isfinite(values[i]) && (!least || values[i] < values[*least])) least = i;
    if (!least) return QObject::tr("never");
    return QObject::tr("least %1 at %2")
        .arg(fixed_text(values[*least], 2), seconds_text(line.in_session(times[*least]), std::chrono::milliseconds(1)));
}

constexpr int path_role = Qt::UserRole;

/// Lists its entries when it is opened.
class OthersBox : public QComboBox {
public:
    std::function<void()> list = [] {};
    void showPopup() override
    {
        list();
        QComboBox::showPopup();
    }
};

QString label_of(const Thing& thing) { return QString::fromStdString(thing.label.empty() ? thing.type : thing.label); }

}  // namespace

std::optional<PairExpressions> pair_expressions(const Thing& thing, const Thing& other)
{
    if (thing.key.source != other.key.source || !thing.has_id || !other.has_id) return std::nullopt;
    const auto by_id = [](const Thing& each) {
        const auto bracket = each.path.rfind('[');
        return bracket == std::string::npos ? std::string()
                                            : each.path.substr(0, bracket) + "[id=" + std::to_string(each.key.id) + ']';
    };
    const auto one = by_id(thing), two = by_id(other);
    if (one.empty() || two.empty()) return std::nullopt;
    const auto both = '(' + one + ", " + two + ')';
    return PairExpressions{"gap" + both, "time_to_collision" + both, "time_to_contact" + both};
}

std::vector<PlotLine> pair_lines(const PlotUpdate& update, Nanoseconds shift)
{
    std::vector<PlotLine> lines;
    const std::array names{std::pair(QObject::tr("gap"), QStringLiteral("m")),
                           std::pair(QObject::tr("time to collision"), QStringLiteral("s")),
                           std::pair(QObject::tr("time to contact"), QStringLiteral("s"))};
    for (std::size_t i = 0; i != std::min(names.size(), update.curves.size()); ++i) {
        if (update.curves[i].empty()) continue;
        PlotLine line{.name = names[i].first, .unit = names[i].second};
        line.data = update.curves[i].front().data;
        line.shift = shift;
        line.colour = i;
        line.always_shown = {0, 0};
        if (i == 1) line.most_shown = longest_collision;
        line.note = least_text(line);
        lines.push_back(std::move(line));
    }
    if (!lines.empty() && lines.front().data->curve.values.empty()) lines.clear();
    return lines;
}

Inspector::Inspector(Selection& selection, const ObjectTableModel& model, QWidget* parent)
    : QWidget(parent), selection_(selection), model_(model)
{
    title_ = new QLabel;
    title_->setObjectName(QStringLiteral("inspected_title"));
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const others = new OthersBox;
    others->list = [this] { list_others(); };
    others_ = others;
    others_->setObjectName(QStringLiteral("inspected_other"));
    others_->setToolTip(tr("Gap, distance and time to collision are those to this object"));
    others_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    others_->setMinimumContentsLength(10);
    others_->addItem(tr("to the host"));
    rows_ = new QTreeWidget;
    rows_->setObjectName(QStringLiteral("inspected"));
    rows_->setColumnCount(2);
    rows_->setHeaderHidden(true);
    rows_->setRootIsDecorated(false);
    rows_->setWordWrap(true);
    rows_->setItemDelegateForColumn(1, new WrappedText(*rows_));
    rows_->setAlternatingRowColors(true);
    rows_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    rows_->header()->setStretchLastSection(true);
    connect(
        rows_->header(), &QHeaderView::sectionResized, rows_, [this] { rows_->doItemsLayout(); }, Qt::QueuedConnection);
    auto* const head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(others_);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addLayout(head);
    all->addWidget(rows_, 1);
    over_time_ = new QCheckBox(tr("Gap and time to collision over time"));
    over_time_->setObjectName(QStringLiteral("inspected_over_time"));
    over_time_->setToolTip(tr("Reads all messages of the channel, in the background"));
    chart_ = new PlotView;
    chart_->setObjectName(QStringLiteral("pair_chart"));
    chart_->set_legend(true);
    chart_->hide();
    all->addWidget(over_time_);
    all->addWidget(chart_);
    connect(over_time_, &QCheckBox::toggled, this, &Inspector::update_chart);
    connect(chart_, &PlotView::seek_requested, this, &Inspector::seek_requested);
    connect(chart_, &PlotView::section_chosen, this, &Inspector::section_chosen);
    connect(others_, &QComboBox::activated, this, [this](int place) {
        const auto key = others_->itemData(place);
        compare_with(key.isValid() ? std::optional(key.value<ThingKey>()) : std::nullopt);
    });
    connect(rows_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { select_field(*item); });
}

const Thing* Inspector::selected_thing() const
{
    const auto& current = selection_.current();
    const int row = current && current->thing ? model_.row_of(*current->thing) : -1;
    return row < 0 ? nullptr : &model_.thing(row);
}

const Thing* Inspector::other_thing() const
{
    if (!other_) return model_.picture() && model_.picture()->host ? &*model_.picture()->host : nullptr;
    const int row = model_.row_of(*other_);
    return row < 0 ? nullptr : &model_.thing(row);
}

void Inspector::compare_with(const std::optional<ThingKey>& other)
{
    if (other_ == other) return;
    other_ = other;
    list_others();
    update_rows();
    emit other_changed();
}

void Inspector::list_others()
{
    others_->clear();
    others_->addItem(tr("to the host"));
    std::vector<const Thing*> things;
    for (int row = 0; row != model_.rowCount(); ++row)
        if (const auto& thing = model_.thing(row); is_road_user(thing.key.category)) things.push_back(&thing);
    std::ranges::sort(things, {}, [](const Thing* thing) { return thing->key; });
    for (const auto* const thing : things) {
        others_->addItem(tr("to %1").arg(label_of(*thing)), QVariant::fromValue(thing->key));
        if (other_ == thing->key) others_->setCurrentIndex(others_->count() - 1);
    }
    if (!other_ || others_->currentIndex() > 0) return;
    others_->addItem(tr("to %1, not in this frame").arg(other_->id), QVariant::fromValue(*other_));
    others_->setCurrentIndex(others_->count() - 1);
}

void Inspector::update_rows()
{
    const auto* const thing = selected_thing();
    if (thing == nullptr) {
        const auto& current = selection_.current();
        if (current && show_point(*current)) return;
        title_->setText(current && current->thing ? tr("Object %1 is not in this frame").arg(current->thing->id)
                                                  : QString());
        return show_rows({});
    }
    title_->setText(QStringLiteral("<b>%1</b>&nbsp; %2")
                        .arg(label_of(*thing).toHtmlEscaped(), QString::fromUtf8(name_of(thing->key.category))));
    const auto* const other = other_thing();
    const InspectedPair pair{thing, other != nullptr && other->key != thing->key ? other : nullptr};
    show_rows(inspect(
        pair, *model_.picture(), model_.message(*thing),
        thing->key.source < channels_.size() ? QString::fromStdString(channels_[thing->key.source].name) : QString()));
    update_chart();
}

/// False: a point of a cloud is not selected.
bool Inspector::show_point(const Selected& selected)
{
    const auto& picture = model_.picture();
    const auto begin = selected.path.rfind('[');
    if (!picture || !selected.thing || begin == std::string::npos) return false;
    const auto cloud = std::ranges::find_if(picture->clouds, [&](const auto& each) {
        return each->key == *selected.thing && selected.path.compare(0, begin, each->path) == 0;
    });
    if (cloud == picture->clouds.end()) return false;
    const auto element = QString::fromStdString(selected.path).mid(static_cast<qsizetype>(begin) + 1).chopped(1);
    title_->setText(
        QStringLiteral("<b>%1</b>&nbsp; %2")
            .arg(tr("point %1").arg(element.toHtmlEscaped()), QString::fromStdString((*cloud)->name).toHtmlEscaped()));
    show_rows(inspect_point(
        **cloud, element.toULongLong(), *picture,
        selected.source < channels_.size() ? QString::fromStdString(channels_[selected.source].name) : QString()));
    return true;
}

void Inspector::show_channels(const OpenChannels& channels)
{
    channels_ = channels;
    update_rows();
}

/// The chart stays while one of the objects is absent.
void Inspector::update_chart()
{
    chart_->setVisible(over_time_->isChecked());
    const auto* const thing = selected_thing();
    const auto* const other = other_thing();
    if (!over_time_->isChecked()) return end_reading();
    if (thing == nullptr || other == nullptr) {
        if (!read_) chart_->set_hint(tr("Two objects in this frame are needed"));
        return;
    }
    read(*thing, *other);
}

void Inspector::end_reading()
{
    if (!read_) return;
    read_.reset();
    if (reader_ != nullptr) PlotReader::retire(std::exchange(reader_, nullptr));
    show_pair({}, {});
}

void Inspector::show_pair(std::vector<PlotLine> lines, const QString& hint)
{
    chart_->set_hint(hint);
    chart_->set_lines(std::move(lines));
    chart_->set_extent(extent_of(channels_));
}

void Inspector::read(const Thing& thing, const Thing& other)
{
    const auto pair = thing.key == other.key ? std::nullopt : pair_expressions(thing, other);
    if (!pair || thing.key.source >= channels_.size()) {
        end_reading();
        return chart_->set_hint(tr("Select another object of the same channel, with an id"));
    }
    const auto& channel = channels_[thing.key.source];
    const bool has_grown = channel.times != read_times_ && channel.times->complete;
    if (read_ == pair && !has_grown) return;
    end_reading();
    read_ = pair;
    read_times_ = channel.times;
    PlotRequest request{.channel = channel, .expressions = {}};
    try {
        for (const auto& each : *pair)
            request.expressions.push_back(CurveExpression::compile(*channel.channel->root, each));
    } catch (const Error& error) {
        return chart_->set_hint(QString::fromUtf8(error.what()));
    }
    chart_->set_hint(tr("Reading..."));
    reader_ = new PlotReader(std::move(request), this);
    connect(reader_, &PlotReader::updated, this,
            [this, shift = channel.shift](const std::shared_ptr<const PlotUpdate>& update) {
                const auto nothing = update->is_complete ? tr("No message contains both objects") : tr("Reading...");
                show_pair(pair_lines(*update, shift), update->problem.isEmpty() ? nothing : update->problem);
            });
}

/// Rows stay where they are while only values change.
void Inspector::show_rows(const std::vector<InspectedRow>& rows)
{
    while (rows_->topLevelItemCount() > static_cast<int>(rows.size()))
        delete rows_->takeTopLevelItem(rows_->topLevelItemCount() - 1);
    for (std::size_t i = 0; i != rows.size(); ++i) {
        auto* item = rows_->topLevelItem(static_cast<int>(i));
        if (item == nullptr) rows_->addTopLevelItem(item = new QTreeWidgetItem);
        item->setText(0, rows[i].name);
        item->setText(1, rows[i].value);
        for (const int column : {0, 1}) item->setToolTip(column, rows[i].tip);
        item->setData(0, path_role, QString::fromStdString(rows[i].path));
    }
}

/// Shows the field in the tree.
void Inspector::select_field(const QTreeWidgetItem& item)
{
    const auto path = item.data(0, path_role).toString().toStdString();
    const auto& current = selection_.current();
    if (path.empty() || !current || !current->thing) return;
    selection_.select({current->thing, current->source, path});
}

}  // namespace ositrace::gui
