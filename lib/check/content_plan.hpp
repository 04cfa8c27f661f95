// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/rules.hpp>
#include <ositrace/schema.hpp>

#include "lib/check/finding_kinds.hpp"

namespace ositrace {

/// An id that has to name something.
struct ReferencePlan {
    Kind kind{};                 ///< of the finding, unless a rule demands it
    std::string_view target;     ///< `Lane`; empty: anything with an id
    bool sensor = false;         ///< a sensor, which has names of its own
    const Rule* rule = nullptr;  ///< refers_to
};

struct TablePlan;

/// A rule that a field has to follow.
struct RulePlan {
    const Rule* rule = nullptr;
    const FieldRow* condition = nullptr;  ///< check_if: the field it asks for
    /// check_if: the other end of a range. Two lines `>= 2` and `<= 4` mean 2 to 4: each alone would always ask for the
    /// field.
    const Rule* and_if = nullptr;
};

/// What there is to look at in one field.
struct FieldPlan {
    const FieldRow* row = nullptr;
    const TablePlan* child = nullptr;  ///< to be walked; null: nothing in it is of interest
    std::vector<RulePlan> rules;       ///< all but is_globally_unique and refers_to
    std::optional<ReferencePlan> reference;
    bool defines_sensor = false;
    bool finite = false;  ///< a number that must not be NaN or infinite
};

struct TablePlan {
    const MessageTable* table = nullptr;
    std::vector<FieldPlan> fields;
    const FieldRow* id = nullptr;    ///< of type Identifier: the message is a thing with a name
    const Rule* unique = nullptr;    ///< is_globally_unique, on `id`
    const FieldRow* type = nullptr;  ///< of a moving object
    bool ground_truth = false;
    bool numbers = false;  ///< some of its fields must be finite
};

/// What of a schema's messages the checks look at: everything else is passed over. Built once per schema and rules,
/// which it borrows.
class ContentPlan {
public:
    ContentPlan(const Schema& schema, const MessageTable& root, const RuleSet* rules);
    [[nodiscard]] const TablePlan& root() const noexcept { return *root_; }

private:
    void plan_table(const MessageTable& table, const RuleSet* rules);
    void plan_rules(TablePlan& plan, const RuleSet& rules) const;
    static void leave_header(TablePlan& root);
    void prune();

    std::unordered_map<const MessageTable*, std::unique_ptr<TablePlan>> tables_;
    const TablePlan* root_ = nullptr;
};

/// `osi3.MovingObject.VehicleClassification` -> `MovingObject.VehicleClassification`
[[nodiscard]] std::string_view name_in_package(const MessageTable& table) noexcept;

}  // namespace ositrace
