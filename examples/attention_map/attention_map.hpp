// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_ATTENTION_MAP_HPP
#define HEADSTRONG_EXAMPLES_ATTENTION_MAP_HPP
/// @file
/// Attention weights as an SVG picture. Knows nothing of the library: weights of any origin will do.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace attention_map {

/// Weights of one head: those of a query are neighbours, row after row.
struct map {
    std::string title;
    std::size_t queries, keys;
    std::vector<float> weights;
    std::string row_axis = "query", column_axis = "key";
};

/// Draws maps beside each other: a row per query, a column per key, darker where the weight is larger; axes, a scale from 0 to
/// the largest weight of all, and for each cell a title with its numbers. Throws std::invalid_argument where there is no cell,
/// a map has not queries * keys weights, or a weight is negative or not finite.
void write_svg(std::ostream& to, const std::vector<map>& maps);

/// The maps of a text: the weights of a query on a line, separated by blanks or commas; a line `# title` begins a map. Throws
/// std::runtime_error with `name` and the line where a number is none or a row has not as many as the one before.
[[nodiscard]] std::vector<map> read(std::istream& from, const std::string& name);

}  // namespace attention_map

#endif
