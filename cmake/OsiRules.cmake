# SPDX-License-Identifier: MPL-2.0
# The rules in OSI's comments, as a generated source: from the descriptor set with comments of TestSchemas.cmake where it could be
# fetched; else there are none, and `osiconvert check` says so. usage: osi_embed_rules(TARGET)

include(TestSchemas)

function(osi_embed_rules target)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_rules.cpp")
    if(OSITRACE_TEST_SCHEMA_380)
        add_executable(extract_rules "${PROJECT_SOURCE_DIR}/cmake/extract_rules.cpp" check/rule_set.cpp check/rule_text.cpp $<TARGET_OBJECTS:ositrace_formats>)
        ositrace_target(extract_rules)
        target_include_directories(extract_rules PRIVATE include ../formats/include "${PROJECT_SOURCE_DIR}")
        add_custom_command(OUTPUT "${source}"
            COMMAND extract_rules "${OSITRACE_TEST_SCHEMA_380}" "${source}"
            DEPENDS extract_rules "${OSITRACE_TEST_SCHEMA_380}"
            COMMENT "Embedding the rules of ${OSITRACE_TEST_SCHEMA_380}" VERBATIM)
    else()
        ositrace_missing("rules of OSI's comments in osiconvert check" "no descriptor set with comments (--rules FILE gives one)")
        file(GENERATE OUTPUT "${source}" CONTENT "#include \"lib/check/embedded_rules.hpp\"

namespace ositrace {

std::string_view embedded_rules() noexcept { return {}; }

}  // namespace ositrace
")
    endif()
    target_sources(${target} PRIVATE "${source}")
endfunction()
