// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_VERSION_HPP
#define HEADSTRONG_VERSION_HPP
/// @file
/// The version: the only place that states it. CMake reads it from here.

#define HEADSTRONG_VERSION_MAJOR 0
#define HEADSTRONG_VERSION_MINOR 1
#define HEADSTRONG_VERSION_PATCH 0

#endif
