// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <vector>

#include "analysis/semantics.h"

namespace forewarp::analysis {

Semantics::Handler Semantics::handler_of(Opcode opcode) {
  struct Row {
    std::string_view mnemonic;
    Handler handler;
  };
  static constexpr Row rows[] = {
      {"MOV", &Semantics::move},
      {"MOV32I", &Semantics::move},
      {"UMOV", &Semantics::move},
      {"IADD", &Semantics::add},
      {"IADD32I", &Semantics::add},
      {"ISUB", &Semantics::add},
      {"IADD3", &Semantics::add3},
      {"UIADD3", &Semantics::add3},
      {"VIADD", &Semantics::add3},
      {"IMAD", &Semantics::multiply_add},
      {"UIMAD", &Semantics::multiply_add},
      {"IMUL", &Semantics::multiply},
      {"IMUL32I", &Semantics::multiply},
      {"XMAD", &Semantics::half_multiply},
      {"LEA", &Semantics::load_effective},
      {"ULEA", &Semantics::load_effective},
      {"ISCADD", &Semantics::scaled_add},
      {"ISCADD32I", &Semantics::scaled_add},
      {"SHL", &Semantics::shift_left},
      {"USHL", &Semantics::shift_left},
      {"SHR", &Semantics::shift_right},
      {"USHR", &Semantics::shift_right},
      {"SHF", &Semantics::funnel_shift},
      {"USHF", &Semantics::funnel_shift},
      {"BFE", &Semantics::bit_field},
      {"LOP", &Semantics::logic},
      {"LOP32I", &Semantics::logic},
      {"ULOP", &Semantics::logic},
      {"ULOP32I", &Semantics::logic},
      {"LOP3", &Semantics::logic3},
      {"ULOP3", &Semantics::logic3},
      {"SEL", &Semantics::select},
      {"USEL", &Semantics::select},
      {"IMNMX", &Semantics::minimum_maximum},
      {"VIMNMX", &Semantics::minimum_maximum},
      {"UIMNMX", &Semantics::minimum_maximum},
      {"IABS", &Semantics::absolute},
      {"ISETP", &Semantics::compare},
      {"UISETP", &Semantics::compare},
      {"ICMP", &Semantics::compare_select},
      {"PSETP", &Semantics::predicate_logic},
      {"UPSETP", &Semantics::predicate_logic},
      {"PLOP3", &Semantics::predicate_logic3},
      {"UPLOP3", &Semantics::predicate_logic3},
      {"S2R", &Semantics::special_register},
      {"CS2R", &Semantics::special_register},
      {"S2UR", &Semantics::special_register},
      {"R2UR", &Semantics::to_uniform},
      {"LDC", &Semantics::load_constant},
      {"ULDC", &Semantics::load_constant},
      {"LDCU", &Semantics::load_constant},
      {"PRMT", &Semantics::permute},
      {"UPRMT", &Semantics::permute},
      {"HFMA2", &Semantics::packed_halves},
  };
  static const std::vector<Handler> table = [] {
    std::vector<Handler> made(opcode_count(), nullptr);
    for (const Row& row : rows) {
      const Opcode known = find_opcode(row.mnemonic);
      if (known != unknown_opcode) made[known] = row.handler;
    }
    return made;
  }();
  return opcode < table.size() ? table[opcode] : nullptr;
}

}  // namespace forewarp::analysis
