// SPDX-License-Identifier: BSL-1.0
// The inputs of all cases, and the outputs of the small ones, computed when compiling. A translation unit of its own, which
// depends on the compiler alone, so that it is built once for each compiler and not once for each set of flags.
#if defined(HASH_FURTHER_CASES)
#include "further_cases.hpp"
#elif defined(HASH_SHAPE_CASES)
#include "shape_cases.hpp"
#else
#include "hash_cases.hpp"
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace tests {
namespace {

template <class Case>
constexpr typename Case::input_type constant_inputs = Case::inputs(seed_of_all_cases);
template <class Case>
constexpr auto constant_output = Case::template output<called>(constant_inputs<Case>);

template <class Case>
std::uint64_t hash_of_constant() noexcept
{
    hash h;
    h.add(constant_output<Case>.elements);
    return h.value;
}

template <std::size_t... I>
std::uint64_t hash_of_constant_number(std::size_t index, std::index_sequence<I...>) noexcept
{
    return std::array{hash_of_constant<std::tuple_element_t<I, small_cases>>...}[index]();
}

template <class Case>
const void* inputs_of_case()
{
    static const typename Case::input_type in = Case::inputs(opaque(seed_of_all_cases));
    return &in;
}

template <class Cases, std::size_t... I>
const void* inputs_of_number(std::size_t index, std::index_sequence<I...>)
{
    return std::array{inputs_of_case<std::tuple_element_t<I, Cases>>...}[index]();
}

}  // namespace

const void* inputs_of_small(std::size_t index)
{
    return inputs_of_number<small_cases>(index, std::make_index_sequence<std::tuple_size_v<small_cases>>{});
}

const void* inputs_of_large(std::size_t index)
{
    return inputs_of_number<large_cases>(index, std::make_index_sequence<std::tuple_size_v<large_cases>>{});
}

std::uint64_t hash_of_constants(std::size_t index) noexcept
{
    return hash_of_constant_number(index, std::make_index_sequence<std::tuple_size_v<small_cases>>{});
}

}  // namespace tests
