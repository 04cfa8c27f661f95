// SPDX-License-Identifier: MPL-2.0
// The rules of the omega-prime profile, for `check` and for the writer of the profile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

#include "lib/check/findings.hpp"
#include "lib/open_drive/map_message.hpp"

namespace ositrace {

inline constexpr std::string_view truth_topic = "/ground_truth";

/// Does a channel hold GroundTruth that can be read?
[[nodiscard]] bool is_truth(const Channel& channel) noexcept;

/// A field that the profile requires.
struct RequiredField {
    Kind kind;
    std::string_view path;  ///< from the element: `base.dimension`
    bool of_vehicles_only = false;
};

/// The fields of RequiredField::path in a schema, up to the first that it does not have.
struct RequiredPath {
    const RequiredField* required = nullptr;
    std::vector<const FieldRow*> rows;
    std::size_t names = 0;  ///< of the path
};

/// The rules for the GroundTruth of one channel, in file order.
class TruthCheck {
public:
    /// `topic`: of the findings; may be empty. Borrows the findings.
    TruthCheck(const Channel& channel, std::string topic, Findings& findings);

    void check(const Frame& frame, const Channel& channel);
    /// `map_reference` of the first GroundTruth that states one.
    [[nodiscard]] const std::string& reference() const noexcept { return reference_; }

private:
    struct Object {
        std::optional<std::int64_t> type;
        std::optional<std::array<double, 3>> dimension;
        std::uint64_t last = 0;  ///< number of its last GroundTruth
    };
    using Paths = std::vector<RequiredPath>;

    [[nodiscard]] static Paths paths_of(std::span<const RequiredField> required, const MessageTable* table);
    void check_fields(const MessageView& element, const Paths& paths, const std::string& prefix, bool of_vehicle);
    void check_time();
    void check_version(const Frame& frame, const Channel& channel);
    void check_reference(const MessageView& truth);
    void check_moving_objects(const MessageView& truth);
    void check_moving_object(const MessageView& object, const std::string& prefix);
    void check_ranges(const MessageView& object, const std::string& prefix);
    void follow(const MessageView& object, const std::string& prefix);
    void check_traffic_lights(const MessageView& truth);
    void check_source_reference(const MessageView& light, const std::string& prefix);
    void add(Kind kind, const std::string& message, const std::string& field = {});

    static constexpr std::size_t max_objects = std::size_t{1} << 20;

    Findings& findings_;
    std::shared_ptr<const Schema> schema_;
    const FieldRow* moving_object_;
    const FieldRow* traffic_light_;
    Paths truth_paths_, object_paths_, light_paths_;
    std::string topic_;
    FindingPlace place_;
    std::optional<Nanoseconds> last_time_;
    bool in_order_ = true;  ///< so far
    std::optional<OsiVersion> version_;
    std::string reference_;
    std::uint64_t truths_ = 0;
    std::uint64_t unreadable_ = 0;                       ///< number of the last one that could not be read
    std::unordered_map<std::uint64_t, Object> objects_;  ///< by id
};

/// The rules of the omega-prime profile. Memory: the known objects, and the map.
class ProfileCheck {
public:
    /// `name_channels`: findings name the topic. Borrows the findings.
    ProfileCheck(bool name_channels, Findings& findings) : name_channels_(name_channels), findings_(findings) {}

    /// Every frame of every channel.
    void check(const Frame& frame, const Channel& channel);
    /// Call once, at the end. `container`: of the file with these channels. `file`: a map is searched beside it; empty:
    /// it is not.
    void finish(const TraceInfo& info, const ContainerTraits& container, const std::filesystem::path& file,
                std::size_t max_map_bytes);

private:
    void check_channels(const TraceInfo& info);
    void check_topics(const TraceInfo& info);
    void check_map(const std::filesystem::path& file, std::size_t max_map_bytes);
    void check_document(std::string_view xml);
    void add(Kind kind, const std::string& message, std::string_view topic = {});

    bool name_channels_;
    Findings& findings_;
    std::map<std::uint32_t, TruthCheck> truths_;  ///< by channel
    std::optional<MapMessage> map_;
    bool map_is_readable_ = true;
    std::string map_topic_;
};

}  // namespace ositrace
