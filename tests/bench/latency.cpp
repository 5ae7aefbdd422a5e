// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long one call may take: a million calls one by one in warm caches, calls in cold ones, the first call of a process,
/// and whether the numbers that go in change the time.
#include "layer_state.hpp"
#include "peak.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

extern "C" {
extern const char __executable_start, etext;  // the linker's names for the bounds of the program's code
}

namespace {

using namespace bench;

constexpr std::size_t flushes_every = 64;  // bytes; a cache line, or a part of one

double monotonic_ns()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

#ifdef __x86_64__
constexpr const char* clock_name = "rdtsc, rdtscp and lfence";
std::uint64_t ticks_before()
{
    __builtin_ia32_lfence();
    const std::uint64_t t = __builtin_ia32_rdtsc();
    __builtin_ia32_lfence();
    return t;
}
std::uint64_t ticks_after()
{
    unsigned processor = 0;
    const std::uint64_t t = __builtin_ia32_rdtscp(&processor);
    __builtin_ia32_lfence();
    return t;
}
constexpr bool can_flush = true;
void flush_line(const char* at) { __builtin_ia32_clflush(at); }
void wait_for_flushes() { __builtin_ia32_mfence(); }
#else
constexpr const char* clock_name = "clock_gettime";
std::uint64_t ticks_before()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1'000'000'000u * static_cast<std::uint64_t>(t.tv_sec) + static_cast<std::uint64_t>(t.tv_nsec);
}
std::uint64_t ticks_after() { return ticks_before(); }
#ifdef __aarch64__
constexpr bool can_flush = true;
void flush_line(const char* at) { asm volatile("dc civac, %0" ::"r"(at) : "memory"); }
void wait_for_flushes() { asm volatile("dsb ish" ::: "memory"); }
#else
constexpr bool can_flush = false;
void flush_line(const char*) {}
void wait_for_flushes() {}
#endif
#endif

struct memory_range {
    const void* first;
    std::size_t bytes;
};

void flush(const memory_range& r)
{
    const char* const first = static_cast<const char*>(r.first);
    for (std::size_t i = 0; i < r.bytes; i += flushes_every) flush_line(first + i);
    if (r.bytes > 0) flush_line(first + r.bytes - 1);
}

void flush_code() { flush({&__executable_start, static_cast<std::size_t>(&etext - &__executable_start)}); }

/// A call as the loops below make it, its sizes gone from the type.
struct callable {
    void (*function)(void* state, const float* q, const float* k, const float* v);
    void* state;
};

[[gnu::noinline]] void no_call(void*, const float*, const float*, const float*) { asm volatile(""); }

/// Nanoseconds a tick, and what measuring itself takes.
struct tick_clock {
    tick_clock()
    {
        const double from = monotonic_ns();
        const std::uint64_t first = ticks_before();
        while (monotonic_ns() - from < 2e7) {
        }
        const std::uint64_t last = ticks_after();
        ns_per_tick = (monotonic_ns() - from) / static_cast<double>(last - first);
        std::vector<std::uint64_t> empty(10001);
        for (std::uint64_t& t : empty) t = ticks_of({no_call, nullptr}, nullptr, nullptr, nullptr);
        std::nth_element(empty.begin(), empty.begin() + 5000, empty.end());
        overhead = empty[5000];
    }

    [[nodiscard, gnu::noinline]] static std::uint64_t ticks_of(callable c, const float* q, const float* k, const float* v)
    {
        const std::uint64_t start = ticks_before();
        c.function(c.state, q, k, v);
        return ticks_after() - start;
    }
    [[nodiscard]] double ns(std::uint64_t ticks) const
    {
        return ticks < overhead ? 0 : ns_per_tick * static_cast<double>(ticks - overhead);
    }

    double ns_per_tick;
    std::uint64_t overhead;
};

const tick_clock& the_clock()
{
    static const tick_clock one;
    return one;
}

