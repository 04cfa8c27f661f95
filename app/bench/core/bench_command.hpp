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

/// The interface of a verb for measuring: it passes rounds one after the other, so that their memory can be freed in
/// between.
struct Bench {
    std::function<RoundResult(const Round&)> measure;
    std::function<void(Table)> show;       ///< shows a table before the rounds; the last table is the first one shown
    std::function<void(Headline)> answer;  ///< shows the answer before everything else
    std::function<void(std::string)> say;  ///< adds a fact to the conditions at the end of the report
    std::stop_token stop;
    std::filesystem::path scratch;  ///< a folder for files of the measurement
    bool quick = false;
};

/// The common part of all verbs: --quick, --repetitions, --spoil, --compare, and the report in its three forms.
class BenchCommand : public app::Command {
public:
    void declare(app::Options& options) final;
    app::ExitCode run(app::Messages& messages) final;

protected:
    virtual void declare_more(app::Options&) {}
    [[nodiscard]] virtual std::string title() const = 0;
    [[nodiscard]] virtual int default_repetitions() const { return 21; }
    virtual void measure_all(const Bench& bench) = 0;
    /// The measured files: a report must not replace them.
    [[nodiscard]] virtual std::vector<std::filesystem::path> inputs() const { return {}; }
    /// Called after measure_all() with the earlier run, if --compare names one: adds statements about both runs.
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
