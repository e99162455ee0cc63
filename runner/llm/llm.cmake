# SPDX-License-Identifier: GPL-3.0-or-later
# Asking a language model takes libcurl; without it the same functions say that they are not there.
pkg_check_modules(CURL IMPORTED_TARGET libcurl>=7.85)
option(SCALE_LLM "Let discover ask a language model (needs libcurl)" ${CURL_FOUND})
if(SCALE_LLM AND NOT CURL_FOUND)
  message(FATAL_ERROR "SCALE_LLM=ON needs libcurl (Debian: apt-get install libcurl4-openssl-dev)")
endif()
if(SCALE_LLM)
  list(FILTER sources EXCLUDE REGEX "/llm/absent[.]c$")
  set(llm_libraries PkgConfig::CURL)
else()
  list(FILTER sources EXCLUDE REGEX "/llm/post[.]c$")
  message(STATUS "Without libcurl: scale-run discover cannot ask a language model (libcurl4-openssl-dev)")
endif()
