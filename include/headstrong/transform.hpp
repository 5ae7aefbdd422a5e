// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TRANSFORM_HPP
#define HEADSTRONG_TRANSFORM_HPP
/// @file
/// Features that transform queries and keys between projection and score: rotary position embeddings and norms.

#include "headstrong/checks.hpp"
#include "headstrong/exact/fma.hpp"
#include "headstrong/exact/log.hpp"
#include "headstrong/exact/sine.hpp"
#include "headstrong/exact/sqrt.hpp"
#include "headstrong/matrix.hpp"
#include "headstrong/ratio.hpp"

#include <cstddef>
#include <ratio>

namespace headstrong {

/// Which two numbers of a head a rotation turns together: both are called rotary embedding.
enum class rotation {
    interleaved,  ///< 2c and 2c + 1: the paper, GPT-J
    half_split    ///< c and c + width / 2: GPT-NeoX, Llama in Hugging Face's layout
};

namespace rule {

template <std::size_t Width, std::size_t DK>
struct rotation_fits_the_head : condition<(Width > 0 && Width % 2 == 0 && Width <= DK)> {
    static_assert(rotation_fits_the_head::holds,
                  "a rotary embedding turns pairs of numbers: its width is even, above 0 and at most d_k");
};

template <std::size_t Positions, std::size_t Queries, std::size_t Keys>
struct positions_lie_in_the_table : condition<(Positions >= Queries && Positions >= Keys)> {
    static_assert(positions_lie_in_the_table::holds,
                  "a rotary_table must hold a position for every query and every key (with a kv_cache: for its "
                  "whole capacity)");
};

}  // namespace rule

/// cos and sin of position times frequency, for Positions positions and Width / 2 frequencies.
template <class T, std::size_t Width, std::size_t Positions>
struct rotary_table {
    T cosine[Positions][Width / 2];  ///< cos(position frequency_c)
    T sine[Positions][Width / 2];    ///< sin(position frequency_c)
};

inline namespace HEADSTRONG_TARGET {

/// The table of "RoFormer" (Su et al., 2021): frequency c is base^(-2c / Width). Numbers of double, rounded once.
/// @par Cost
///   Positions Width / 2 sines in double: made once, or a constant (some thousand numbers within the default limits of GCC)
template <class T, std::size_t Width, std::size_t Positions>
[[nodiscard]] constexpr rotary_table<T, Width, Positions> make_rotary_table(double base = 10000) noexcept
{
    rotary_table<T, Width, Positions> table{};
    for (std::size_t c = 0; c < Width / 2; ++c) {
        const double frequency = power(base, -2.0 * static_cast<double>(c) / static_cast<double>(Width));
        for (std::size_t p = 0; p < Positions; ++p) {
            const auto turned = sin_cos(fma(static_cast<double>(p), frequency, 0.0));
            table.cosine[p][c] = static_cast<T>(turned.cosine);
            table.sine[p][c] = static_cast<T>(turned.sine);
        }
    }
    return table;
}

}  // namespace HEADSTRONG_TARGET

/// Turns queries and keys by the angles of a table, which all heads may share: token i by those of position i; with a kv_cache
/// the first token ever appended has position 0. Width below d_k turns the first Width numbers only.
/// @par Equation
///   @f[ (x_a, x_b) \mapsto (x_a \cos - x_b \sin, \; x_b \cos + x_a \sin) @f]
template <rotation Pairs, class T, std::size_t Width, std::size_t Positions>
struct rotary {
    static constexpr bool transforms = true;                   ///< it acts between projection and score
    const rotary_table<T, Width, Positions>* table = nullptr;  ///< must outlive the layer

    /// Whether the table reaches N queries and M keys; a rule says so if not.
    template <std::size_t N, std::size_t M>
    static constexpr bool serves = rule::holds<rule::positions_lie_in_the_table<Positions, N, M>>;

