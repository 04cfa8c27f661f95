// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QWidget>

#include <ositrace/schema.hpp>

#include "gui/find/value_search.hpp"
#include "gui/session/snapshot.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace ositrace::gui {

/// All paths of a message type, repeated fields with `[]`: `moving_object[].base.velocity.x`. Recursive messages are
/// not entered again, and the depth is that of readable messages; at most 100 000 paths and 32 MiB.
class SchemaPaths {
public:
    explicit SchemaPaths(const MessageTable& root);

    /// Paths that contain every word, ignoring case: those that end with the last word first, then shorter ones. At
    /// most `most`.
    [[nodiscard]] std::vector<std::string> search(const std::string& words, std::size_t most) const;
    [[nodiscard]] const std::vector<std::string>& all() const noexcept { return paths_; }

private:
    std::vector<std::string> paths_;
};

/// `path` with an index in every `[]`: those of `near` as far as both paths agree, else 0.
[[nodiscard]] std::string with_elements(const std::string& path, const std::string& near);

/// Search in the messages of a snapshot: fields of the schema as the user types; values in the background.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget* parent = nullptr);
    /// If the channels changed, searches again: the earlier results are invalid.
    void show_snapshot(std::shared_ptr<const Snapshot> snapshot);
    /// The selected path, which determines the indices for `[]` in results.
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

    std::shared_ptr<const Snapshot> snapshot_;
    std::uint32_t near_source_ = 0;
    std::string near_path_;
    std::map<const MessageTable*, SchemaPaths> paths_;
    std::vector<std::shared_ptr<const Schema>> schemas_;  ///< keeps the tables alive that are keys of paths_
    bool switched_ = false;  ///< the box was switched to values because the words are a comparison
    ValueSearch value_search_;
    QLineEdit* words_ = nullptr;
    QComboBox* what_ = nullptr;
    QListWidget* results_ = nullptr;
    QLabel* note_ = nullptr;
};

}  // namespace ositrace::gui
