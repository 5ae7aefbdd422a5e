// SPDX-License-Identifier: BSL-1.0
/// @file
/// Times every plan of every layer of shapes.hpp, in turns: is the planner's choice the fastest?
#include "layer_state.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace bench;
using headstrong::plan_kind;

constexpr plan_kind kinds[] = {plan_kind::direct, plan_kind::absorbed, plan_kind::streamed, plan_kind::folded};
constexpr const char* names[] = {"direct", "absorbed", "streamed", "folded"};
constexpr double much_slower = 1.1;

template <headstrong::dims D, std::size_t N, std::size_t M, plan_kind Kind>
struct plan_state {
    using layer = std::conditional_t<Kind == plan_kind::folded, headstrong::folded_multi_head<float, D>, layer_of<D>>;

    explicit plan_state(const problem& p) : attend(*weights_of<D>(p)) {}
    void call(const problem& p)
    {
        attend(headstrong::columns<D.d_model, N>(p.x_q.data()), headstrong::columns<D.d_model, M>(p.x_k.data()),
               headstrong::columns<D.d_model, M>(p.x_v.data()), y, scratch, headstrong::by<Kind>);
    }

    layer attend;
    typename layer::template workspace<N, M, Kind> scratch;
    headstrong::matrix<float, D.d_model, N> y;
};

template <std::size_t I, plan_kind Kind>
peer peer_by(const problem& p)
{
    constexpr shape s = shapes[I];
    const auto own = std::make_shared<plan_state<dims_of(s), s.n, s.m, Kind>>(p);
    return {{}, repeated([own, &p] { own->call(p); }), own->y.data()};
}

/// Whether the choice of planner and folding_pays is at most a tenth slower than any other plan.
template <std::size_t I>
bool measure(const schedule& when)
{
    constexpr shape s = shapes[I];
    constexpr plan_kind chosen = headstrong::folding_pays<dims_of(s), s.n, s.m>
                                     ? plan_kind::folded
                                     : layer_of<dims_of(s)>::template plan<s.n, s.m>().kind;
    const problem p = make_problem(s);
    peers list;
    [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
        (list.push_back(peer_by<I, kinds[Kind]>(p)), ...);
    }(std::make_index_sequence<std::size(kinds)>{});
    const std::vector<timing> times = time_in_turns(list, when);

    std::printf("%-8.*s", static_cast<int>(s.name.size()), s.name.data());
    double own = 0, best = times[0].median_us;
    const char* name = "";
    for (std::size_t i = 0; i < std::size(kinds); ++i) {
        const double us = times[i].median_us;
        std::printf(" %10.2f%s", us, times[i].disturbed ? "~" : " ");
        best = std::min(best, us);
        if (kinds[i] == chosen) own = us, name = names[i];
    }
    std::printf("  %-8s %5.2f\n", name, own / best);
    std::fflush(stdout);
    return own <= much_slower * best;
}

bool measure_all(const schedule& when)
{
    std::printf("%-8s %10s  %10s  %10s  %10s   %-8s %s\n", "shape", "direct us", "absorbed", "streamed", "folded", "choice",
                "its time / the best");
    std::size_t wrong = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [&](auto index) {
            if constexpr (shapes[index()].kind == shape_kind::layer) wrong += !measure<index()>(when);
        };
        (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<shapes.size()>{});
    std::printf("\nThe choice is more than %.0f %% slower than another plan at %zu shapes.\n", 100 * (much_slower - 1), wrong);
    return wrong == 0;
}

}  // namespace

int main(int argc, char** argv)
try {
    CLI::App app("the plans of headstrong's layers against each other, one thread");
    std::size_t rounds = 15;
    app.add_option("--rounds", rounds, "rounds, in each of which every plan runs for a slice")
        ->check(CLI::Range(7, 100000))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure_all({rounds, 3e-3}) ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench_plans: %s\n", e.what());
    return 1;
}
