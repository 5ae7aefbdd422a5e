// SPDX-License-Identifier: BSL-1.0
// My tokens are Eigen matrices, by rows or by columns. How do I hand them over?
#include "sample.hpp"

#include <Eigen/Core>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;
constexpr int n = 6, d = 8;

int main()
{
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto tokens = sample::numbers<hs::matrix<float, d, n>>(2);
    const auto expected = attend(tokens, tokens, tokens);

    const Eigen::Map<const Eigen::Matrix<float, d, n>> x{tokens.data()};  // Eigen sees a matrix of ours: a token a column
    Eigen::Matrix<float, n, d, Eigen::RowMajor> by_rows = x.transpose(), output;
    const auto rows = hs::rows<n, d>(by_rows.data());  // and we see one of Eigen's: a token a row
    layer::workspace<n, n> scratch;
    attend(rows, rows, rows, hs::rows<n, d>(output.data()), scratch);
    const Eigen::Map<const Eigen::Matrix<float, d, n>> y{expected.data()};
    sample::claim(output == y.transpose(), "rows of Eigen in, rows of Eigen out, the same bits");

    const auto by_columns = hs::columns<d, n>(x.data());  // Eigen's own order
    sample::claim(attend(by_columns, by_columns, by_columns) == expected, "columns likewise");
}
