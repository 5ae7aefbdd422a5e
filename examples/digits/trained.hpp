// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_TRAINED_HPP
#define HEADSTRONG_EXAMPLES_TRAINED_HPP
/// @file
/// The trained reader, a constant: its weights come from a header that headstrong_embed makes of the model's file.

#include "digit_reader.hpp"

#include "digits_model.hpp"

namespace digits {

inline constexpr digit_reader trained{
    .embed = model::embed,
    .pos = model::pos,
    .att1 = digit_reader::block{model::att1},
    .att2 = digit_reader::block{model::att2},
    .cls = model::cls,
    .pool = digit_reader::block{model::pool},
    .read = model::read,
};

}  // namespace digits

#endif