    /// Turns a query of DK numbers.
    template <std::size_t DK>
    HEADSTRONG_INLINE constexpr void query(T* x, std::size_t position) const noexcept
    {
        turn<DK>(x, position);
    }
    /// Turns a key, alike.
    template <std::size_t DK>
    HEADSTRONG_INLINE constexpr void key(T* x, std::size_t position) const noexcept
    {
        turn<DK>(x, position);
    }

private:
    template <std::size_t DK>
    HEADSTRONG_INLINE constexpr void turn(T* x, std::size_t position) const noexcept
    {
        if constexpr (rule::holds<rule::rotation_fits_the_head<Width, DK>>)
            for (std::size_t c = 0; c < Width / 2; ++c) {
                constexpr bool beside = Pairs == rotation::interleaved;
                T &a = x[beside ? 2 * c : c], &b = x[beside ? 2 * c + 1 : c + Width / 2];
                const T cosine = table->cosine[position][c], sine = table->sine[position][c], x_a = a, x_b = b;
                a = fma(x_a, cosine, fma(-x_b, sine, T{0}));
                b = fma(x_b, cosine, fma(x_a, sine, T{0}));
            }
    }
};

/// Root-mean-square norms of queries and keys with a gain for each number (Henry et al., "Query-key normalization for
/// transformers", 2020, in the form of later models): x_r becomes g_r x_r / sqrt(mean(x^2) + Epsilon).
/// @par Numerics
///   the squares in one chain of fused multiply-adds, in order; exact root and division
/// @par Cost
///   d_k multiply-adds, products and divisions and a root for each query and key of a head
template <class T, std::size_t DK, class Epsilon = std::ratio<1, 1000000>>
struct rms_norm {
    static constexpr bool transforms = true;  ///< it acts between projection and score
    matrix<T, DK, 1> query_gain;              ///< g of queries
    matrix<T, DK, 1> key_gain;                ///< g of keys

    /// Whether it has the d_k of a head; a rule says so if not.
    template <std::size_t HeadDK, std::size_t HeadDV>
    static constexpr bool fits = rule::holds<rule::feature_has_the_sizes_of_its_head<DK, HeadDV, HeadDK, HeadDV>>;

    /// Norms a query.
    template <std::size_t>
    HEADSTRONG_INLINE constexpr void query(T* x, std::size_t) const noexcept
    {
        norm(x, query_gain);
    }
    /// Norms a key.
    template <std::size_t>
    HEADSTRONG_INLINE constexpr void key(T* x, std::size_t) const noexcept
    {
        norm(x, key_gain);
    }

private:
    HEADSTRONG_INLINE static constexpr void norm(T* x, const matrix<T, DK, 1>& gain) noexcept
    {
        T sum = 0;
        for (std::size_t r = 0; r < DK; ++r) sum = fma(x[r], x[r], sum);
        const T root = headstrong::sqrt(detail::sum_of(sum / static_cast<T>(DK), detail::ratio_as<T, Epsilon>));
        for (std::size_t r = 0; r < DK; ++r) x[r] = x[r] / root * gain.elements[r];
    }
};

/// Queries and keys of length 1: x / |x|, 0 for 0. With dot_times the score is then a scaled cosine.
template <class T>
struct l2_norm {
    static constexpr bool transforms = true;  ///< it acts between projection and score

    /// Norms a query of DK numbers.
    template <std::size_t DK>
    HEADSTRONG_INLINE constexpr void query(T* x, std::size_t) const noexcept
    {
        norm<DK>(x);
    }
    /// Norms a key, alike.
    template <std::size_t DK>
    HEADSTRONG_INLINE constexpr void key(T* x, std::size_t) const noexcept
    {
        norm<DK>(x);
    }

private:
    template <std::size_t DK>
    HEADSTRONG_INLINE static constexpr void norm(T* x) noexcept
    {
        T sum = 0;
        for (std::size_t r = 0; r < DK; ++r) sum = fma(x[r], x[r], sum);
        const T length = headstrong::sqrt(sum);
        for (std::size_t r = 0; r < DK; ++r) x[r] = length > 0 ? x[r] / length : T{0};
    }
};

}  // namespace headstrong

#endif
