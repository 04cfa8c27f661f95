// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <ositrace/message_view.hpp>

#include "lib/check/content_plan.hpp"
#include "lib/check/findings.hpp"

namespace ositrace {

/// Looks into the messages of one channel, in order: ids, references, numbers, rules. What a trace sends once (its map)
/// stays known.
class ContentCheck {
public:
    /// Borrows everything.
    ContentCheck(const ContentPlan& plan, Findings& findings) : plan_(plan), findings_(findings) {}
    /// Throws what MessageView throws; what was found before stays found.
    void look_at(const MessageView& message, const FindingPlace& place);

private:
    struct Step {
        const FieldRow* row;
        std::optional<std::size_t> index;
    };
    using Path = std::vector<Step>;
    struct Known {
        const MessageTable* table;
        std::optional<std::int64_t> type;
        std::uint64_t scope;  ///< the ground truth (or top-level message) that named it last
        std::uint64_t frame;
    };
    struct Reference {
        std::uint64_t id;
        const ReferencePlan* plan;
        Path path;
    };

    void walk(const MessageView& message, const TablePlan& plan);
    void walk_field(const MessageView& message, const FieldPlan& field);
    void take_value(const Value& value, const FieldPlan& field);
    void note_limit();
    void note_thing(const MessageView& message, const TablePlan& plan);
    void check_known(std::uint64_t id, const TablePlan& plan, std::optional<std::int64_t> type);
    [[nodiscard]] bool is_named(const Reference& reference) const;
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

    /// More ids than this are not kept in mind: what cannot be known then is not reported, and a note says so.
    static constexpr std::size_t max_known_ids = std::size_t{1} << 20;

    const ContentPlan& plan_;
    Findings& findings_;
    FindingPlace place_;
    Path path_;
    std::uint64_t frame_ = 0;
    std::uint64_t scopes_ = 0;
    std::uint64_t scope_ = 0;
    int ground_truths_ = 0;  ///< that the walk is in
    bool ground_truth_seen_ = false;
    std::unordered_multimap<std::uint64_t, Known>
        known_;  ///< by id, an entry per kind of thing: not all writers keep ids apart
    std::unordered_set<std::uint64_t> sensors_;
    std::vector<Reference> references_;  ///< of the frame
};

}  // namespace ositrace
