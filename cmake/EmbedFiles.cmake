# SPDX-License-Identifier: MPL-2.0

# Adds files to a target as a generated source with a function per FILE that returns its bytes. HEADER declares the
# functions. FILE may be none.
# usage: ositrace_embed_files(TARGET HEADER FUNCTION FILE [FUNCTION FILE]...)
function(ositrace_embed_files target header)
    list(GET ARGN 0 name)  # not the name of the header, which a source of the target may have
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    set(script "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake")
    set(files ${ARGN})
    list(FILTER files INCLUDE REGEX "/")
    list(JOIN files ", " names)
    add_custom_command(OUTPUT "${source}"
        COMMAND "${CMAKE_COMMAND}" -P "${script}" "${source}" "${header}" ${ARGN}
        DEPENDS ${files} "${script}"
        COMMENT "Embedding ${names}" VERBATIM)
    target_sources(${target} PRIVATE "${source}")
endfunction()
