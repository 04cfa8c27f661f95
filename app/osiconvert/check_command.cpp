// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>

#include "app/osiconvert/check.hpp"
#include "app/osiconvert/commands.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

constexpr CheckFormat check_formats[] = {
    {"text", nullptr},  // file by file
    {"json", check_json},
    {"junit", check_junit},
    {"xqar", check_xqar},
};

class CheckCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "check",
                .summary = "find what does not conform to the standard or cannot be correct",
                .usage = {"check PATH...", "check --list"},
                .notes = {"PATH is a file or a folder. Checks framing, content, file names, times, ids, references, "
                          "the map, the clauses for MCAP files,",
                          "and the rules in the comments of OSI's .proto files. The exit code is 3 if a finding has at "
                          "least the severity of --fail-on."},
                .examples = {"check drive.osi", "check recordings/ --fail-on warning --format junit >check.xml",
                             "check drive.mcap --disable mcap.log_time --json | jq '.findings[].id'",
                             "check old.osi --rules osi-3.7.0.desc", "check drive.mcap --profile omega-prime"}};
    }

    void declare(Options& options) override
    {
        options.words("PATH", words_, 0, SIZE_MAX);
        options.option("--fail-on", "SEVERITY", "lowest severity for exit code 3: error (default) | warning | never",
                       [this](const std::string& word) { fail_on_ = parse_fail_on(word); },
                       {"error", "warning", "never"});
        options.options("--disable", "ID",
                        "ignore findings with this id, or with this last part of an id: mcap.log_time; repeatable",
                        [this](const std::string& id) { check_.disabled.insert(id); });
        options.option("--rules", "FILE", "rules from a descriptor set with comments or a text file; none: no rules",
                       [this](const std::string& file) { rules_file_ = file; });
        options.option("--map", "FILE", "compare with this OpenDRIVE map instead of the one in or beside the trace",
                       [this](const std::string& file) { check_.map = file; });
        declare_profile(options, check_.profile, "check the rules of this profile, too: omega-prime");
        options.option("--format", "NAME",
                       "text (default) | json | junit, for a CI server | xqar, the result file of ASAM's Quality "
                       "Checker Framework",
                       [this](const std::string& name) { format_ = &parse_format(name); },
                       {"text", "json", "junit", "xqar"});
        options.option("--findings", "N",
                       "list at most N findings per id and file (default 1 in text, else 10); all are counted",
                       [this](const std::string& count) { listed_per_kind_ = parse_count(count); });
        options.flag("--list", list_, "print all checks: id, severity, expectation");
        input_.declare(options);
        declare_json(options, json_, "the same as --format json");
    }

    ExitCode run(Messages& messages) override;

private:
    enum class FailOn { error, warning, never };

    static FailOn parse_fail_on(const std::string& word);
    static const CheckFormat& parse_format(const std::string& name);
    std::shared_ptr<const RuleSet> rules(Messages& messages) const;
    CheckedFile check_file(const std::filesystem::path& file, Messages& messages, std::stop_token stop);
    ExitCode exit_code_of(const std::vector<CheckedFile>& files) const;
    void print_list() const;

    std::vector<std::string> words_;
    CheckOptions check_;
    std::optional<std::size_t> listed_per_kind_;
    InputOptions input_;
    FailOn fail_on_ = FailOn::error;
    std::optional<std::filesystem::path> rules_file_;
    const CheckFormat* format_ = &check_formats[0];
    bool list_ = false;
    bool json_ = false;
};

CheckCommand::FailOn CheckCommand::parse_fail_on(const std::string& word)
{
    if (word == "error") return FailOn::error;
    if (word == "warning") return FailOn::warning;
    if (word == "never") return FailOn::never;
    throw unknown_word("severity", word, {"error", "warning", "never"});
}

const CheckFormat& CheckCommand::parse_format(const std::string& name)
{
    const auto* const format = std::ranges::find(check_formats, name, &CheckFormat::name);
    if (format == std::end(check_formats)) throw unknown_word("format", name, {"text", "json", "junit", "xqar"});
    return *format;
}

std::shared_ptr<const RuleSet> CheckCommand::rules(Messages& messages) const
{
    if (rules_file_ == "none") return nullptr;
    if (rules_file_) return RuleSet::load(*rules_file_);
    auto built_in = RuleSet::built_in();
    if (!built_in)
        messages.warning(
            "the rules in OSI's comments are not built into this program and are not checked: use --rules FILE with a "
            "descriptor set with comments, or --rules none");
    return built_in;
}

ExitCode CheckCommand::run(Messages& messages)
{
    if (json_) format_ = &parse_format("json");
    check_.listed_per_kind = listed_per_kind_.value_or(format_ == &check_formats[0] ? 1 : 10);
    if (list_) {
        check_.rules = rules(messages);
        print_list();
        return ExitCode::success;
    }
    if (words_.empty()) throw Error(Cause::usage, "PATH is missing");
    check_one_standard_input(words_);
    check_.open = input_.open_options();
    check_.rules = rules(messages);
    const Interrupt interrupt;
    std::vector<CheckedFile> checked;
    for (const auto& word : words_) {
        std::vector<std::filesystem::path> files;
        try {
            files = traces_in(word);
        } catch (const Error& e) {
            messages.error(e);
            checked.push_back({word, std::nullopt, e.what()});
        }
        for (const auto& file : files) {
            checked.push_back(check_file(file, messages, interrupt.token()));
            messages.clear_progress();
            if (format_->print == nullptr) print(check_text(checked.back()));
        }
    }
    print(format_->print != nullptr ? format_->print(checked) : conformity_text(checked));
    return exit_code_of(checked);
}

/// One bad file does not stop the others.
CheckedFile CheckCommand::check_file(const std::filesystem::path& file, Messages& messages, std::stop_token stop)
{
    check_.on_progress = [&messages, file, started = std::chrono::steady_clock::now()](
                             std::uint64_t frames, std::uint64_t bytes, std::optional<std::uint64_t> of_bytes) {
        const auto done = of_bytes && *of_bytes != 0
                              ? std::optional(static_cast<double>(bytes) / static_cast<double>(*of_bytes))
                              : std::nullopt;
        messages.progress(
            {shown_file(file, "standard input"), frames, bytes, done, std::chrono::steady_clock::now() - started});
    };
    try {
        return {file, check_trace(file, check_, std::move(stop)), {}};
    } catch (const Error& e) {
        if (e.cause() == Cause::cancelled || e.cause() == Cause::usage) throw;
        messages.error(e);
        return {file, std::nullopt, e.what()};
    }
}

ExitCode CheckCommand::exit_code_of(const std::vector<CheckedFile>& files) const
{
    auto code = ExitCode::success;
    for (const auto& file : files) {
        if (!file.result) return ExitCode::failed;
        const bool bad = file.result->errors != 0 || (fail_on_ == FailOn::warning && file.result->warnings != 0);
        if (bad && fail_on_ != FailOn::never) code = ExitCode::findings;
    }
    return code;
}

void CheckCommand::print_list() const
{
    const auto row = [](const std::string& id, Severity severity, const std::string& what) {
        print(id + "  " + std::string(name_of(severity)) + "  " + what + '\n');
    };
    for (const auto& kind : finding_kinds())
        row(kind.id(), kind.severity,
            std::string(kind.description) + (kind.clause.empty() ? "" : " (" + std::string(kind.clause) + ")"));
    if (!check_.rules) return;
    for (const auto& rule : check_.rules->rules())
        row(rule.id, Severity::error, rule.message + "." + rule.field + ": " + rule.text);
}

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace ositrace::app
