// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/core/earlier_run.hpp"
#include "app/bench/core/report.hpp"
#include "app/bench/core/sample.hpp"
#include "app/terminal/command.hpp"
#include "app/terminal/common_options.hpp"

namespace ositrace::bench {

/// What a verb measures with: hands rounds over, one after the other, so that their memory can be freed in between.
struct Bench {
    std::function<RoundResult(const Round&)> measure;
    std::function<void(Table)> show;       ///< before the rounds, the last table first
    std::function<void(std::string)> say;  ///< a fact for the conditions, at the end of the report
    std::stop_token stop;
    std::filesystem::path scratch;  ///< a folder for files of the measurement
    bool quick = false;
};

/// What all verbs have in common: --quick, --repetitions, --spoil, --compare, the report in its three forms.
class BenchCommand : public app::Command {
public:
    void declare(app::Options& options) final;
    app::ExitCode run(app::Messages& messages) final;

protected:
    virtual void declare_more(app::Options&) {}
    [[nodiscard]] virtual std::string title() const = 0;
    [[nodiscard]] virtual int default_repetitions() const { return 21; }
    virtual void measure_all(const Bench& bench) = 0;
    /// The files that are measured on: a report must be none of them.
    [[nodiscard]] virtual std::vector<std::filesystem::path> inputs() const { return {}; }
    /// Behind measure_all(), where an earlier run was named: what there is to say about both.
    virtual void conclude(const EarlierRun&, const Bench&) {}

private:
    [[nodiscard]] int repetitions() const;
    void check_page(const std::filesystem::path& page) const;
    void publish(const Report& report, app::Messages& messages) const;

    [[nodiscard]] Report measured(const ContestOptions& options, const EarlierRun* earlier, app::Messages& messages);

    std::optional<int> repetitions_;
    std::optional<std::filesystem::path> earlier_;
    std::string spoiled_;
    std::optional<std::filesystem::path> html_;
    std::filesystem::path scratch_ = std::filesystem::temp_directory_path();
    bool quick_ = false;
    bool json_ = false;
};

/// A verb that measures on a trace.
class TraceBenchCommand : public BenchCommand {
public:
    virtual void declare_of_verb(app::Options&) {}
    virtual void measure(const Sample& sample, const Bench& bench) = 0;

private:
    void declare_more(app::Options& options) final;
    void measure_all(const Bench& bench) final;
    std::vector<std::filesystem::path> inputs() const final { return {words_.front()}; }

    std::vector<std::string> words_;
    app::InputOptions input_;
    FrameRange frames_;
    std::optional<TopicPattern> topic_;
};

}  // namespace ositrace::bench
