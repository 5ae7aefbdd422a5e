// SPDX-License-Identifier: BSL-1.0
// attention_map [weights] [--output map.svg]: a picture of attention weights, from a file or the standard input.
#include "attention_map.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

int main(int argc, char** argv)
try {
    std::string weights = "-", output = "attention_map.svg";
    CLI::App app{"Draws attention weights: the weights of a query on a line, a line `# title` before each head."};
    app.add_option("weights", weights, "text file of weights; - for the standard input")->capture_default_str();
    app.add_option("--output", output, "SVG file to write")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    std::ifstream file;
    if (weights != "-") {
        file.open(weights);
        if (!file) throw std::runtime_error(weights + ": cannot be read");
    }
    std::ostringstream svg;  // nothing is written of a bad file
    attention_map::write_svg(svg, attention_map::read(weights == "-" ? std::cin : file, weights));
    std::ofstream to(output);
    to << svg.str();
    if (!to.flush()) throw std::runtime_error(output + ": cannot be written");
    std::printf("%s\n", output.c_str());
} catch (const std::exception& e) {
    std::fprintf(stderr, "attention_map: %s\n", e.what());
    return 1;
}
