// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_GATHERED_HPP
#define HEADSTRONG_IMPORT_GATHERED_HPP
/// @file
/// The tensors of one layer in a file, what is wrong with them, and their numbers into the matrices of its heads.

#include "headstrong/import/file.hpp"
#include "headstrong/import/values.hpp"
#include "headstrong/weights.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail {

/// The tensors `prefix` + names[i] of a file, looked for in one walk.
template <std::size_t N>
class gathered {
public:
    constexpr gathered(const file& f, std::string_view prefix, const std::array<std::string_view, N>& names) noexcept
        : prefix_(prefix), names_(names)
    {
        for (const tensor& t : f)
            for (std::size_t i = 0; i < N; ++i)
                if (t.name.equals(prefix, names[i])) {
                    tensors_[i] = t;
                    has_[i] = true;
                    break;
                }
    }

    [[nodiscard]] constexpr bool has(std::size_t i) const noexcept { return has_[i]; }
    [[nodiscard]] constexpr const tensor& operator[](std::size_t i) const noexcept { return tensors_[i]; }

    /// Tensor i is there, with numbers that T holds, in this shape.
    template <class T>
    constexpr gathered& require(std::size_t i, const shape& expected) noexcept
    {
        if (!problem_.ok()) return *this;
        problem_ = has_[i] ? expect<T>(tensors_[i], expected) : missing<T>(error_about(i, fault::missing_tensor), expected);
        return *this;
    }

    /// Tensor i is not there: reading the others alone would give a layer with other answers.
    constexpr gathered& refuse(std::size_t i, std::string_view why) noexcept
    {
        if (!problem_.ok() || !has_[i]) return *this;
        problem_ = error_about(i, fault::unexpected_tensor);
        problem_.found_dtype = tensors_[i].dtype;
        problem_.found_shape = tensors_[i].shape;
        problem_.wanted = why;
        return *this;
    }

    template <class T>
    constexpr gathered& require_if(bool needed, std::size_t i, const shape& expected) noexcept
    {
        return needed ? require<T>(i, expected) : refuse(i, "none, since dims::biases does not name it");
    }

    [[nodiscard]] constexpr const error& problem() const noexcept { return problem_; }

private:
    [[nodiscard]] constexpr error error_about(std::size_t i, fault what) const noexcept
    {
        error e;
        e.what = what;
        e.prefix = prefix_;
        e.asked = names_[i];
        return e;
    }

    std::string_view prefix_;
    std::array<std::string_view, N> names_;
    std::array<tensor, N> tensors_ = {};
    std::array<bool, N> has_ = {};
    error problem_;
};

/// w[h](r, j) = row first_row + h * Rows + r, column j of t.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t H>
constexpr void copy_heads(const tensor& t, std::size_t first_row, std::array<matrix<T, Rows, Cols>, H>& w) noexcept
{
    for (std::size_t h = 0; h < H; ++h) copy_rows(t, (first_row + h * Rows) * Cols, Cols, w[h]);
}
template <std::size_t H>
constexpr void copy_heads(const tensor&, std::size_t, std::array<no_bias, H>&) noexcept
{
}

/// w[h](r, j) = row r, column h * Cols + j of t.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t H>
constexpr void copy_beside(const tensor& t, std::array<matrix<T, Rows, Cols>, H>& w) noexcept
{
    for (std::size_t h = 0; h < H; ++h) copy_rows(t, h * Cols, H * Cols, w[h]);
}

template <class T, std::size_t Rows>
constexpr void copy_bias(const tensor& t, matrix<T, Rows, 1>& b) noexcept
{
    copy_rows(t, 0, 1, b);
}
constexpr void copy_bias(const tensor&, no_bias&) noexcept {}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail

#endif
