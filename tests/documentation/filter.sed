# SPDX-License-Identifier: BSL-1.0
# Headers without the inline namespace of the instruction set, line by line.
s/::inline HEADSTRONG_TARGET//
s/^inline namespace HEADSTRONG_TARGET {$//
s/^}  \/\/ namespace HEADSTRONG_TARGET$//
