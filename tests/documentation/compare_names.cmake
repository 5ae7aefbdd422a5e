# SPDX-License-Identifier: BSL-1.0
# Fails where the public names that were FOUND are not those LISTED.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${FOUND} found)
file(STRINGS ${LISTED} listed)
set(added ${found})
list(REMOVE_ITEM added ${listed})
set(removed ${listed})
list(REMOVE_ITEM removed ${found})
if(added OR removed)
  list(JOIN added "\n  + " added)
  list(JOIN removed "\n  - " removed)
  message(FATAL_ERROR "the public names are not those of ${LISTED}; if that is meant, renew the list by "
    "`cmake --build <build folder> --target public_names`, and say it under Changes in README.md:\n  + ${added}\n  - ${removed}")
endif()
