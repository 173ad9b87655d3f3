# What every target of Usher is built with, and two functions that make targets.

find_program(USHER_CCACHE ccache)
if(USHER_CCACHE)
  # The two sloppiness settings let ccache work with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${USHER_CCACHE})
endif()

add_library(usher_options INTERFACE)
target_compile_features(usher_options INTERFACE cxx_std_20)
target_compile_options(usher_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror -fpch-preprocess)
find_program(USHER_MOLD mold)
if(USHER_MOLD)
  target_link_options(usher_options INTERFACE -fuse-ld=mold)
endif()
if(USHER_SANITIZE)
  # -fno-sanitize=null: caf/detail/init_fun_factory.hpp binds a null reference.
  target_compile_options(usher_options INTERFACE
    -fsanitize=${USHER_SANITIZE} -fno-sanitize=null -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(usher_options INTERFACE -fsanitize=${USHER_SANITIZE})
endif()

# usher_library(name [LINKS library...]): every .cpp of the current folder (not of folders below).
function(usher_library name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/(actor|answers|gateway_calls|registry|crew|main)\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE usher_options)
  target_compile_features(${name} PUBLIC cxx_std_20)
endfunction()
