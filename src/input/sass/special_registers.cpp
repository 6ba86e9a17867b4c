// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/special_registers.h"

#include <array>

#include "input/scan.h"

namespace forewarp::input {
namespace {

struct Spelling {
  std::string_view name;
  SpecialRegister meaning;
};

constexpr auto spellings = std::to_array<Spelling>({
    {"TID.X", SpecialRegister::tid_x},
    {"TID.Y", SpecialRegister::tid_y},
    {"TID.Z", SpecialRegister::tid_z},
    {"CTAID.X", SpecialRegister::ctaid_x},
    {"CTAID.Y", SpecialRegister::ctaid_y},
    {"CTAID.Z", SpecialRegister::ctaid_z},
    {"LANEID", SpecialRegister::lane_id},
    {"VIRTID", SpecialRegister::virtual_id},
    {"VIRTUALSMID", SpecialRegister::virtual_sm_id},
    {"WARPID", SpecialRegister::warp_id},
    {"CLOCKLO", SpecialRegister::clock_lo},
    {"CLOCKHI", SpecialRegister::clock_hi},
    {"GLOBALTIMERLO", SpecialRegister::global_timer_lo},
    {"GLOBALTIMERHI", SpecialRegister::global_timer_hi},
    {"EQMASK", SpecialRegister::eq_mask},
    {"LTMASK", SpecialRegister::lt_mask},
    {"LEMASK", SpecialRegister::le_mask},
    {"GTMASK", SpecialRegister::gt_mask},
    {"GEMASK", SpecialRegister::ge_mask},
    {"SMEMSZ", SpecialRegister::shared_size},
    {"CGACTAID", SpecialRegister::cga_cta_id},
});

char canonical(char c) {
  if (c == '_') return '.';
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool same(std::string_view printed, std::string_view name) {
  if (printed.size() != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (canonical(printed[i]) != name[i]) return false;
  }
  return true;
}

}  // namespace

SpecialRegister special_register_by_name(std::string_view name) {
  if (name == "SRZ") return SpecialRegister::zero;
  if (!take(name, "SR_")) return SpecialRegister::other;
  for (const Spelling& spelling : spellings) {
    if (same(name, spelling.name)) return spelling.meaning;
  }
  return SpecialRegister::other;
}

}  // namespace forewarp::input
