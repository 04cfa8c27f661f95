// SPDX-License-Identifier: MPL-2.0
// A model that behaves as its parameter `behaviour` says, from step `at` on. Behind FMI 2.0 and FMI 3.0 alike.
#pragma once

#include <cstdint>
#include <string>

struct Message {
    const void* data = nullptr;
    std::int64_t size = 0;
};

enum class Answer { ok, discard, error, fatal };

class TestModel {
public:
    std::string behaviour = "echo";
    int at = 0;
    double range = 0;
    bool flag = false;
    Message input, ground_truth, configuration;

    ~TestModel();
    [[nodiscard]] Answer instantiated();
    /// A SensorViewConfiguration, or nothing.
    [[nodiscard]] Message request() const;
    [[nodiscard]] Answer initialized();
    /// The SensorData that is to be given out is in `output`.
    [[nodiscard]] Answer step(double start, double end);
    [[nodiscard]] Answer terminated();
    /// Now, after a step.
    [[nodiscard]] bool does(const char* what) const { return behaviour == what && steps_ > at; }
    Message output;

private:
    [[nodiscard]] Answer misbehave();
    void echo(double end);
    void check_lifetime();

    std::string buffers_[2];
    int steps_ = 0;
    bool fatal_ = false;
    Message last_input_;
    std::uint64_t last_sum_ = 0;
    std::uint64_t start_ = 0;
};
