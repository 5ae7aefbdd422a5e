// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_SAFETENSORS_HPP
#define HEADSTRONG_IMPORT_SAFETENSORS_HPP
/// @file
/// Trained weights from a safetensors file, at run time or in a constant expression.
///
///     constexpr unsigned char bytes[] = {
///     #include "digits.inc"
///     };
///     constexpr auto opened = headstrong::safetensors::open(bytes);
///     static_assert(opened.ok());
///     headstrong::weights<float, headstrong::dims{.d_model = 32, .heads = 4}> w;
///     const auto error = headstrong::safetensors::read_weights(opened.file(), "att1.", w);
///     if (!error.ok()) std::puts(explain(error, "digits.safetensors", buffer).data());

#if defined(__GNUC__) && !defined(__clang__)  // as in headstrong.hpp
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include "headstrong/import/error.hpp"
#include "headstrong/import/file.hpp"
#include "headstrong/import/read_weights.hpp"
#include "headstrong/import/tensor.hpp"
#include "headstrong/import/values.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
