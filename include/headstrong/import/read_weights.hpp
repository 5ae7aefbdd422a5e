// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_READ_WEIGHTS_HPP
#define HEADSTRONG_IMPORT_READ_WEIGHTS_HPP
/// @file
/// The weights of a whole layer from a file, in the library's own form and in that of PyTorch.

#include "headstrong/dims.hpp"
#include "headstrong/feature.hpp"
#include "headstrong/import/file.hpp"
#include "headstrong/import/gathered.hpp"
#include "headstrong/import/values.hpp"
#include "headstrong/weights.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace headstrong::rule {

template <std::size_t DModel, std::size_t Heads, std::size_t DK, std::size_t DV, std::size_t DOut, std::size_t KvHeads>
struct layer_has_the_form_of_pytorch : condition<Heads * DK == DModel && DV == DK && DOut == DModel && KvHeads == Heads> {
    static_assert(layer_has_the_form_of_pytorch::holds,
                  "torch.nn.MultiheadAttention has d_k = d_v = d_model / heads, d_out = d_model and kv_heads = heads");
};

template <bool Q, bool K, bool V>
struct pytorch_has_one_bias_for_q_k_v : condition<Q == K && K == V> {
    static_assert(pytorch_has_one_bias_for_q_k_v::holds,
                  "torch.nn.MultiheadAttention has one in_proj_bias: dims::biases must hold q, k and v, or none of them");
};

}  // namespace headstrong::rule

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

namespace detail {

/// Whether heads of this kind append a token of their own.
template <class T, dims D, class Kind>
inline constexpr bool appends_token = std::is_base_of_v<appended_token<T, D.d_k, D.d_v>, Kind>;

/// Head h appends numbers h d_k ... of the key and h d_v ... of the value.
template <class T, std::size_t DK, std::size_t DV, class Kind, std::size_t H>
constexpr void copy_appended(const tensor& key, const tensor& value, std::array<Kind, H>& kinds) noexcept
{
    for (std::size_t h = 0; h < H; ++h) {
        appended_token<T, DK, DV>& token = kinds[h];
        copy_rows(key, h * DK, 1, token.key);
        copy_rows(value, h * DV, 1, token.value);
    }
}

/// The tensors of a layer in the library's own form.
struct layer_form {
    enum { q, k, v, o, b_q, b_k, b_v, b_o };
    static constexpr std::array<std::string_view, 8> names = {"w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"};

    template <class T>
    static constexpr void require(gathered<8>& t, const dims& d) noexcept
    {
        t.template require<T>(q, {d.heads, d.d_k, d.d_model});
        t.template require<T>(k, {d.kv_heads, d.d_k, d.d_key});
        t.template require<T>(v, {d.kv_heads, d.d_v, d.d_value});
        t.template require<T>(o, {d.d_out, d.heads * d.d_v});
        t.template require_if<T>(contains(d.biases, bias::q), b_q, {d.heads, d.d_k});
        t.template require_if<T>(contains(d.biases, bias::k), b_k, {d.kv_heads, d.d_k});
        t.template require_if<T>(contains(d.biases, bias::v), b_v, {d.kv_heads, d.d_v});
        t.template require_if<T>(contains(d.biases, bias::o), b_o, {d.d_out});
    }
};

/// The tensors of a torch.nn.MultiheadAttention. The projections are joined in one, or are three of their own.
struct pytorch_form {
    enum { all, q, k, v, bias_all, o, o_plain, bias_o, bias_o_plain, extra_k, extra_v };
    static constexpr std::array<std::string_view, 11> names = {
        "in_proj_weight",  "q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias", "out_proj.weight",
        "out_proj_weight", "out_proj.bias", "out_proj_bias", "bias_k",        "bias_v"};

    bool joined;
    std::size_t output;
    std::size_t output_bias;

    constexpr pytorch_form(const gathered<11>& t, const dims& d) noexcept
        : joined(d.d_key == d.d_model && d.d_value == d.d_model && (t.has(all) || !t.has(q))),
          output(t.has(o_plain) ? o_plain : o),
          output_bias(t.has(bias_o_plain) ? bias_o_plain : bias_o)
    {
    }

