// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ositrace/check.hpp>

#include "lib/check/finding_kinds.hpp"

namespace ositrace {

/// The place of a finding in a trace; unknown parts are empty.
struct FindingPlace {
    std::optional<std::uint64_t> frame;
    std::optional<Nanoseconds> time;
    std::optional<std::uint64_t> byte;
    std::string_view channel;
};

/// The shortest digits that give a number back.
[[nodiscard]] std::string number_text(double number);

/// Collects findings: counts all, lists the first of each id, drops disabled ones.
class Findings {
public:
    /// Throws Error (usage) for an unknown disabled id.
    Findings(std::filesystem::path file, const CheckOptions& options);

    /// Called only if the finding is listed.
    using Text = std::function<std::string()>;
    void add(Kind kind, const FindingPlace& place, const Text& message, const Text& field = {});
    void add(const Rule& rule, const FindingPlace& place, const Text& message, const Text& field);
    /// Adds a note on a part that is not checked, once.
    void note(std::string_view text);
    [[nodiscard]] bool wanted(Kind kind) const;
    [[nodiscard]] CheckResult take(std::uint64_t frames);

private:
    struct CountedId {
        std::size_t index = 0;  ///< in CheckResult::counts
        bool disabled = false;
    };
    void add(const void* key, const std::function<FindingCount()>& first, const FindingPlace& place,
             const Text& message, const Text& field);
    [[nodiscard]] bool disabled(const std::string& id) const;
    void check_disabled(const CheckOptions& options) const;

    std::filesystem::path file_;
    const CheckOptions& options_;
    CheckResult result_;
    std::unordered_map<const void*, CountedId> counted_;  ///< by the address of a row or rule
};

}  // namespace ositrace
