# What `cmake --install` and `cpack` lay where.
#
#   component program      the program, its man pages, completions and licences: also the packages
#   component development  the library, its header, and files for pkg-config and find_package

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(FOLDSTAT_ZSH_DIR "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" CACHE STRING
  "Where zsh looks for completions; Debian's packages: share/zsh/vendor-completions")
set(FOLDSTAT_MAINTAINER "foldstat authors <foldstat@localhost>" CACHE STRING "For the .deb")
set(program COMPONENT program)
set(development COMPONENT development)
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/foldstat)

install(TARGETS foldstat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${program})

# --- the library -------------------------------------------------------------------------------

set(FOLDSTAT_LIBRARY_NAMES "expat;jansson;pcre2-8;utf8proc")
set(FOLDSTAT_PC_ZSTD "")
if(FOLDSTAT_ZSTD AND ZSTD_INCLUDE_DIR AND ZSTD_LIBRARY)
  list(APPEND FOLDSTAT_LIBRARY_NAMES zstd)
  set(FOLDSTAT_PC_ZSTD " libzstd")
endif()
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/foldstat)
file(RELATIVE_PATH FOLDSTAT_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(src/foldstat.pc.in ${PROJECT_BINARY_DIR}/foldstat.pc @ONLY)
configure_package_config_file(src/foldstatConfig.cmake.in
  ${PROJECT_BINARY_DIR}/foldstatConfig.cmake INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/foldstatConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(TARGETS libfoldstat ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${development})
install(FILES include/foldstat.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development})
install(FILES ${PROJECT_BINARY_DIR}/foldstat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  ${development})
install(FILES ${PROJECT_BINARY_DIR}/foldstatConfig.cmake
  ${PROJECT_BINARY_DIR}/foldstatConfigVersion.cmake DESTINATION ${config_dir} ${development})

# --- completions and man pages -----------------------------------------------------------------

function(add_completion shell destination name)
  set(file ${PROJECT_BINARY_DIR}/completions/${shell})
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completions
    COMMAND foldstat completion ${shell} > ${file} DEPENDS foldstat VERBATIM)
  set(completions ${completions} ${file} PARENT_SCOPE)
  install(FILES ${file} DESTINATION ${destination} RENAME ${name} ${program})
endfunction()

add_completion(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions foldstat)
add_completion(zsh ${FOLDSTAT_ZSH_DIR} _foldstat)
add_completion(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d foldstat.fish)
add_custom_target(completions ALL DEPENDS ${completions})

find_program(GZIP gzip)
function(add_compressed source file)
  add_custom_command(OUTPUT ${file} COMMAND ${GZIP} -9nc ${source} > ${file} DEPENDS ${source} VERBATIM)
  set(compressed ${compressed} ${file} PARENT_SCOPE)
endfunction()

if(MAN_PAGES AND GZIP)
  foreach(page ${MAN_PAGES})
    add_compressed(${page} ${page}.gz)
    install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${program})
  endforeach()
endif()

# --- packages ----------------------------------------------------------------------------------

install(FILES LICENSE DESTINATION ${doc_dir} RENAME copyright ${program})
if(GZIP)
  add_compressed(${PROJECT_SOURCE_DIR}/docs/CHANGELOG.md ${PROJECT_BINARY_DIR}/changelog.gz)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc_dir} ${program})
endif()
if(GZIP AND FOLDSTAT_STATIC)
  set(ENV{SOURCE_DATE_EPOCH} ${FOLDSTAT_EPOCH})
  string(TIMESTAMP FOLDSTAT_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(src/changelog.in ${PROJECT_BINARY_DIR}/changelog.Debian @ONLY)
  add_compressed(${PROJECT_BINARY_DIR}/changelog.Debian ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.Debian.gz DESTINATION ${doc_dir} ${program})
endif()
add_custom_target(compressed ALL DEPENDS ${compressed})
if(TARGET man)
  add_dependencies(compressed man) # or both would make the pages, at the same time
endif()
if(FOLDSTAT_STATIC)
  install(FILES src/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME foldstat ${program})
  # The file has code of these libraries in it; Debian's packages say under which licences.
  foreach(package zlib1g-dev libzstd-dev libexpat1-dev libjansson-dev libpcre2-dev libutf8proc-dev
      libxxhash-dev libc6-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${doc_dir}/libraries
        RENAME ${package} ${program})
    endif()
  endforeach()
endif()

if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME foldstat)
set(CPACK_PACKAGE_FILE_NAME foldstat-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "command-line analyser of collapsed stack profiles")
set(CPACK_PACKAGE_DESCRIPTION
  "Reads collapsed stack profiles, as py-spy, perf, async-profiler and others
write them, and says what is hot, under which entry point, how much of it
holds the Python GIL, and how far the figures can be trusted.")
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/src/cpack.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${FOLDSTAT_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
include(CPack)
