// SPDX-License-Identifier: BSL-1.0
#include "layer.hpp"

#include "failure.hpp"

namespace embed {
namespace {

namespace hs = headstrong;
namespace st = headstrong::safetensors;

/// `count` rows of a tensor that is seen as a matrix of `columns`.
template <class T>
rows<T> take(const st::tensor& t, std::size_t first, std::size_t count, std::size_t columns)
{
    rows<T> out{count, columns, {}};
    out.numbers.reserve(count * columns);
    for (std::size_t i = 0; i < count * columns; ++i) out.numbers.push_back(st::value<T>(t, first * columns + i));
    return out;
}

/// A size as it is given, or else as axis `axis` of a tensor of `rank` axes says; 0 if neither says it.
class size_finder {
public:
    explicit size_finder(const item& i) : item_(i) {}

    std::size_t operator()(const char* name, const st::tensor& t, std::size_t rank, std::size_t axis) const
    {
        return given(name, t.shape.rank == rank ? static_cast<std::size_t>(t.shape[axis]) : 0);
    }
    std::size_t given(const char* name, std::size_t otherwise) const
    {
        const auto found = item_.sizes.find(name);
        return found == item_.sizes.end() ? otherwise : found->second;
    }

private:
    const item& item_;
};

void require_axes(const st::tensor& t, std::size_t rank, const std::string& axes, const std::string& file,
                  const std::string& name)
{
    if (t.shape.rank == rank) return;
    throw failure(file + ": tensor " + name + ": expected " + std::to_string(rank) + " axes " + axes + ", found "
                  + std::to_string(t.shape.rank));
}

void require_no_zero(const hs::dims& d, const std::string& file, const item& i)
{
    for (const std::size_t size : {d.d_model, d.heads, d.d_k, d.d_v, d.d_key, d.d_value, d.d_out, d.kv_heads})
        if (size == 0) throw failure(file + ": layer " + i.source + ": expected sizes of at least 1, found 0");
    if (d.heads % d.kv_heads != 0)
        throw failure(file + ": layer " + i.source + ": expected heads to be a multiple of kv_heads, found "
                      + std::to_string(d.heads) + " and " + std::to_string(d.kv_heads));
}

template <class T>
layer<T> read_own(st::detail::gathered<8> t, const std::string& file, const item& i)
{
    using form = st::detail::layer_form;
    for (const std::size_t needed : {form::q, form::k, form::v, form::o})
        if (!t.has(needed)) t.require<T>(needed, {});
    if (!t.problem().ok()) {  // a tensor is missing, and so may be what its shape should have been
        st::error e = t.problem();
        e.expected_dtype = st::dtype::unknown;
        require(e, file);
    }
    require_axes(t[form::q], 3, "(heads, d_k, d_model)", file, i.source + "w_q");
    require_axes(t[form::k], 3, "(kv_heads, d_k, d_key)", file, i.source + "w_k");
    require_axes(t[form::v], 3, "(kv_heads, d_v, d_value)", file, i.source + "w_v");
    require_axes(t[form::o], 2, "(d_out, heads * d_v)", file, i.source + "w_o");
    const size_finder size(i);
    hs::dims d{.d_model = size("d_model", t[form::q], 3, 2)};
    d.heads = size("heads", t[form::q], 3, 0);
    d.d_k = size("d_k", t[form::q], 3, 1);
    d.d_v = size("d_v", t[form::v], 3, 1);
    d.d_key = size("d_key", t[form::k], 3, 2);
    d.d_value = size("d_value", t[form::v], 3, 2);
    d.d_out = size("d_out", t[form::o], 2, 0);
    d.kv_heads = size("kv_heads", t[form::k], 3, 0);
    for (const auto& [at, set] :
         {std::pair{form::b_q, hs::bias::q}, {form::b_k, hs::bias::k}, {form::b_v, hs::bias::v}, {form::b_o, hs::bias::o}})
        if (t.has(at)) d.biases = d.biases | set;
    require_no_zero(d, file, i);
    form::require<T>(t, d);
    require(t.problem(), file);
    const auto biases = [&](std::size_t at, std::size_t count) { return t.has(at) ? take<T>(t[at], 0, count, 1) : rows<T>{}; };
    return {d,
            take<T>(t[form::q], 0, d.heads * d.d_k, d.d_model),
            take<T>(t[form::k], 0, d.kv_heads * d.d_k, d.d_key),
            take<T>(t[form::v], 0, d.kv_heads * d.d_v, d.d_value),
            take<T>(t[form::o], 0, d.d_out, d.heads * d.d_v),
            biases(form::b_q, d.heads * d.d_k),
            biases(form::b_k, d.kv_heads * d.d_k),
            biases(form::b_v, d.kv_heads * d.d_v),
            biases(form::b_o, d.d_out)};
}

template <class T>
layer<T> read_pytorch(st::detail::gathered<11> t, const std::string& file, const item& i)
{
    using form = st::detail::pytorch_form;
    const size_finder size(i);
    const std::size_t heads = size.given("heads", 0);
    if (heads == 0)
        throw failure("layer " + i.name + ": expected heads=..., which a state of PyTorch does not hold, found none");
    const st::tensor& output = t[t.has(form::o_plain) ? form::o_plain : form::o];
    if (!output.name.empty()) require_axes(output, 2, "(d_model, d_model)", file, i.source + "out_proj.weight");
    const std::size_t e = size("d_model", output, 2, 0);
    hs::dims d{.d_model = e, .heads = heads};
    if (e != 0 && d.d_k == 0)
        throw failure(file + ": layer " + i.source + ": expected heads that divide d_model = " + std::to_string(e) + ", found "
                      + std::to_string(heads));
    d.d_key = size("d_key", t[form::k], 2, 1);
    d.d_value = size("d_value", t[form::v], 2, 1);
    if (d.d_key == 0) d.d_key = e;
    if (d.d_value == 0) d.d_value = e;
    if (t.has(form::bias_all)) d.biases = hs::bias::q | hs::bias::k | hs::bias::v;
    if (t.has(form::bias_o) || t.has(form::bias_o_plain)) d.biases = d.biases | hs::bias::o;
    for (const auto& [name, only] : {std::pair{"d_k", d.d_k}, {"d_v", d.d_k}, {"d_out", e}, {"kv_heads", heads}})
        if (size.given(name, only) != only)
            throw failure("layer " + i.name + ": expected " + name + "=" + std::to_string(only)
                          + " in a layer of PyTorch, found " + std::to_string(size.given(name, only)));
    const form parts(t, d);
    if (e == 0) {  // no output projection to tell the width
        st::error missing;
        missing.what = st::fault::missing_tensor;
        missing.prefix = i.source;
        missing.asked = form::names[form::o];
        require(missing, file);
    }
    parts.require<T>(t, d, false);  // no place for add_bias_kv
    require(t.problem(), file);
    const auto biases = [&](std::size_t at, std::size_t first) { return t.has(at) ? take<T>(t[at], first, e, 1) : rows<T>{}; };
    return {d,
            take<T>(t[parts.joined ? form::all : form::q], 0, e, e),
            take<T>(t[parts.joined ? form::all : form::k], parts.joined ? e : 0, e, d.d_key),
            take<T>(t[parts.joined ? form::all : form::v], parts.joined ? 2 * e : 0, e, d.d_value),
            take<T>(t[parts.output], 0, e, e),
            biases(form::bias_all, 0),
            biases(form::bias_all, e),
            biases(form::bias_all, 2 * e),
            biases(parts.output_bias, 0)};
}

}  // namespace

any_layer read_layer(const st::file& file, const std::string& file_name, const item& i)
{
    if (i.kind == kind::layer) {
        const st::detail::gathered<8> t(file, i.source, st::detail::layer_form::names);
        if (t[st::detail::layer_form::q].dtype == st::dtype::f64) return read_own<double>(t, file_name, i);
        return read_own<float>(t, file_name, i);
    }
    const st::detail::gathered<11> t(file, i.source, st::detail::pytorch_form::names);
    const bool wide =
        t[st::detail::pytorch_form::all].dtype == st::dtype::f64 || t[st::detail::pytorch_form::q].dtype == st::dtype::f64;
    if (wide) return read_pytorch<double>(t, file_name, i);
    return read_pytorch<float>(t, file_name, i);
}

}  // namespace embed