    template <class T>
    constexpr void require(gathered<11>& t, const dims& d, bool appends) const noexcept
    {
        const std::size_t e = d.d_model;
        if (joined) t.template require<T>(all, {3 * e, e});
        else t.template require<T>(q, {e, e}).template require<T>(k, {e, d.d_key}).template require<T>(v, {e, d.d_value});
        t.template require<T>(output, {e, e});
        t.template require_if<T>(contains(d.biases, bias::q), bias_all, {3 * e});
        t.template require_if<T>(contains(d.biases, bias::o), output_bias, {e});
        if (appends) {
            require_extra<T>(t, extra_k, e);
            require_extra<T>(t, extra_v, e);
        } else {
            t.refuse(extra_k, "none: the layer has no place for the additional key of add_bias_kv");
            t.refuse(extra_v, "none: the layer has no place for the additional value of add_bias_kv");
        }
    }

private:
    /// PyTorch stores (1, 1, E); (E) is taken too.
    template <class T>
    static constexpr void require_extra(gathered<11>& t, std::size_t i, std::size_t e) noexcept
    {
        if (t.has(i) && t[i].shape.rank == 1) t.template require<T>(i, {e});
        else t.template require<T>(i, {1, 1, e});
    }
};

}  // namespace detail

/// Reads the weights of a layer, tensors `prefix` + name.
/// @par Shapes
///   w_q (heads, d_k, d_model), w_k (kv_heads, d_k, d_key), w_v (kv_heads, d_v, d_value), row-major matrices W_h;
///   w_o (d_out, heads d_v), that is W^O, whose columns h d_v ... belong to head h; for the biases that dims names:
///   b_q (heads, d_k), b_k (kv_heads, d_k), b_v (kv_heads, d_v), b_o (d_out)
/// @par Edge cases
///   a bias in the file that dims does not name is an error; on any error `w` is left as it was
template <class T, dims D>
[[nodiscard]] constexpr error read_weights(const file& f, std::string_view prefix, weights<T, D>& w) noexcept
{
    using form = detail::layer_form;
    detail::gathered<8> t(f, prefix, form::names);
    form::template require<T>(t, D);
    if (!t.problem().ok()) return t.problem();
    detail::copy_heads(t[form::q], 0, w.w_q);
    detail::copy_heads(t[form::k], 0, w.w_k);
    detail::copy_heads(t[form::v], 0, w.w_v);
    detail::copy_beside(t[form::o], w.w_o);
    detail::copy_heads(t[form::b_q], 0, w.b_q);
    detail::copy_heads(t[form::b_k], 0, w.b_k);
    detail::copy_heads(t[form::b_v], 0, w.b_v);
    detail::copy_bias(t[form::b_o], w.b_o);
    return {};
}

/// Reads the state of a torch.nn.MultiheadAttention, tensors `prefix` + name, E = d_model, kdim = d_key, vdim = d_value.
/// @par Shapes
///   in_proj_weight (3 E, E), rows in the order q, k, v; or q_proj_weight (E, E), k_proj_weight (E, kdim), v_proj_weight
///   (E, vdim); out_proj.weight (E, E); if dims names the biases, in_proj_bias (3 E) and out_proj.bias (E).
///   Head h has the rows h d_k ... of the projections. out_proj_weight and out_proj_bias are taken too.
/// @par Edge cases
///   as read_weights; bias_k and bias_v (add_bias_kv), (1, 1, E), go to the appended_token of each head; if the heads have
///   none, they are an error, since they add a key
template <class T, dims D, class Kind>
[[nodiscard]] constexpr error read_pytorch_weights(const file& f, std::string_view prefix, weights<T, D, Kind>& w) noexcept
{
    static_assert(rule::checked<
                  (rule::holds<rule::layer_has_the_form_of_pytorch<D.d_model, D.heads, D.d_k, D.d_v, D.d_out, D.kv_heads>>)>);
    static_assert(rule::checked<(rule::holds<rule::pytorch_has_one_bias_for_q_k_v<
                                     contains(D.biases, bias::q), contains(D.biases, bias::k), contains(D.biases, bias::v)>>)>);
    using form = detail::pytorch_form;
    constexpr std::size_t e = D.d_model;
    detail::gathered<11> t(f, prefix, form::names);
    const form parts(t, D);
    parts.template require<T>(t, D, detail::appends_token<T, D, Kind>);
    if (!t.problem().ok()) return t.problem();
    detail::copy_heads(t[parts.joined ? form::all : form::q], 0, w.w_q);
    detail::copy_heads(t[parts.joined ? form::all : form::k], parts.joined ? e : 0, w.w_k);
    detail::copy_heads(t[parts.joined ? form::all : form::v], parts.joined ? 2 * e : 0, w.w_v);
    detail::copy_beside(t[parts.output], w.w_o);
    detail::copy_heads(t[form::bias_all], 0, w.b_q);
    detail::copy_heads(t[form::bias_all], e, w.b_k);
    detail::copy_heads(t[form::bias_all], 2 * e, w.b_v);
    detail::copy_bias(t[parts.output_bias], w.b_o);
    if constexpr (detail::appends_token<T, D, Kind>)
        detail::copy_appended<T, D.d_k, D.d_v>(t[form::extra_k], t[form::extra_v], w.kinds);
    return {};
}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
