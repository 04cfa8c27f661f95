// SPDX-License-Identifier: MPL-2.0
// The rules that OSI writes in the comments of its .proto files, between `\rules` and `\endrules`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// What a rule requires. A new kind is a new row in lib/check/rule_text.cpp.
enum class RuleKind : std::uint8_t {
    is_set,
    is_greater_than,
    is_greater_than_or_equal_to,
    is_less_than,
    is_less_than_or_equal_to,
    is_equal_to,
    is_different_to,
    is_globally_unique,
    refers_to,
    is_iso_country_code,
    check_if,
    first_element,
    last_element,
    minimum_length,
    maximum_length,
    unknown,  ///< not checked
};

/// `is_less_than_or_equal_to`
[[nodiscard]] OSITRACE_API std::string_view name_of(RuleKind kind) noexcept;

struct Rule {
    std::string message;  ///< `Timestamp`, nested ones with dots, without the package
    std::string field;    ///< `nanos`
    RuleKind kind = RuleKind::unknown;
    double number = 0;            ///< of a comparison
    std::string target;           ///< refers_to: `Lane`; first_element, last_element: the field of the element
    std::string condition_field;  ///< check_if: `type`
    RuleKind condition = RuleKind::unknown;  ///< check_if: a comparison (with `number`), or is_set
    RuleKind then = RuleKind::unknown;       ///< check_if: is_set; first_element, last_element: a comparison
    std::string text;                        ///< the line of the comment
    /// `asam.net:osi:3.8.0:osirules.timestamp.nanos.is_less_than_or_equal_to_999999999`, the id in ASAM's checker
    /// (qc-osi-trace), with the OSI release of the rules.
    std::string id;
};

/// Immutable; shared between threads.
class OSITRACE_API RuleSet {
public:
    /// From a descriptor set with comments. Throws Error (malformed; unsupported if it contains no rule).
    [[nodiscard]] static std::shared_ptr<const RuleSet> from_descriptor_set(Bytes descriptor_set);
    /// From lines `Timestamp.nanos: is_less_than_or_equal_to: 999999999`, after `# comments` and `version: 3.8.0`.
    /// Throws Error (malformed) naming the line.
    [[nodiscard]] static std::shared_ptr<const RuleSet> from_text(std::string_view text);
    /// From a file with one of both. Throws Error naming the file.
    [[nodiscard]] static std::shared_ptr<const RuleSet> load(const std::filesystem::path& file);
    /// The rules of OSI 3.8.0; null if the program was built without them.
    [[nodiscard]] static std::shared_ptr<const RuleSet> built_in();

    [[nodiscard]] std::span<const Rule> rules() const noexcept { return rules_; }
    [[nodiscard]] const std::string& osi_version() const noexcept { return osi_version_; }
    /// The text that from_text() reads.
    [[nodiscard]] std::string to_text() const;

private:
    std::vector<Rule> rules_;
    std::string osi_version_;
    friend class RuleSetBuilder;
};

}  // namespace ositrace
