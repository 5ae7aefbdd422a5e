// SPDX-License-Identifier: BSL-1.0
/// @file
/// Times this library against those a user could pick instead, on one thread, with the data in the caches.
#include "modules.hpp"
#include "peak.hpp"
#include "report.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace bench;

struct arguments {
    std::vector<std::string> shapes;
    std::size_t rounds = 40;
    double slice_ms = 3;
    bool quick = false;
    std::string csv = "results.csv", plot_data = "results.gnuplot";
};

void add_options(CLI::App& app, arguments& a)
{
    std::vector<std::string> names;
    for (const shape& s : shapes) names.emplace_back(s.name);
    app.add_option("--shapes", a.shapes, "shapes to run, all by default")->delimiter(',')->check(CLI::IsMember(names));
    app.add_option("--rounds", a.rounds, "rounds, in each of which every peer runs for a slice")
        ->check(CLI::Range(7, 100000))
        ->capture_default_str();
    app.add_option("--slice-ms", a.slice_ms, "length of a slice, at least one call")
        ->check(CLI::Range(0.01, 10000.0))
        ->capture_default_str();
    app.add_flag("--quick", a.quick, "a smoke test: 7 rounds of 0.2 ms");
    app.add_option("--csv", a.csv, "file of all measurements")->capture_default_str();
    app.add_option("--plot-data", a.plot_data, "file of the ratios, for plot.gnuplot")->capture_default_str();
}

double checked_error(const problem& p, const peer& one)
{
    constexpr double tolerance = 2e-5;  // float32 over at most 1024 terms
    const double error = relative_error(p.reference, one.result);
    if (!(error < tolerance))
        throw std::runtime_error(one.name + " is wrong on " + std::string(p.shape.name) + ": relative error "
                                 + std::to_string(error));
    return error;
}

shape_result measure(const shape& s, const std::vector<module>& modules, const schedule& when)
{
    const problem p = make_problem(s);
    peers list;
    std::vector<std::string> libraries;  // of the peers
    for (const module& m : modules) {
        m.add_peers(p, list);
        libraries.resize(list.size(), m.library.substr(0, m.library.find(' ')));
    }
    for (const peer& one : list) {
        one.run(1);
        checked_error(p, one);
    }
    list.push_back({"limit", run_at_the_limit, nullptr});
    const reader memory(s.bytes());
    list.push_back({"reading", [&memory](std::size_t calls) { memory.run(calls); }, nullptr});
    const std::vector<timing> times = time_in_turns(list, when);

    shape_result r{s,
                   {},
                   list.front().multiply_adds,
                   multiply_adds_at_the_limit / times[libraries.size()].median_us,
                   times.back().median_us};
    for (std::size_t i = 0; i < libraries.size(); ++i)
        r.rows.push_back({libraries[i], list[i].name, times[i], checked_error(p, list[i])});
    return r;
}

bool wanted(const shape& s, const arguments& a)
{
    return a.shapes.empty() || std::find(a.shapes.begin(), a.shapes.end(), s.name) != a.shapes.end();
}

void run(const arguments& a)
{
    const std::vector<module> modules = load_modules();
    std::vector<std::string> versions;
    for (const module& m : modules) {
        versions.push_back(m.library);
        std::printf("%s\n", m.library.c_str());
    }
    const schedule when = a.quick ? schedule{7, 2e-4} : schedule{a.rounds, 1e-3 * a.slice_ms};

    std::vector<shape_result> results;
    print_heading();
    for (const shape& s : shapes)
        if (wanted(s, a)) {
            results.push_back(measure(s, modules, when));
            print(results.back());
        }
    print_summary(results);
    write_csv(a.csv, results);
    write_plot_data(a.plot_data, results, versions);
}

}  // namespace

int main(int argc, char** argv)
try {
    CLI::App app("headstrong against other libraries, one thread");
    arguments a;
    add_options(app, a);
    CLI11_PARSE(app, argc, argv);
    run(a);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
}
