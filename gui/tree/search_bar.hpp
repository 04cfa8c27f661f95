// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include <QWidget>

#include "gui/session/moment.hpp"
#include "gui/tree/schema_paths.hpp"
#include "gui/tree/value_search.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace ositrace::gui {

/// Search in the messages of a moment: by field as one types, over the schema; by value in the background, over the
/// data.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget* parent = nullptr);
    /// One of other channels is searched at once: what was found in the one before leads nowhere any more.
    void show_moment(std::shared_ptr<const Moment> moment);
    /// Where elements of `[]` in a path are taken from: what is selected.
    void search_near(std::uint32_t source, std::string path);
    void focus();

signals:
    void chosen(std::uint32_t source, const std::string& path);

private:
    void build();
    void search();
    void search_fields();
    void search_values();
    [[nodiscard]] const SchemaPaths& paths_of(const Channel& channel);
    void add(std::uint32_t source, const std::string& path, const QString& text);
    void show_results(const QString& note);
    [[nodiscard]] QListWidgetItem* best_result() const;
    [[nodiscard]] bool is_set(const QListWidgetItem& result) const;

    std::shared_ptr<const Moment> moment_;
    std::uint32_t near_source_ = 0;
    std::string near_path_;
    std::map<const MessageTable*, SchemaPaths> paths_;
    std::vector<std::shared_ptr<const Schema>> schemas_;  ///< keeps the tables that are keys alive
    bool switched_ = false;                               ///< the box says values because the words are a comparison
    ValueSearch job_;
    QLineEdit* words_ = nullptr;
    QComboBox* what_ = nullptr;
    QListWidget* results_ = nullptr;
    QLabel* note_ = nullptr;
};

}  // namespace ositrace::gui