/// A shape with its layer: what is measured.
struct subject {
    problem data;
    std::shared_ptr<void> state;
    callable call;
    const float* result;
    memory_range memory;  ///< layer, scratch and output

    void check(const problem& p) const
    {
        constexpr double tolerance = 2e-5;
        const double error = relative_error(p.reference, result);
        if (!(error < tolerance))
            throw std::runtime_error(std::string(p.shape.name) + " is wrong: relative error " + std::to_string(error));
    }
};

constexpr std::string_view names[] = {"S1", "S2", "S3", "P1"};

constexpr const shape& shape_called(std::string_view name)
{
    return *std::find_if(shapes.begin(), shapes.end(), [=](const shape& s) { return s.name == name; });
}

template <std::size_t I>
subject make_subject(problem p)
{
    constexpr const shape& s = shape_called(names[I]);
    using state_type = layer_state<dims_of(s), s.n, s.m>;
    const auto state = std::make_shared<state_type>(p);
    const auto call = [](void* at, const float* q, const float* k, const float* v) {
        static_cast<state_type*>(at)->call(q, k, v);
    };
    return {std::move(p), state, {call, state.get()}, state->y.data(), {state.get(), sizeof(state_type)}};
}

subject subject_of(std::size_t index, problem p)
{
    static constexpr std::array make = {make_subject<0>, make_subject<1>, make_subject<2>, make_subject<3>};
    return make[index](std::move(p));
}

// ---- latencies

struct latency_row {
    std::string_view shape, what;
    std::size_t calls;
    double median_ns, most_of_999_ns, most_ns;  ///< 99.9th percentile, maximum
    std::size_t dropped;                        ///< calls beside which the system took the processor away
};

long preemptions_so_far()
{
    rusage r{};
    getrusage(RUSAGE_SELF, &r);
    return r.ru_nivcsw;
}

struct samples {
    std::vector<double> ns;
    std::size_t dropped = 0;
};

/// So many times of one(), in blocks, each after prepare(); a block in which the system took the processor away is dropped, as
/// long as no more than three in four are.
template <class Prepare, class One>
samples sample(std::size_t calls, std::size_t block, const Prepare& prepare, const One& one)
{
    samples result;
    result.ns.reserve(calls + block);
    for (std::size_t made = 0; result.ns.size() < calls; made += block) {
        prepare();
        const std::size_t before = result.ns.size();
        const long preemptions = preemptions_so_far();
        for (std::size_t i = 0; i < block; ++i) result.ns.push_back(one());
        if (preemptions_so_far() == preemptions || made > 4 * calls) continue;
        result.ns.resize(before);
        result.dropped += block;
    }
    return result;
}

latency_row summary(std::string_view shape, std::string_view what, samples& all)
{
    std::vector<double>& ns = all.ns;
    std::sort(ns.begin(), ns.end());
    const auto rank = static_cast<std::size_t>(std::ceil(0.999 * static_cast<double>(ns.size())));
    return {shape, what, ns.size(), ns[ns.size() / 2], ns[rank - 1], ns.back(), all.dropped};
}

constexpr std::size_t warm_block = 50, cold_block = 1;

template <class Prepare>
latency_row measure(std::string_view what, const subject& s, std::size_t calls, std::size_t block, const Prepare& prepare)
{
    const problem& p = s.data;
    for (int i = 0; i < 100; ++i) s.call.function(s.call.state, p.x_q.data(), p.x_k.data(), p.x_v.data());
    s.check(p);
    samples all = sample(calls, block, prepare, [&] {
        return the_clock().ns(tick_clock::ticks_of(s.call, p.x_q.data(), p.x_k.data(), p.x_v.data()));
    });
    s.check(p);
    return summary(p.shape.name, what, all);
}

latency_row warm(const subject& s, std::size_t calls)
{
    return measure("warm", s, calls, warm_block, [] {});
}

