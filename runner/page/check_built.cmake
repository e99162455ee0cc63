# SPDX-License-Identifier: GPL-3.0-or-later
# A release without the page would be one in name only.
if(NOT EXISTS ${PAGE})
  message(FATAL_ERROR "the page was not built; npm and a network are needed for a release")
endif()
