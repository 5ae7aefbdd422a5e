// SPDX-License-Identifier: BSL-1.0
// No call of the library allocates. Operands lie in heap blocks of their exact size, made beforehand, so that valgrind sees
// each read or write beside them and each decision upon a number that was never written.
#include "counted_heap.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/mixed_multi_head.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/residual_attention.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace hs = headstrong;

namespace {

/// An object in a heap block of its own, its bytes unwritten.
template <class X>
class on_heap {
public:
    on_heap() : x_(new X) {}
    on_heap(const on_heap&) = delete;
    on_heap& operator=(const on_heap&) = delete;
    ~on_heap() { delete x_; }
    X& operator*() { return *x_; }

private:
    X* x_;
};

int failures = 0;

void check(bool right, const char* what)
{
    if (!right) std::printf("failed: %s\n", what), ++failures;
}

/// The allocations of f().
template <class F>
std::size_t allocations_of(F f)
{
    const std::size_t before = counted_heap::allocations();
    f();
    return counted_heap::allocations() - before;
}

float next_number()
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
}

template <class X>
void fill(X& x)
{
    if constexpr (requires { x.elements; })
        for (auto& e : x.elements) e = static_cast<typename X::value_type>(next_number());
    else if constexpr (requires { x.begin(); })
        for (auto& one : x) fill(one);
}
template <class Weights>
void fill_weights(Weights& w)
{
    fill(w.w_q), fill(w.w_k), fill(w.w_v), fill(w.w_o), fill(w.b_q), fill(w.b_k), fill(w.b_v), fill(w.b_o);
}

/// Reads every number, so that valgrind complains of one that was never written.
template <class X>
bool all_written(const X& x)
{
    int numbers = 0;
    for (const auto e : x.elements) numbers += e == e ? 1 : 0;
    return numbers == static_cast<int>(x.rows * x.columns);
}

template <class T, hs::dims D, std::size_t N, std::size_t M>
void check_layer(const char* name)
{
    using layer_type = hs::multi_head<T, D>;
    on_heap<typename layer_type::weights_type> w;
    on_heap<hs::matrix<T, D.d_model, N>> q;
    on_heap<hs::matrix<T, D.d_key, M>> k;
    on_heap<hs::matrix<T, D.d_value, M>> v;
    on_heap<hs::matrix<T, D.d_out, N>> y, by_value;
    on_heap<typename layer_type::template workspace<N, M>> scratch;
    on_heap<typename layer_type::packed_type> packed;
    fill_weights(*w), fill(*q), fill(*k), fill(*v);

    const std::size_t count = allocations_of([&] {
        const layer_type made(*w);
        *packed = made.packed;
        const layer_type layer(*packed);
        layer(*q, *k, *v, *y, *scratch);
        *by_value = layer(*q, *k, *v);
    });
    check(count == 0 && all_written(*y) && *y == *by_value, name);
}

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M, class Score = hs::scaled_dot>
void check_attention(const char* name, const Score& score = {})
{
    on_heap<hs::matrix<T, DK, N>> q;
    on_heap<hs::matrix<T, DK, M>> k;
    on_heap<hs::matrix<T, DV, M>> v;
    on_heap<hs::matrix<T, DV, N>> y, by_value;
    on_heap<hs::attention_workspace<T, DK, DV, N, M>> scratch;
    fill(*q), fill(*k), fill(*v);
    const std::size_t count = allocations_of([&] {
        hs::attention(*q, *k, *v, *y, *scratch, score);
        *by_value = hs::attention(*q, *k, *v, score);
    });
    check(count == 0 && all_written(*y) && *y == *by_value, name);
}

struct difference {
    constexpr auto operator()(const auto& a, const auto& b) const { return b[0] - a[a.size() - 1]; }
};

template <class T, std::size_t R, std::size_t C, std::size_t N>
void check_products(const char* name)
{
    on_heap<hs::matrix<T, R, C>> w, weights;
    on_heap<hs::matrix<T, C, N>> x;
    on_heap<hs::matrix<T, R, 1>> b;
    on_heap<hs::matrix<T, R, N>> y, z;
    on_heap<hs::matrix<T, R + R, C>> stacked;
    fill(*w), fill(*x), fill(*b);
    const std::size_t count = allocations_of([&] {
        *y = hs::multiply(*w, *x);
        *z = hs::affine(*w, *x, *b);
        *weights = hs::softmax(*w);
        *stacked = hs::stack(*w, *weights);
    });
    check(count == 0 && all_written(*y) && all_written(*z) && all_written(*stacked), name);
}

void check_other_layers()
{
    using mixed = hs::mixed_multi_head<float, hs::widths{.d_model = 5}, hs::head<3, 2>, hs::head<2, 7, hs::dot>>;
    using residual = hs::residual_attention<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 5}>;
    on_heap<mixed::weights_type> mixed_weights;
    on_heap<residual::weights_type> residual_weights;
    on_heap<hs::matrix<float, 5, 19>> x, y, z;
    on_heap<mixed::workspace<19, 19>> mixed_scratch;
    on_heap<residual::workspace<19>> residual_scratch;
    boost::hana::for_each((*mixed_weights).heads,
                          [](auto& head) { fill(head.w_q), fill(head.w_k), fill(head.w_v), fill(head.w_o); });
    fill((*residual_weights).w_q), fill((*residual_weights).w_k), fill((*residual_weights).w_v), fill(*x);
    const std::size_t count = allocations_of([&] {
        const mixed mixed_layer(*mixed_weights);
        mixed_layer(*x, *x, *x, *y, *mixed_scratch);
        const residual residual_layer(*residual_weights);
        residual_layer(*x, *z, *residual_scratch);
    });
    check(count == 0 && all_written(*y) && all_written(*z), "mixed heads and the residual form");
}

/// The count can say that there was one.
void check_the_count()
{
    void* volatile kept = nullptr;
    check(allocations_of([&] { kept = std::malloc(1); }) == 1, "malloc is counted");
    check(allocations_of([&] { kept = std::realloc(kept, 100); }) == 1, "realloc is counted");
    std::free(kept);
    check(allocations_of([&] { kept = std::calloc(1, 1); }) == 1, "calloc is counted");
    std::free(kept);
    check(allocations_of([&] { kept = std::aligned_alloc(64, 64); }) == 1, "aligned_alloc is counted");
    std::free(kept);
    check(allocations_of([&] { on_heap<int> one; }) == 1, "new is counted");
    check(allocations_of([&] { on_heap<hs::matrix<float, 4, 4>> one; }) == 1, "aligned new is counted");
}

}  // namespace

int main()
{
    check_the_count();
    using hs::dims;
    check_layer<float, dims{.d_model = 1}, 1, 1>("layer of one number");
    check_layer<
        float,
        dims{.d_model = 7, .heads = 3, .d_k = 5, .d_v = 3, .d_key = 4, .d_value = 9, .d_out = 17, .biases = hs::bias::all}, 35,
        19>("layer of odd sizes");
    check_layer<double, dims{.d_model = 9, .heads = 4, .d_k = 3, .d_v = 2, .kv_heads = 2, .biases = hs::bias::all}, 11, 3>(
        "layer of double");
    check_other_layers();
    check_attention<float, 1, 1, 1, 1>("attention of one number");
    check_attention<float, 5, 17, 33, 15>("attention");
    check_attention<float, 3, 2, 5, 7>("attention with a score of the user's", difference{});
    check_products<float, 17, 3, 5>("products");
    if (failures == 0) std::puts("no call allocates");
    return failures == 0 ? 0 : 1;
}