/// Everything that a call needs comes from the main memory: data and code.
latency_row flushed(const subject& s, std::size_t calls)
{
    const problem& p = s.data;
    const auto range = [](const floats& x) { return memory_range{x.data(), x.size() * sizeof(float)}; };
    return measure("flushed", s, calls, cold_block, [&] {
        for (const memory_range& r : {s.memory, range(p.x_q), range(p.x_k), range(p.x_v)}) flush(r);
        flush_code();
        wait_for_flushes();
    });
}

/// What other work leaves of the caches.
latency_row walked(const subject& s, std::size_t calls)
{
    std::vector<std::uint64_t> buffer((std::size_t{64} << 20) / sizeof(std::uint64_t));
    return measure("walked", s, calls, cold_block, [&] {
        for (std::size_t i = 0; i < buffer.size(); i += flushes_every / sizeof(std::uint64_t)) ++buffer[i];
        asm volatile("" ::: "memory");
    });
}

/// The first call in a process: its time is what this program prints with --first.
void print_first_call(std::size_t index)
{
    static_cast<void>(the_clock());
    const subject s = subject_of(index, make_problem(shape_called(names[index])));
    const std::uint64_t ticks = tick_clock::ticks_of(s.call, s.data.x_q.data(), s.data.x_k.data(), s.data.x_v.data());
    s.check(s.data);
    std::printf("%.1f\n", the_clock().ns(ticks));
}

latency_row first_calls(std::size_t index, std::size_t processes)
{
    const std::string command =
        "exec '" + std::filesystem::read_symlink("/proc/self/exe").string() + "' --first " + std::string(names[index]);
    samples all{std::vector<double>(processes)};
    for (double& one : all.ns) {
        std::FILE* const output = popen(command.c_str(), "r");
        if (output == nullptr || std::fscanf(output, "%lf", &one) != 1) one = -1;
        if ((output != nullptr && pclose(output) != 0) || one < 0) throw std::runtime_error(command + ": failed");
    }
    return summary(names[index], "first", all);
}

/// Work on registers alone: what the machine itself adds to a call.
latency_row machine_alone(std::size_t calls)
{
    const auto call = [](void*, const float*, const float*, const float*) { run_at_the_limit(1); };
    const auto nothing = [] {};
    samples all = sample(calls, warm_block, nothing,
                         [&] { return the_clock().ns(tick_clock::ticks_of({call, nullptr}, nullptr, nullptr, nullptr)); });
    return summary("-", "registers", all);
}

void print(const latency_row& r)
{
    std::printf("%-6s %-10s %9zu %12.0f %12.0f %12.0f %9zu\n", std::string(r.shape).c_str(), std::string(r.what).c_str(),
                r.calls, r.median_ns, r.most_of_999_ns, r.most_ns, r.dropped);
    std::fflush(stdout);
}

std::vector<latency_row> measure_latencies(std::size_t calls)
{
    std::printf("Clock: %s, its own %.1f ns subtracted.\n", clock_name,
                the_clock().ns_per_tick * static_cast<double>(the_clock().overhead));
    std::printf("%-6s %-10s %9s %12s %12s %12s %9s\n", "shape", "caches", "calls", "median ns", "99.9 % ns", "maximum ns",
                "dropped");
    std::vector<latency_row> rows;
    const auto add = [&](const latency_row& r) {
        rows.push_back(r);
        print(r);
    };
    for (std::size_t i = 0; i < std::size(names); ++i) {
        add(first_calls(i, std::max<std::size_t>(10, calls / 10000)));
        const subject s = subject_of(i, make_problem(shape_called(names[i])));
        if (can_flush) add(flushed(s, std::max<std::size_t>(100, calls / 500)));
        add(walked(s, std::max<std::size_t>(20, calls / 5000)));
        add(warm(s, calls));
    }
    add(machine_alone(calls));
    std::printf(
        "first: a process each. flushed: layer, inputs, scratch, output and code out of all caches. walked: 64 MiB of other\n"
        "memory written before. registers: no memory at all, so what is above its median is the machine's doing.\n");
    return rows;
}

