// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/bank_layout.h"

#include <array>

namespace forewarp::execution {
namespace {

constexpr std::uint32_t none = BankLayout::none;

constexpr auto rows = std::to_array<BankLayout>({
    {0, 0x28, 0x34, 0x44, 0x140, 0x20, 0x24, 1, none, none, none, none, none, 0},
    {50, 0x8, 0x14, 0x20, 0x140, 0x0, 0x4, 1, 0x34, 0x38, none, 0xd0, none, 0},
    {70, 0x0, 0xc, 0x28, 0x160, 0x18, 0x20, 2, 0x8c, 0x90, none, 0x50, none, 0},
    {90, 0x0, 0xc, 0x28, 0x210, none, 0x20, 2, 0x44, 0x48, 0x198, 0xd0, 0x140, 0x400},
});

}  // namespace

const BankLayout& bank_layout(std::uint32_t sm) {
  const BankLayout* found = &rows[0];
  for (const BankLayout& row : rows) {
    if (row.first_sm <= sm) found = &row;
  }
  return *found;
}

}  // namespace forewarp::execution
