# SPDX-License-Identifier: MPL-2.0
# The comments of OSI's .proto files, built into a target. They come from the descriptor set with comments of
# TestSchemas.cmake. If that could not be fetched, they are empty, and their user reports that.

include(EmbedFiles)
include(TestSchemas)

# The build step that extracts the comments from the descriptor set.
function(osi_add_extract_comments)
    if(CMAKE_CROSSCOMPILING)
        add_executable(extract_comments IMPORTED GLOBAL)
        set_target_properties(extract_comments PROPERTIES
            IMPORTED_LOCATION "${OSITRACE_NATIVE_BUILD}/lib/extract_comments")
        return()
    endif()
    find_package(Zstd REQUIRED)
    add_executable(extract_comments
        "${PROJECT_SOURCE_DIR}/cmake/extract_comments.cpp"
        "${PROJECT_SOURCE_DIR}/lib/check/rule_set.cpp"
        "${PROJECT_SOURCE_DIR}/lib/check/rule_text.cpp"
        "${PROJECT_SOURCE_DIR}/lib/field_docs/doc_text.cpp"
        $<TARGET_OBJECTS:ositrace_formats>)
    ositrace_target(extract_comments)
    target_include_directories(extract_comments PRIVATE
        "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/lib/include" "${PROJECT_SOURCE_DIR}/formats/include")
    target_link_libraries(extract_comments PRIVATE Zstd::Zstd)
endfunction()

# usage: osi_embed_comments(TARGET docs|rules HEADER WHAT_IS_MISSING_WITHOUT); HEADER declares embedded_docs() or
# embedded_rules()
function(osi_embed_comments target kind header what)
    set(extracted none)
    if(OSITRACE_TEST_SCHEMA_380)
        if(NOT TARGET extract_comments)
            osi_add_extract_comments()
        endif()
        set(extracted "${CMAKE_CURRENT_BINARY_DIR}/${kind}.bin")
        add_custom_command(OUTPUT "${extracted}"
            COMMAND extract_comments ${kind} "${OSITRACE_TEST_SCHEMA_380}" "${extracted}"
            DEPENDS extract_comments "${OSITRACE_TEST_SCHEMA_380}"
            COMMENT "Extracting the ${kind} of ${OSITRACE_TEST_SCHEMA_380}" VERBATIM)
    else()
        ositrace_missing("${what}" "no descriptor set with comments")
    endif()
    ositrace_embed_files(${target} "${header}" embedded_${kind} "${extracted}")
endfunction()
