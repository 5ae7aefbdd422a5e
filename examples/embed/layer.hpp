// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EMBED_LAYER_HPP
#define HEADSTRONG_EMBED_LAYER_HPP
/// @file
/// A layer whose sizes are known at run time only.

#include "headstrong/dims.hpp"
#include "headstrong/import/safetensors.hpp"
#include "headstrong/kernel/pack.hpp"

#include "request.hpp"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace embed {

/// A matrix, row by row.
template <class T>
struct rows {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<T> numbers;
};

/// Heads below each other in all but w_o, whose heads stand beside each other. Absent biases have no rows.
template <class T>
struct layer {
    headstrong::dims sizes;
    rows<T> w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o;
};

using any_layer = std::variant<layer<float>, layer<double>>;

/// Reads a layer; sizes that the item does not give follow from the tensors. Throws a failure that names `file_name`.
any_layer read_layer(const headstrong::safetensors::file& file, const std::string& file_name, const item& i);

/// The values of headstrong::packed_weights: the matrices behind each other, each in panels. A bias is one column.
template <class T>
std::vector<T> pack(const layer<T>& l)
{
    std::vector<T> values;
    for (const rows<T>* m : {&l.w_q, &l.w_k, &l.w_v, &l.w_o, &l.b_q, &l.b_k, &l.b_v, &l.b_o}) {
        const std::size_t first = values.size();
        values.resize(first + headstrong::detail::padded<T>(m->rows) * m->columns);
        for (std::size_t r = 0; r < m->rows; ++r)
            for (std::size_t j = 0; j < m->columns; ++j)
                values[first + headstrong::detail::panel_index<T>(r, j, m->columns)] = m->numbers[r * m->columns + j];
    }
    return values;
}

}  // namespace embed

#endif
