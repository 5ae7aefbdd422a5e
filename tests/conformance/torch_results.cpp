// SPDX-License-Identifier: BSL-1.0
#include "torch_results.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace conformance {
namespace {

std::vector<double> doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }

/// Rows of results: for each batch the n queries, or for each batch and head the n queries.
struct rows {
    std::size_t batch, heads, n, width;

    template <class F>
    void for_each(F f) const
    {
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t h = 0; h < heads; ++h)
                for (std::size_t i = 0; i < n; ++i) f(b, h, i, ((b * heads + h) * n + i) * width);
    }
};

/// How many of the heads that make up a row of results are so: the one head, or all where they are averaged or mixed.
template <class Is>
std::size_t heads_that(const torch_masks& masks, const rows& r, std::size_t b, std::size_t h, std::size_t i, Is is)
{
    std::size_t count = 0;
    for (std::size_t head = 0; head < masks.sizes().heads; ++head)
        if ((r.heads == 1 || head == h) && (masks.*is)(b, head, i)) ++count;
    return count;
}

/// A tensor of results with what is right and what ours may not be compared with.
struct comparison {
    std::vector<double> ours, framework, expected;
    rows shape;
    std::string note = {};

    void add_note(const std::string& text) { note += (note.empty() ? "" : "; ") + text; }

    /// A mask that swallows the scores in float: what float gives is right.
    void take_swallowed_rows(const torch_masks& masks)
    {
        std::size_t count = 0;
        shape.for_each([&](std::size_t b, std::size_t h, std::size_t i, std::size_t at) {
            if (heads_that(masks, shape, b, h, i, &torch_masks::swallows_scores) == 0) return;
            std::copy_n(&framework[at], shape.width, &expected[at]);
            ++count;
        });
        if (count > 0) add_note(std::to_string(count) + " rows as float gives them");
    }

    /// Where a query sees no key PyTorch has NaN, and zero weights are right. The mean over heads of which only some see none
    /// cannot be told from the case: it is left out.
    void take_empty_rows(const torch_masks& masks)
    {
        std::size_t zero = 0, left_out = 0;
        shape.for_each([&](std::size_t b, std::size_t h, std::size_t i, std::size_t at) {
            if (!std::isnan(expected[at])) return;
            const std::size_t empty = heads_that(masks, shape, b, h, i, &torch_masks::sees_nothing);
            if (empty == 0) return;
            const bool all = shape.heads > 1 || empty == masks.sizes().heads;
            if (all) std::fill_n(&expected[at], shape.width, 0.0);
            else std::copy_n(&expected[at], shape.width, &ours[at]);
            ++(all ? zero : left_out);
        });
        if (zero > 0) add_note(std::to_string(zero) + " rows without a key are zero");
        if (left_out > 0) add_note(std::to_string(left_out) + " rows left out");
    }

    /// The framework's error is that against `known`, which has NaN where it has.
    [[nodiscard]] check result(const char* tensor, const std::vector<double>& known, const difficulty& d) const
    {
        check c = compare(tensor, ours, framework, expected, d);
        if (!std::isfinite(c.framework)) {
            c.framework = relative_error(framework, known);
            c.limit = error_limit(c.framework, expected, d);
            c.ordinary = false;
        }
        c.note = note;
        return c;
    }
};

check output_check(const case_file& file, const torch_masks& masks, const difficulty& d, const std::vector<float>& ours)
{
    const score_sizes& s = masks.sizes();
    const auto known = file.all("expected64_output", ours.size());
    comparison c{doubles(ours), file.all("output", ours.size()), known, {s.batch, 1, s.n, ours.size() / s.batch / s.n}};
    for (const char* better : {"expected64_output_zero_rows", "expected64_output_masked_values_skipped"})
        if (file.has(better)) {
            c.expected = file.all(better, ours.size());
            c.add_note("compared with " + std::string(better));
        }
    c.take_swallowed_rows(masks);
    check result = c.result("output", known, d);
    if (file.has("output_fused")) result.fused = relative_error(file.all("output_fused", ours.size()), known);
    return result;
}

check weights_check(const case_file& file, const torch_masks& masks, std::size_t keys, const difficulty& d,
                    const std::vector<float>& ours)
{
    const score_sizes& s = masks.sizes();
    const auto known = file.all("expected64_attn_weights", ours.size());
    comparison c{doubles(ours),
                 file.all("attn_weights", ours.size()),
                 known,
                 {s.batch, ours.size() / (s.batch * s.n * keys), s.n, keys}};
    c.take_empty_rows(masks);
    c.take_swallowed_rows(masks);
    return c.result("attn_weights", known, d);
}

}  // namespace

bool same(std::span<const float> a, std::span<const float> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) { return x == y || (x != x && y != y); });
}

std::vector<check> torch_checks(const case_file& file, const torch_masks& masks, std::size_t keys, std::size_t additions,
                                const torch_results& ours)
{
    const difficulty d{file.attribute("max_abs_score", 0), additions};
    std::vector<check> checks{output_check(file, masks, d, ours.output)};
    if (file.has("attn_weights")) checks.push_back(weights_check(file, masks, keys, d, ours.weights));
    return checks;
}

}  // namespace conformance
