// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_SOFTMAX_ROWS_HPP
#define HEADSTRONG_BENCH_SOFTMAX_ROWS_HPP
/// @file
/// The softmax of rivals that have none: as fast as a user could write it.

#include <cstddef>

#ifdef __AVX512F__
#include <immintrin.h>
#else
#include <algorithm>
#include <bit>
#include <cstdint>
#endif

namespace bench {

// exp by Cephes' polynomial, about 1 ULP.
inline constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
inline constexpr float exp_coefficients[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                             4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};

#ifdef __AVX512F__

inline __m512 fast_exp(__m512 x)
{
    x = _mm512_max_ps(x, _mm512_set1_ps(-104.0f));
    const __m512 k =
        _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(log2_e)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m512 r = _mm512_fnmadd_ps(k, _mm512_set1_ps(ln2_high), x);
    r = _mm512_fnmadd_ps(k, _mm512_set1_ps(ln2_low), r);
    __m512 p = _mm512_set1_ps(exp_coefficients[0]);
    for (std::size_t i = 1; i < 6; ++i) p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(exp_coefficients[i]));
    p = _mm512_add_ps(_mm512_fmadd_ps(p, _mm512_mul_ps(r, r), r), _mm512_set1_ps(1.0f));
    return _mm512_scalef_ps(p, k);
}

inline void softmax_row(float* row, std::size_t m)
{
    const std::size_t full = m / 16 * 16;
    const auto rest = static_cast<__mmask16>((1u << m % 16) - 1u);
    __m512 most = _mm512_set1_ps(-3.4e38f);
    for (std::size_t i = 0; i < full; i += 16) most = _mm512_max_ps(most, _mm512_loadu_ps(row + i));
    if (rest != 0) most = _mm512_mask_max_ps(most, rest, most, _mm512_maskz_loadu_ps(rest, row + full));
    most = _mm512_set1_ps(_mm512_reduce_max_ps(most));

    __m512 sum = _mm512_setzero_ps();
    for (std::size_t i = 0; i < full; i += 16) {
        const __m512 e = fast_exp(_mm512_sub_ps(_mm512_loadu_ps(row + i), most));
        sum = _mm512_add_ps(sum, e);
        _mm512_storeu_ps(row + i, e);
    }
    if (rest != 0) {
        const __m512 x = _mm512_sub_ps(_mm512_maskz_loadu_ps(rest, row + full), most);
        const __m512 e = _mm512_maskz_mov_ps(rest, fast_exp(x));
        sum = _mm512_add_ps(sum, e);
        _mm512_mask_storeu_ps(row + full, rest, e);
    }

    const __m512 factor = _mm512_set1_ps(1.0f / _mm512_reduce_add_ps(sum));
    for (std::size_t i = 0; i < full; i += 16) _mm512_storeu_ps(row + i, _mm512_mul_ps(factor, _mm512_loadu_ps(row + i)));
    if (rest != 0) {
        const __m512 e = _mm512_maskz_loadu_ps(rest, row + full);
        _mm512_mask_storeu_ps(row + full, rest, _mm512_mul_ps(factor, e));
    }
}

#else

// Without branches, so that the compiler vectorises these loops under the flags of the rivals.
inline float fast_exp(float x)
{
    x = std::max(x, -87.0f);
    const float shifted = x * log2_e + 126.5f;  // truncation then rounds to the nearest power of two
    const auto biased = static_cast<std::int32_t>(shifted + 1.0f);
    const auto k = static_cast<float>(biased - 127);
    const float r = (x - k * ln2_high) - k * ln2_low;
    float p = exp_coefficients[0];
    for (std::size_t i = 1; i < 6; ++i) p = p * r + exp_coefficients[i];
    return (p * (r * r) + r + 1.0f) * std::bit_cast<float>(biased << 23);
}

inline void softmax_row(float* row, std::size_t m)
{
    float most = row[0], sum = 0;
    for (std::size_t i = 0; i < m; ++i) most = std::max(most, row[i]);
    for (std::size_t i = 0; i < m; ++i) row[i] = fast_exp(row[i] - most);
    for (std::size_t i = 0; i < m; ++i) sum += row[i];
    const float factor = 1.0f / sum;
    for (std::size_t i = 0; i < m; ++i) row[i] *= factor;
}

#endif

/// Softmax of each of `rows` contiguous rows of m numbers, in place.
inline void softmax_rows(float* x, std::size_t rows, std::size_t m)
{
    for (std::size_t r = 0; r < rows; ++r) softmax_row(x + r * m, m);
}

}  // namespace bench

#endif
