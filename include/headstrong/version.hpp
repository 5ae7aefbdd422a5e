// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_VERSION_HPP
#define HEADSTRONG_VERSION_HPP
/// @file
/// The version: the only place that states it. CMake reads it from here.

/// Grows with changes that break a user's code.
#define HEADSTRONG_VERSION_MAJOR 0
/// Grows with additions; before 1.0 also with breaking changes.
#define HEADSTRONG_VERSION_MINOR 1
/// Grows with corrections.
#define HEADSTRONG_VERSION_PATCH 0

#endif
