// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reads 360 handwritten digits, compares the answers with PyTorch's, and draws where the network looks.
#include "attention_map.hpp"
#include "draw.hpp"
#include "evaluate.hpp"
#include "test_set.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace digits;

struct arguments {
    std::string images = DIGITS_TEST_SET, picture = "digits.png", map = "digits_map.svg", colour = "auto";
    std::size_t image = 103;
    double seconds = 1;
};

void add_options(CLI::App& app, arguments& a)
{
    app.add_option("images", a.images, "safetensors file of the test images")->capture_default_str();
    app.add_option("--image", a.image, "the image to draw")
        ->check(CLI::Range(std::size_t{0}, test_set::size - 1))
        ->capture_default_str();
    app.add_option("--picture", a.picture, "PNG file to draw it in")->capture_default_str();
    app.add_option("--map", a.map, "SVG file of the same weights as numbers: a row per head, a column per patch")
        ->capture_default_str();
    app.add_option("--seconds", a.seconds, "how long to measure the time of a call")
        ->check(CLI::Range(0.0, 1000.0))
        ->capture_default_str();
    app.add_option("--colour", a.colour, "colours in the terminal")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
}

bool wants_colour(const std::string& choice)
{
    if (choice != "auto") return choice == "always";
    return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
}

void report(const agreement& a)
{
    std::printf("accuracy  %zu of %zu images that the network never saw (%.1f %%)\n", a.right, test_set::size,
                100.0 * static_cast<double>(a.right) / static_cast<double>(test_set::size));
    std::printf("logits    within %.1e of PyTorch's, relative to the largest; hash of their bits %016llx\n",
                static_cast<double>(a.largest_difference), static_cast<unsigned long long>(a.hash));
    std::printf("gaze      the weights drawn below lead to the same logits, within %.1e\n",
                static_cast<double>(a.largest_gaze_error));
}

void report(const latency& l)
{
    std::printf("latency   median %.2f us an image, 99.9th percentile %.2f us (%zu images, %zu times each, warm)\n",
                l.median_us, l.percentile_99_9_us, test_set::size, l.rounds);
}

void report(const char* name, std::size_t queries, const hs::costs& c)
{
    std::printf("%-10s%zu queries, 16 keys: %zu multiply-adds, %zu exp, %zu bytes of weights, %zu of scratch memory\n", name,
                queries, c.multiply_adds, c.exponentials, c.weight_bytes, c.workspace_bytes);
}

void draw_map(const reading& r, const std::string& path)
{
    attention_map::map weights{
        "image " + std::to_string(r.number) + ", read as " + std::to_string(r.answer), 4, 16, {}, "head", "patch"};
    for (const gaze& head : r.heads) weights.weights.insert(weights.weights.end(), head.elements, head.elements + 16);
    std::ofstream svg(path);
    attention_map::write_svg(svg, {weights});
    if (!svg.flush()) throw std::runtime_error(path + ": the map cannot be written");
}

}  // namespace

int main(int argc, char** argv)
try {
    arguments a;
    CLI::App app{"Reads handwritten digits with a network made of attention alone."};
    add_options(app, a);
    CLI11_PARSE(app, argc, argv);

    const auto set = read_test_set(a.images);
    const agreement found = compare(*set);
    report(found);
    report(measure(*set, a.seconds));
    report("att1 att2", 16, digit_reader::block::cost<16, 16>());
    report("pool", 10, digit_reader::block::cost<10, 16>());

    const reading drawn = read(*set, a.image);
    draw_png(drawn, a.picture);
    draw_map(drawn, a.map);
    std::printf("\n%s\ndrawn in %s and %s\n", draw_in_terminal(drawn, wants_colour(a.colour)).c_str(), a.picture.c_str(),
                a.map.c_str());
    if (found.good()) return 0;
    std::fprintf(stderr, "digits: expected 349 right, logits and gaze within 5e-06, hash 91c0bbc758e3b763\n");
    return 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 2;
}