// ---- data

struct data_row {
    std::string_view shape, inputs;
    timing time;
    bool counts;
};

struct scenario {
    std::string_view name;
    problem data;
    bool counts = true;  ///< towards the ratio; the result is checked
};

/// All heads get the query and key weights of the first, and all queries are one token, so that the score of a key can be
/// chosen: that of x_k = t `direction` is t for every query and head.
problem with_chosen_scores(problem p, const std::vector<double>& score_of_key)
{
    const shape& s = p.shape;
    const std::size_t head = s.d_k * s.d_model;
    std::vector<double> direction(s.d_model);
    for (std::size_t r = 0; r < s.d_k; ++r) {
        double q = 0;
        for (std::size_t c = 0; c < s.d_model; ++c)
            q += static_cast<double>(p.w_q[r * s.d_model + c]) * static_cast<double>(p.x_q[c]);
        for (std::size_t c = 0; c < s.d_model; ++c) direction[c] += q * static_cast<double>(p.w_k[r * s.d_model + c]);
    }
    double square = 0;
    for (double e : direction) square += e * e;
    for (std::size_t i = head; i < p.w_q.size(); ++i) p.w_q[i] = p.w_q[i - head], p.w_k[i] = p.w_k[i - head];
    for (std::size_t i = s.d_model; i < p.x_q.size(); ++i) p.x_q[i] = p.x_q[i - s.d_model];
    const double unit = std::sqrt(static_cast<double>(s.d_k)) / square;
    for (std::size_t j = 0; j < s.m; ++j)
        for (std::size_t c = 0; c < s.d_model; ++c)
            p.x_k[j * s.d_model + c] = static_cast<float>(score_of_key[j] * unit * direction[c]);
    compute_reference(p);
    return p;
}

/// Each key's score below that of the last, between `from` and `to`.
std::vector<double> scores_before_a_zero(std::size_t m, double from, double to)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> score(from, to);
    std::vector<double> all(m);
    for (double& e : all) e = score(random);
    all.back() = 0;
    return all;
}

problem scaled(problem p, floats problem::* which, float factor)
{
    for (float& e : p.*which) e *= factor;
    return p;
}

std::vector<scenario> scenarios_of(const shape& s)
{
    const problem random = make_problem(s);
    problem huge = scaled(scaled(random, &problem::x_q, 1e8f), &problem::x_k, 1e7f);
    compute_reference(huge);
    std::vector<scenario> all;
    all.push_back({"random", random});
    all.push_back({"equal scores", with_chosen_scores(random, std::vector<double>(s.m, 1.0))});
    // Weights near the least normal number: a running sum of them times values may be denormal until the last key comes.
    all.push_back({"exp just not flushed", with_chosen_scores(random, scores_before_a_zero(s.m, -87.2, -85))});
    all.push_back({"exp around the flush", with_chosen_scores(random, scores_before_a_zero(s.m, -105, -84))});
    all.push_back({"exp flushed", with_chosen_scores(random, scores_before_a_zero(s.m, -300, -110))});
    all.push_back({"scores of 1e15", huge});
    all.push_back({"denormal values", scaled(random, &problem::x_v, 1e-39f), false});
    return all;
}

double ratio_of(const std::vector<data_row>& rows)
{
    double least = HUGE_VAL, most = 0;
    for (const data_row& r : rows)
        if (r.counts) least = std::min(least, r.time.median_us), most = std::max(most, r.time.median_us);
    return most / least;
}

