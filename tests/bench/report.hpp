// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_REPORT_HPP
#define HEADSTRONG_BENCH_REPORT_HPP
/// @file
/// What is printed and written of the measurements.

#include "shapes.hpp"
#include "timing.hpp"

#include <string>
#include <vector>

namespace bench {

/// A peer on a shape.
struct row {
    std::string library, peer;
    timing time;
    double relative_error;
};

struct shape_result {
    bench::shape shape;
    std::vector<row> rows;  ///< this library's first
    double multiply_adds;   ///< of this library's call as it is made
    double multiply_adds_per_us_at_the_limit;
    double us_of_reading;  ///< shape::bytes(), and nothing else
};

void print_heading();
void print(const shape_result& r);
void print_summary(const std::vector<shape_result>& results);

/// shape,peer,median_us,min_us,relerr
void write_csv(const std::string& path, const std::vector<shape_result>& results);

/// Variables for plot.gnuplot: the caption, and for each shape and library the speed, that of the best rival being 1.
/// `versions` are the libraries with their versions.
void write_plot_data(const std::string& path, const std::vector<shape_result>& results,
                     const std::vector<std::string>& versions);

}  // namespace bench

#endif
