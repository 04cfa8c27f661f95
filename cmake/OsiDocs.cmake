# SPDX-License-Identifier: MPL-2.0
# The comments of OSI's .proto files, as a generated source: from the descriptor set with comments of TestSchemas.cmake where it could be
# fetched; else there are none, and the viewer says so. usage: osi_embed_docs(TARGET)

include(TestSchemas)

function(osi_embed_docs target)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_docs.cpp")
    if(OSITRACE_TEST_SCHEMA_380)
        add_executable(extract_docs "${PROJECT_SOURCE_DIR}/cmake/extract_docs.cpp" doc_text.cpp $<TARGET_OBJECTS:ositrace_formats>)
        ositrace_target(extract_docs)
        target_include_directories(extract_docs PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/formats/include")
        target_link_libraries(extract_docs PRIVATE Zstd::Zstd)
        add_custom_command(OUTPUT "${source}"
            COMMAND extract_docs "${OSITRACE_TEST_SCHEMA_380}" "${source}"
            DEPENDS extract_docs "${OSITRACE_TEST_SCHEMA_380}"
            COMMENT "Embedding the comments of ${OSITRACE_TEST_SCHEMA_380}" VERBATIM)
    else()
        ositrace_missing("documentation of fields in osiview" "no descriptor set with comments")
        file(GENERATE OUTPUT "${source}" CONTENT "#include \"lib/docs/embedded_docs.hpp\"

namespace ositrace {

Bytes embedded_docs() noexcept { return {}; }

}  // namespace ositrace
")
    endif()
    target_sources(${target} PRIVATE "${source}")
endfunction()