std::vector<data_row> measure_data(std::size_t index, const schedule& when)
{
    const shape& s = shape_called(names[index]);
    const std::vector<scenario> all = scenarios_of(s);
    std::vector<subject> subjects;
    peers list;
    for (const scenario& one : all) {
        subjects.push_back(subject_of(index, one.data));
        const subject& made = subjects.back();
        const auto call = [c = made.call, x = &one.data] { c.function(c.state, x->x_q.data(), x->x_k.data(), x->x_v.data()); };
        call();
        if (one.counts) made.check(one.data);
        list.push_back({std::string(one.name), repeated(call), made.result});
    }
    const std::vector<timing> times = time_in_turns(list, when);
    std::vector<data_row> rows;
    for (std::size_t i = 0; i < all.size(); ++i) rows.push_back({s.name, all[i].name, times[i], all[i].counts});
    return rows;
}

/// The rows of all shapes, and the largest ratio.
std::pair<std::vector<data_row>, double> measure_data_dependence(const schedule& when)
{
    std::printf("\n%-6s %-22s %10s\n", "shape", "inputs", "median ns");
    std::vector<data_row> rows;
    double worst = 0;
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const std::vector<data_row> of_shape = measure_data(i, when);
        for (const data_row& r : of_shape)
            std::printf("%-6s %-22s %10.1f%s%s\n", std::string(r.shape).c_str(), std::string(r.inputs).c_str(),
                        1e3 * r.time.median_us, r.time.disturbed ? "~" : "",
                        r.counts ? "" : "  (not counted: what the processor does with denormal numbers)");
        std::printf("%-6s slowest over fastest   %10.3f\n", std::string(names[i]).c_str(), ratio_of(of_shape));
        worst = std::max(worst, ratio_of(of_shape));
        rows.insert(rows.end(), of_shape.begin(), of_shape.end());
    }
    return {rows, worst};
}

void write_csv(const std::string& path, const std::vector<latency_row>& latencies, const std::vector<data_row>& data)
{
    std::ofstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be written");
    file << "shape,what,calls,median_ns,percentile_99_9_ns,maximum_ns\n";
    for (const latency_row& r : latencies)
        file << r.shape << ',' << r.what << ',' << r.calls << ',' << r.median_ns << ',' << r.most_of_999_ns << ',' << r.most_ns
             << '\n';
    for (const data_row& r : data) file << r.shape << ',' << r.inputs << ",," << 1e3 * r.time.median_us << ",,\n";
}

struct arguments {
    std::size_t calls = 1'000'000, rounds = 60;
    bool quick = false;
    std::string first, csv = "latency.csv";
};

/// False if the inputs change the time.
bool run(const arguments& a)
{
    constexpr double allowed = 1.2;
    const std::vector<latency_row> latencies = measure_latencies(a.quick ? 10'000 : a.calls);
    const auto [data, worst] = measure_data_dependence(a.quick ? schedule{15, 2e-4} : schedule{a.rounds, 1e-3});
    write_csv(a.csv, latencies, data);
    std::printf("\nThe inputs change the time by a factor of %.3f at most; %.1f is allowed.\n", worst, allowed);
    return worst <= allowed;
}

}  // namespace

int main(int argc, char** argv)
try {
    CLI::App app("headstrong call by call, one thread");
    arguments a;
    app.add_option("--calls", a.calls, "calls in warm caches; those in cold ones are fewer in proportion")
        ->check(CLI::Range(1000, 100'000'000))
        ->capture_default_str();
    app.add_option("--rounds", a.rounds, "rounds, in each of which every kind of input runs for 1 ms")
        ->check(CLI::Range(7, 100'000))
        ->capture_default_str();
    app.add_flag("--quick", a.quick, "a smoke test: 10,000 calls and 15 rounds of 0.2 ms");
    app.add_option("--first", a.first, "make one call of this shape, print its nanoseconds and end")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(names), std::end(names))));
    app.add_option("--csv", a.csv, "file of all measurements")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    if (!a.first.empty()) {
        print_first_call(static_cast<std::size_t>(std::find(std::begin(names), std::end(names), a.first) - std::begin(names)));
        return 0;
    }
    return run(a) ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench_latency: %s\n", e.what());
    return 1;
}
