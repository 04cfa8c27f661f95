// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <ositrace/rules.hpp>

namespace ositrace {

/// Puts a RuleSet together.
class RuleSetBuilder {
public:
    explicit RuleSetBuilder(std::string osi_version);
    void add(std::string_view message, std::string_view field, std::string_view line);
    [[nodiscard]] bool empty() const noexcept { return set_->rules_.empty(); }
    [[nodiscard]] std::shared_ptr<const RuleSet> finish() { return std::move(set_); }

private:
    std::shared_ptr<RuleSet> set_;
};

}  // namespace ositrace
