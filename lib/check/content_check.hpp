// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <ositrace/message_view.hpp>
#include <ositrace/rules.hpp>
#include <ositrace/schema.hpp>

#include "lib/check/findings.hpp"

namespace ositrace {

/// A field with an id that must refer to an existing object.
struct ReferencePlan {
    Kind kind{};                 ///< of the finding, unless `rule` is set
    std::string_view target;     ///< `Lane`; empty: any object with an id
    bool sensor = false;         ///< refers to a sensor; sensors have ids of their own
    const Rule* rule = nullptr;  ///< refers_to
};

struct TablePlan;

/// A rule for a field.
struct RulePlan {
    const Rule* rule = nullptr;
    const FieldRow* condition = nullptr;  ///< check_if: the field of the condition
    /// check_if: the other end of a range. Two lines `>= 2` and `<= 4` mean 2 to 4: each alone would always require the
    /// field.
    const Rule* and_if = nullptr;
};

/// The checks of one field.
struct FieldPlan {
    const FieldRow* row = nullptr;
    const TablePlan* child = nullptr;  ///< visited; null: nothing in it is checked
    std::vector<RulePlan> rules;       ///< all but is_globally_unique and refers_to
    std::optional<ReferencePlan> reference;
    bool defines_sensor = false;
    bool finite = false;  ///< a number that must be neither NaN nor infinite
};

struct TablePlan {
    const MessageTable* table = nullptr;
    std::vector<FieldPlan> fields;
    const FieldRow* id = nullptr;    ///< of type Identifier: the message is an object with an id
    const Rule* unique = nullptr;    ///< is_globally_unique, on `id`
    const FieldRow* type = nullptr;  ///< of a moving object
    bool ground_truth = false;
    bool numbers = false;  ///< some of its fields must be finite
};

/// The parts of a schema's messages that are checked; all others are skipped. Built once per schema and rules, which it
/// borrows.
class ContentPlan {
public:
    /// `is_map`: of the messages of an OpenDRIVE map.
    ContentPlan(const Schema& schema, const MessageTable& root, const RuleSet* rules, bool is_map);
    [[nodiscard]] const TablePlan& root() const noexcept { return *root_; }

private:
    void plan_table(const MessageTable& table, const RuleSet* rules);
    void plan_rules(TablePlan& plan, const RuleSet& rules) const;
    static void drop_set_rules(TablePlan& root, bool is_map);
    void prune();

    std::unordered_map<const MessageTable*, std::unique_ptr<TablePlan>> tables_;
    const TablePlan* root_ = nullptr;
};

/// `osi3.MovingObject.VehicleClassification` -> `MovingObject.VehicleClassification`
[[nodiscard]] std::string_view name_in_package(const MessageTable& table) noexcept;

/// The name of an enumerator, else its number.
[[nodiscard]] std::string type_name(const FieldRow& row, std::int64_t type);

/// Checks the messages of one channel, in order: ids, references, numbers, rules. Remembers objects that a trace may
/// send only once (the map).
class ContentCheck {
public:
    /// Borrows everything.
    ContentCheck(const ContentPlan& plan, Findings& findings) : plan_(plan), findings_(findings) {}
    /// Throws what MessageView throws; earlier findings are kept.
    void check(const MessageView& message, const FindingPlace& place);

private:
    struct Step {
        const FieldRow* row;
        std::optional<std::size_t> index;
    };
    using Path = std::vector<Step>;
    struct KnownObject {
        const MessageTable* table;
        std::optional<std::int64_t> type;
        std::uint64_t scope;  ///< the last ground truth (or top-level message) that contained it
        std::uint64_t frame;
    };
    struct Reference {
        std::uint64_t id;
        const ReferencePlan* plan;
        Path path;
    };

    void walk(const MessageView& message, const TablePlan& plan);
    void walk_field(const MessageView& message, const FieldPlan& field);
    void check_field_value(const Value& value, const FieldPlan& field);
    void note_limit();
    void check_object(const MessageView& message, const TablePlan& plan);
    void check_known(std::uint64_t id, const TablePlan& plan, std::optional<std::int64_t> type);
    [[nodiscard]] bool exists(const Reference& reference) const;
    void note_reference(std::uint64_t id, const ReferencePlan& plan);
    void resolve(const Reference& reference);
    [[nodiscard]] bool is_finite(const MessageView& message, const FieldRow& row);
    void check_rules(const MessageView& message, const FieldPlan& field);
    void check_rule(const MessageView& message, const FieldRow& row, const RulePlan& plan);
    void check_condition(const MessageView& message, const FieldRow& row, const RulePlan& plan);
    void check_values(const MessageView& message, const FieldRow& row, const Rule& rule);
    void check_value(const Value& value, const Rule& rule);
    void check_element(const MessageView& message, const FieldRow& row, const Rule& rule);
    void broken(const Rule& rule, std::string message);
    [[nodiscard]] static std::string text_of(const Path& path);
    [[nodiscard]] std::string path_to(std::string_view field) const;

    /// More ids are not remembered: checks that need them are not done, and a note reports that.
    static constexpr std::size_t max_known_ids = std::size_t{1} << 20;

    const ContentPlan& plan_;
    Findings& findings_;
    FindingPlace place_;
    Path path_;
    std::uint64_t frame_ = 0;
    std::uint64_t scopes_ = 0;
    std::uint64_t scope_ = 0;
    int ground_truths_ = 0;  ///< number of enclosing ground truths
    bool ground_truth_seen_ = false;
    std::unordered_multimap<std::uint64_t, KnownObject>
        known_;  ///< by id, one entry per kind of object: some writers reuse ids
    std::unordered_set<std::uint64_t> sensors_;
    std::vector<Reference> references_;  ///< of the frame
};

}  // namespace ositrace
