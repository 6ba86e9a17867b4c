// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/unread_modifiers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "execution/lowering/kernel_lowering.h"
#include "execution/lowering/lowering.h"

namespace forewarp::execution {
namespace {

/// Modifiers of opcodes that change no value; names apart by spaces.
struct Harmless {
  std::string_view opcodes, words;
};
constexpr Harmless harmless[] = {
    // Width of the address, scope, order and caches of an access.
    {"LD LDG ST STG ATOM ATOMG RED REDG LDGSTS", "E STRONG CTA SM GPU SYS"},
    {"LDG STG", "CONSTANT CI P WT"},
    {"LD LDG ST STG LDL STL LDGSTS ATOMG RED", "EF EL LU EU NA LTC64B LTC128B LTC256B"},
    {"SULD SUST", "STRONG CTA SM GPU SYS"},
    {"SULD SUST", "1D 2D 3D"},  // read from the text, as layers are
    {"LDGSTS", "BYPASS"},
    {"LDS LDG", "U"},
    {"ATOMS", "SPIN"},
    // What is meant where nothing else is named.
    {"LDS BMOV ATOMS", "32"},
    {"ATOMS", "64"},  // an arrival's barrier
    {"RED REDG ATOM ATOMG", "RN"},
    {"ISETP UISETP FSETP DSETP HSETP2 ISET FSET DSET HSET2 PSETP PSET CSETP LOP LOP32I", "AND"},
    {"LOP LOP3", "NZ"},
    {"LOP3 ULOP3 PLOP3", "LUT"},
    {"SHF USHF", "R U32"},
    {"SHFL", "IDX"},
    {"VOTE VOTEU MATCH", "ALL"},
    {"F2F F2I F2IP I2F I2FP F2FP", "F32"},
    {"F2I I2F I2FP I2I I2IP", "S32"},
    {"F2FP", "F16 PACK_AB SATFINITE"},
    {"IMNMX", "XHI"},  // its flags are read from the operand that writes them
    {"IDP", "4A LO U8 U16"},
    {"IMUL IMUL32I IMAD", "U32"},  // the second of two
    {"XMAD", "U16"},
    {"HMMA", "F16"},
    {"LDSM STSM MOVM", "16"},
    {"LDSM STSM", "M88"},
    // Another pipe, or another name of the same operation.
    {"IMAD", "MOV SHL IADD"},
    {"HFMA2", "MMA"},
    {"F2I F2IP", "NTZ"},
    {"FCHK", "DIVIDE"},
    {"RRO", "EX2 SINCOS"},
    {"ATOMS", "INC"},  // of a count of lanes
    {"ICMP", "GT"},
    {"UBLKCP", "S G"},
    {"UTMAPF", "L2"},
    {"SYNCS", "RED TRANS64"},
    // Barriers and control.
    {"BAR", "SYNC DEFER_BLOCKING POPC"},
    {"BRA", "U"},
    {"BPT", "TRAP"},
    {"CALL", "REL ABS NOINC"},
    {"RET", "REL ABS NODEC"},
    {"NANOSLEEP", "WARP"},
    {"WARPSYNC", "ALL COLLECTIVE EXCLUSIVE"},
    {"WARPGROUP", "DEPBAR LE"},
    {"USETMAXREG", "CTAPOOL DEALLOC TRY_ALLOC"},
};

bool names(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool is_harmless(std::string_view opcode, std::string_view word) {
  return std::ranges::any_of(harmless, [&](const Harmless& row) {
    return names(row.opcodes, opcode) && names(row.words, word);
  });
}

/// Whether an operation leaves no values that are computed here.
bool leaves_none(const MicroOp& op) {
  switch (op.operation) {
    case Operation::none:
    case Operation::unsupported:
    case Operation::unknown_value:
    case Operation::texture:  // reads its modifiers when it runs
      return true;
    default:
      return false;
  }
}

/// Translates instructions of a copy of the kernel, as they are and with one word less.
class Translations {
 public:
  explicit Translations(const Kernel& kernel)
      : kernel_(kernel), lowering_(kernel_, program_, pool_) {
    program_.kernel = &kernel_;
    program_.control_stack = kernel.sm < 70;
  }

  /// False: it leaves no values.
  bool take(std::uint32_t index) {
    index_ = index;
    whole_ = translated();
    return !leaves_none(whole_);
  }
  [[nodiscard]] bool depends_on(OpcodeWord word) {
    const WithoutWord without(kernel_, index_, word);
    return !(translated() == whole_);
  }

 private:
  MicroOp translated() {
    lowering_.begin(index_);
    const LowerFunction function = lowering_of(lowering_.instruction().opcode);
    if (function == nullptr || !function(lowering_))
      lowering_.op.operation = Operation::unsupported;
    return lowering_.op;
  }

  Kernel kernel_;
  Program program_;
  std::map<std::uint64_t, std::uint32_t> pool_;
  Lowering lowering_;
  std::uint32_t index_ = 0;
  MicroOp whole_;
};

}  // namespace

std::vector<UnreadModifier> unread_modifiers(const Kernel& kernel) {
  std::vector<UnreadModifier> found;
  std::set<std::string_view> seen;  // opcodes with all their modifiers
  std::set<std::pair<Opcode, std::string>> told;
  Translations translations(kernel);
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const auto words = opcode_words(kernel, instruction);
    if (words.empty() || instruction.dead()) continue;
    if (!seen.insert(opcode_text(kernel, instruction)).second || !translations.take(i)) continue;
    const std::string_view name = opcode_info(instruction.opcode).mnemonic;
    for (const OpcodeWord at : words) {
      const std::string_view word = at.in(kernel);
      if (is_harmless(name, word) || (word == "S" && instruction.pops_convergence)) continue;
      if (translations.depends_on(at)) continue;
      if (told.emplace(instruction.opcode, word).second) found.push_back({i, std::string(word)});
    }
  }
  return found;
}

bool execution_depends_on(const Kernel& kernel, std::uint32_t instruction, OpcodeWord word) {
  Translations translations(kernel);
  return translations.take(instruction) && translations.depends_on(word);
}

std::string unread_text(const Kernel& kernel) {
  std::string text;
  for (const UnreadModifier& unread : unread_modifiers(kernel)) {
    text += (text.empty() ? "" : ", ") + ("." + unread.word) + " of " +
            instruction_text(kernel, unread.instruction);
  }
  if (text.empty()) return text;
  return "it is not known what " + text + " does to values: executed as if it did nothing";
}

}  // namespace forewarp::execution
