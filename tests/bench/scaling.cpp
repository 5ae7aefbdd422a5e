// SPDX-License-Identifier: BSL-1.0
/// @file
/// How the time of a call grows with tokens, heads and d_model: nanoseconds a multiply-add, in which a cliff shows.
#include "peak.hpp"
#include "scaling_points.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using namespace bench;

struct arguments {
    std::size_t rounds = 40;
    double slice_ms = 3;
    bool quick = false;
    std::string csv = "scaling.csv";
};

constexpr double cliff = 1.3;  // so much worse than a neighbour is marked
constexpr const char* sweep_names[] = {"tokens", "heads", "d_model"};

struct row {
    scaling_point at;
    headstrong::costs cost;
    timing time;
    double ns_per_multiply_add, part_of_limit, worse;  ///< times the better neighbour in the sweep
};

void check(const scaling_point& at, const measured_point& one)
{
    constexpr double tolerance = 2e-5;
    const double error = relative_error(one.data->reference, one.peer.result);
    if (!(error < tolerance))
        throw std::runtime_error(std::string(sweep_names[static_cast<std::size_t>(at.which)]) + " " + std::to_string(at.grows())
                                 + " is wrong: relative error " + std::to_string(error));
}

std::vector<row> measure(const schedule& when)
{
    auto points = std::make_unique<measured_points>();
    [&]<std::size_t... Part>(std::index_sequence<Part...>) {
        (make_points<Part>(*points), ...);
    }(std::make_index_sequence<SCALING_PARTS>{});

    peers list;
    for (std::size_t i = 0; i < points->size(); ++i) {
        (*points)[i].peer.run(1);
        check(scaling_points[i], (*points)[i]);
        list.push_back((*points)[i].peer);
    }
    list.push_back({"limit", run_at_the_limit, nullptr});
    const std::vector<timing> times = time_in_turns(list, when);

    const double ns_at_the_limit = 1e3 * times.back().median_us / multiply_adds_at_the_limit;
    std::vector<row> rows;
    for (std::size_t i = 0; i < points->size(); ++i) {
        check(scaling_points[i], (*points)[i]);
        const double ns = 1e3 * times[i].median_us / list[i].multiply_adds;
        rows.push_back({scaling_points[i], (*points)[i].cost, times[i], ns, ns_at_the_limit / ns, 0});
    }
    std::printf("Limit of the core: %.5f ns a multiply-add.\n", ns_at_the_limit);
    return rows;
}

/// Compares each point with those beside it in its sweep.
void compare_neighbours(std::vector<row>& rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const std::size_t j : {i - 1, i + 1})
            if (j < rows.size() && rows[j].at.which == rows[i].at.which)
                rows[i].worse = std::max(rows[i].worse, rows[i].ns_per_multiply_add / rows[j].ns_per_multiply_add);
}

void print(const std::vector<row>& rows)
{
    const row* before = nullptr;
    std::size_t marked = 0, disturbed = 0;
    for (const row& r : rows) {
        if (before == nullptr || before->at.which != r.at.which)
            std::printf("\n%-8s %-16s %12s %11s %7s %7s %12s\n", sweep_names[static_cast<std::size_t>(r.at.which)],
                        "d_model H d_k n=m", "median us", "ns/mul-add", "limit", "worse", "workspace B");
        const std::string sizes = std::to_string(r.at.d_model) + ' ' + std::to_string(r.at.heads) + ' '
                                  + std::to_string(r.at.d_k) + ' ' + std::to_string(r.at.tokens);
        std::printf("%-8zu %-17s %11.3f%s %10.5f %6.0f%% %7.2f %12zu%s\n", r.at.grows(), sizes.c_str(), r.time.median_us,
                    r.time.disturbed ? "~" : " ", r.ns_per_multiply_add, 100 * r.part_of_limit, r.worse, r.cost.workspace_bytes,
                    r.worse > cliff ? "  <- worse than a neighbour" : "");
        marked += r.worse > cliff;
        disturbed += r.time.disturbed;
        before = &r;
    }
    std::printf("\n%zu of %zu points are more than %.1f times worse than a neighbour.\n", marked, rows.size(), cliff);
    if (disturbed > 0) std::printf("~: other processes left too few slices undisturbed; do not quote this run.\n");
}

void write_csv(const std::string& path, const std::vector<row>& rows)
{
    std::ofstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be written");
    file << "sweep,d_model,heads,d_k,tokens,multiply_adds,median_us,min_us,ns_per_multiply_add,part_of_limit,worse_than_"
            "neighbour,"
            "workspace_bytes,weight_bytes\n";
    for (const row& r : rows)
        file << sweep_names[static_cast<std::size_t>(r.at.which)] << ',' << r.at.d_model << ',' << r.at.heads << ',' << r.at.d_k
             << ',' << r.at.tokens << ',' << r.cost.multiply_adds << ',' << r.time.median_us << ',' << r.time.min_us << ','
             << r.ns_per_multiply_add << ',' << r.part_of_limit << ',' << r.worse << ',' << r.cost.workspace_bytes << ','
             << r.cost.weight_bytes << '\n';
}

void run(const arguments& a)
{
    std::vector<row> rows = measure(a.quick ? schedule{7, 2e-4} : schedule{a.rounds, 1e-3 * a.slice_ms});
    compare_neighbours(rows);
    print(rows);
    write_csv(a.csv, rows);
}

}  // namespace

int main(int argc, char** argv)
try {
    CLI::App app("headstrong over sizes that grow, one thread");
    arguments a;
    app.add_option("--rounds", a.rounds, "rounds, in each of which every point runs for a slice")
        ->check(CLI::Range(7, 100000))
        ->capture_default_str();
    app.add_option("--slice-ms", a.slice_ms, "length of a slice, at least one call")
        ->check(CLI::Range(0.01, 10000.0))
        ->capture_default_str();
    app.add_flag("--quick", a.quick, "a smoke test: 7 rounds of 0.2 ms");
    app.add_option("--csv", a.csv, "file of all measurements")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    run(a);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench_scaling: %s\n", e.what());
    return 1;
}
