// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_INPUTS_HPP
#define HEADSTRONG_TESTS_PROPERTY_INPUTS_HPP
/// @file
/// The inputs of a call.

#include "grid.hpp"

#include <limits>

namespace property {

template <class T>
inline constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

/// Queries, keys and values.
template <class T>
struct inputs {
    grid<T> q, k, v;
};

}  // namespace property

#endif
