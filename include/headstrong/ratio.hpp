// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_RATIO_HPP
#define HEADSTRONG_RATIO_HPP
/// @file
/// Constants of types, given as a std::ratio.

#include <ratio>

namespace headstrong::detail {

/// The number nearest to a std::ratio: divided in double, then rounded.
template <class T, class Ratio>
inline constexpr T ratio_as = static_cast<T>(static_cast<double>(Ratio::num) / static_cast<double>(Ratio::den));

}  // namespace headstrong::detail

#endif
