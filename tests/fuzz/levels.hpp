// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_FUZZ_LEVELS_HPP
#define HEADSTRONG_TESTS_FUZZ_LEVELS_HPP
/// @file
/// A small layer as three instruction sets compute it: vectors, multiply-adds by software, multiply-adds of single numbers.

#include "headstrong/headstrong.hpp"

namespace fuzz {

using small_layer = headstrong::multi_head<float, headstrong::dims{.d_model = 3, .heads = 2, .d_k = 2, .d_v = 1}>;
using small_tokens = headstrong::matrix<float, 3, 5>;

void with_vectors(const small_layer& layer, const small_tokens& x, small_tokens& direct, small_tokens& absorbed);
void without_vectors(const small_layer& layer, const small_tokens& x, small_tokens& direct, small_tokens& absorbed);
void single_numbers(const small_layer& layer, const small_tokens& x, small_tokens& direct, small_tokens& absorbed);

}  // namespace fuzz

#endif
