// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_DIMS_HPP
#define HEADSTRONG_DIMS_HPP
/// @file
/// The sizes of a layer, as one structural value that is a template argument.

#include <cstddef>

namespace headstrong {

/// The projections of a layer that add a bias vector: a set, joined by |.
enum class bias : unsigned {
    none = 0,  ///< no bias
    q = 1,     ///< b_q[h], d_k numbers, added to W_h^Q Q in every column
    k = 2,     ///< b_k[h], d_k numbers
    v = 4,     ///< b_v[h], d_v numbers
    o = 8,     ///< b_o, d_out numbers, added to the output
    all = 15   ///< all four
};

/// The biases of both sets.
[[nodiscard]] constexpr bias operator|(bias a, bias b) noexcept
{
    return static_cast<bias>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether `set` holds `one`.
[[nodiscard]] constexpr bool contains(bias set, bias one) noexcept
{
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

namespace detail {
[[nodiscard]] constexpr std::size_t default_head_size(std::size_t d_model, std::size_t heads) noexcept
{
    return heads != 0 && d_model % heads == 0 ? d_model / heads : 0;  // 0 is refused by a sentence in checks.hpp
}
}  // namespace detail

/// The sizes of a layer of equal heads, in the notation of the field. Members that are left out follow from those
/// before them, so `dims{.d_model = 32, .heads = 4}` and `dims{.d_model = 32, .heads = 4, .d_k = 8}` are the same value.
struct dims {
    std::size_t d_model;                                          ///< rows of Q
    std::size_t heads = 1;                                        ///< H
    std::size_t d_k = detail::default_head_size(d_model, heads);  ///< rows of W_h^Q and W_h^K
    std::size_t d_v = d_k;                                        ///< rows of W_h^V, columns of W_h^O
    std::size_t d_key = d_model;                                  ///< rows of K
    std::size_t d_value = d_model;                                ///< rows of V
    std::size_t d_out = d_model;                                  ///< rows of the output
    std::size_t kv_heads = heads;                                 ///< grouped queries: heads of K and V, a divisor of H
    bias biases = bias::none;                                     ///< which projections add a bias

    /// Equal in every size.
    constexpr bool operator==(const dims&) const = default;
};

}  // namespace headstrong

#endif
