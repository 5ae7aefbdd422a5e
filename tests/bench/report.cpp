// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <stdexcept>

namespace bench {
namespace {

bool faster(const row& a, const row& b) { return a.time.median_us < b.time.median_us; }

const row* best_rival(const shape_result& r)
{
    return r.rows.size() > 1 ? &*std::min_element(r.rows.begin() + 1, r.rows.end(), faster) : nullptr;
}

const row* best_of(const shape_result& r, const std::string& library)
{
    const row* best = nullptr;
    for (const row& one : r.rows)
        if (one.library == library && (best == nullptr || faster(one, *best))) best = &one;
    return best;
}

std::vector<std::string> libraries_in(const std::vector<shape_result>& results)
{
    std::vector<std::string> all;
    for (const shape_result& r : results)
        for (const row& one : r.rows)
            if (std::find(all.begin(), all.end(), one.library) == all.end()) all.push_back(one.library);
    return all;
}

std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, x < 10 ? "%.3f" : x < 100 ? "%.2f" : "%.1f", x);
    return text;
}

std::string sizes_of(const shape& s)
{
    std::string text;
    for (std::size_t size : {s.d_model, s.heads, s.d_k, s.n, s.m}) {
        if (!text.empty()) text += ' ';
        text += std::to_string(size);
    }
    return text;
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
}

std::ofstream opened(const std::string& path)
{
    std::ofstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be written");
    return file;
}

std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

}  // namespace

void print_heading()
{
    std::printf("%-8s %-17s %10s %10s  %-22s %6s %8s %6s %6s %8s\n", "shape", "d_model H d_k n m", "ours us", "rival us",
                "best rival", "ratio", "GFLOP/s", "limit", "memory", "relerr");
}

void print(const shape_result& r)
{
    const row& own = r.rows.front();
    const row* rival = best_rival(r);
    const double rate = r.multiply_adds / own.time.median_us;
    std::printf("%-8s %-17s %9s%s ", std::string(r.shape.name).c_str(), sizes_of(r.shape).c_str(),
                number(own.time.median_us).c_str(), own.time.disturbed ? "~" : " ");
    if (rival != nullptr)
        std::printf("%9s%s  %-22s %6.2f ", number(rival->time.median_us).c_str(), rival->time.disturbed ? "~" : " ",
                    rival->peer.c_str(), own.time.median_us / rival->time.median_us);
    std::printf("%8.1f %5.0f%% %5.0f%% %8.1e\n", 2e-3 * rate, 100 * rate / r.multiply_adds_per_us_at_the_limit,
                100 * r.us_of_reading / own.time.median_us, own.relative_error);
    std::fflush(stdout);
}

void print_summary(const std::vector<shape_result>& results)
{
    const std::vector<std::string> libraries = libraries_in(results);
    std::printf(
        "\nlimit: the time of the multiply-adds alone, in registers; memory: that of reading weights, inputs, cache and "
        "output\n"
        "once; both as parts of our time. The larger one is the roofline.\n");
    std::printf("\nBest of each library, median us\n%-8s", "shape");
    for (const std::string& l : libraries) std::printf(" %10s", l.c_str());
    std::size_t ahead = 0, compared = 0;
    double log_of_ratios = 0;
    for (const shape_result& r : results) {
        std::printf("\n%-8s", std::string(r.shape.name).c_str());
        for (const std::string& l : libraries) {
            const row* best = best_of(r, l);
            std::printf(" %10s", best != nullptr ? number(best->time.median_us).c_str() : "-");
        }
        if (best_rival(r) == nullptr) continue;
        const double ratio = r.rows.front().time.median_us / best_rival(r)->time.median_us;
        log_of_ratios += std::log(ratio);
        ahead += ratio < 1;
        ++compared;
    }
    std::printf("\n");
    if (compared > 0)
        std::printf("\nFaster than the best rival on %zu of %zu shapes; geometric mean of the ratios %.2f.\n", ahead, compared,
                    std::exp(log_of_ratios / static_cast<double>(compared)));
    const auto disturbed = [](const shape_result& r) {
        return std::any_of(r.rows.begin(), r.rows.end(), [](const row& one) { return one.time.disturbed; });
    };
    if (std::any_of(results.begin(), results.end(), disturbed))
        std::printf("~ or elsewhere: other processes left too few slices undisturbed; do not quote this run.\n");
}

void write_csv(const std::string& path, const std::vector<shape_result>& results)
{
    std::ofstream file = opened(path);
    file << "shape,peer,median_us,min_us,relerr\n" << std::fixed;
    for (const shape_result& r : results)
        for (const row& one : r.rows)
            file << r.shape.name << ',' << one.peer << ',' << std::setprecision(4) << one.time.median_us << ','
                 << one.time.min_us << ',' << std::scientific << std::setprecision(2) << one.relative_error << std::fixed
                 << '\n';
}

void write_plot_data(const std::string& path, const std::vector<shape_result>& results,
                     const std::vector<std::string>& versions)
{
    std::ofstream file = opened(path);
    file << "caption = \"" << processor() << ", one thread, float32, warm caches; below a shape: d_model H d_k, n x m\\n"
         << joined(versions) << "\"\n$speed << EOD\nshape";
    const std::vector<std::string> libraries = libraries_in(results);
    for (const std::string& l : libraries) file << ' ' << l;
    for (const shape_result& r : results) {
        const row& one = best_rival(r) != nullptr ? *best_rival(r) : r.rows.front();
        const shape& s = r.shape;
        file << "\n\"" << s.name << "\\n"
             << s.d_model << ' ' << s.heads << ' ' << s.d_k << "\\n"
             << s.n << " x " << s.m << '"' << std::setprecision(4);
        for (const std::string& l : libraries) {
            const row* best = best_of(r, l);
            if (best == nullptr) file << " ?";
            else file << ' ' << one.time.median_us / best->time.median_us;
        }
    }
    file << "\nEOD\n";
}

}  // namespace bench
