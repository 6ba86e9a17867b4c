// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/synthetic_kernel.h"

#include <string>
#include <string_view>

#include "program/opcode.h"

namespace forewarp::synthetic {
namespace {

constexpr std::uint16_t first_chain = 2;
constexpr std::uint16_t addend = 1;  // holds zero
constexpr std::uint32_t word_bytes = 4;
constexpr std::int64_t far_apart = 1 << 20;  // bytes: never the same line

std::string register_text(std::uint16_t number) {
  return "R" + std::to_string(number);
}

/// Writes instructions with their text, as in a listing.
class GroupWriter {
 public:
  explicit GroupWriter(Kernel& kernel) : kernel_(kernel) {}

  void add(std::uint16_t chain) { write("FADD", chain, {general(chain), general(addend)}); }
  void load(std::string_view mnemonic, std::uint16_t chain) {
    Operand place;
    place.kind = OperandKind::memory;
    place.base = chain;
    write(mnemonic, chain, {place});
  }
  void special(std::uint16_t chain) { write("MUFU", chain, {general(chain)}); }

 private:
  static Operand general(std::uint16_t number) {
    Operand operand;
    operand.kind = OperandKind::register_;
    operand.index = number;
    return operand;
  }

  void push(Operand operand, const std::string& text) {
    operand.text_begin = static_cast<std::uint32_t>(kernel_.text.size());
    operand.text_size = static_cast<std::uint16_t>(text.size());
    kernel_.text += text;
    kernel_.operands.push_back(operand);
  }

  void write(std::string_view mnemonic, std::uint16_t destination,
             const std::vector<Operand>& sources) {
    constexpr std::uint32_t bytes = 8;
    Instruction instruction;
    instruction.address = bytes * static_cast<std::uint32_t>(kernel_.instructions.size());
    instruction.opcode = find_opcode(mnemonic);
    instruction.instruction_class = opcode_info(instruction.opcode).instruction_class;
    instruction.first_operand = static_cast<std::uint32_t>(kernel_.operands.size());
    instruction.text_begin = static_cast<std::uint32_t>(kernel_.text.size());
    instruction.mnemonic_size = static_cast<std::uint16_t>(mnemonic.size());
    kernel_.text += std::string(mnemonic) + " ";
    push(general(destination), register_text(destination));
    for (const Operand& source : sources) {
      kernel_.text += ", ";
      const bool place = source.kind == OperandKind::memory;
      push(source, place ? "[" + register_text(source.base) + "]" : register_text(source.index));
    }
    instruction.operand_count = static_cast<std::uint8_t>(1 + sources.size());
    instruction.text_size =
        static_cast<std::uint16_t>(kernel_.text.size() - instruction.text_begin);
    kernel_.instructions.push_back(instruction);
  }

  Kernel& kernel_;
};

void write_other(GroupWriter& group, MixedWith other, std::uint16_t chain) {
  if (other == MixedWith::memory) group.load("LDG", chain);
  if (other == MixedWith::shared) group.load("LDS", chain);
  if (other == MixedWith::sfu) group.special(chain);
}

/// What a warp's access touches: each word once, and nothing is cached.
AccessPattern pattern_of(const Workload& workload, const Gpu& gpu) {
  std::vector<std::int64_t> addresses;
  for (std::uint32_t lane = 0; lane < gpu.limits.warp_lanes; ++lane) {
    std::int64_t address = std::int64_t{lane} * word_bytes * workload.stride;
    if (workload.other == MixedWith::shared) {  // `ways` lanes per bank
      const auto row = static_cast<std::int64_t>(gpu.shared_banks) * word_bytes;
      address = lane / workload.ways * word_bytes + lane % workload.ways * row;
    } else if (workload.lanes == LaneAddresses::random) {
      address = lane * far_apart;
    }
    addresses.push_back(address);
  }
  return workload.other == MixedWith::shared ? shared_pattern(addresses, word_bytes, gpu)
                                             : global_pattern(addresses, word_bytes, gpu);
}

WarpPath round_path(std::size_t instructions, double groups) {
  WarpPath path;
  PathLoop loop;
  loop.trips = groups;
  path.loops.push_back(loop);
  PathStep run;
  run.last = static_cast<std::uint32_t>(instructions);
  PathStep round;
  round.loop = 0;
  round.body.push_back(run);
  path.steps.push_back(round);
  return path;
}

}  // namespace

SyntheticKernel synthetic_kernel(const Workload& workload, const Gpu& gpu, double groups) {
  SyntheticKernel made;
  made.kernel.name = workload_text(workload);
  made.kernel.sm = static_cast<std::uint32_t>(gpu.cc.sm());
  GroupWriter group(made.kernel);
  const auto each_chain = [&](auto&& write) {
    for (std::uint32_t k = 0; k < workload.ilp; ++k) {
      write(static_cast<std::uint16_t>(first_chain + k));
    }
  };
  for (std::uint32_t i = 0; i < workload.others(); ++i) {
    each_chain([&](std::uint16_t chain) { write_other(group, workload.other, chain); });
  }
  for (std::uint32_t i = 0; i < workload.additions(); ++i) {
    each_chain([&](std::uint16_t chain) { group.add(chain); });
  }
  const AccessPattern access = pattern_of(workload, gpu);
  made.patterns = AccessPatterns(made.kernel.instructions.size());
  for (std::size_t i = 0; i < std::size_t{workload.others()} * workload.ilp; ++i) {
    if (workload.other != MixedWith::sfu) made.patterns.at(i) = access;
  }
  made.path = round_path(made.kernel.instructions.size(), groups);
  made.additions = static_cast<double>(workload.ilp * workload.additions());
  made.others = static_cast<double>(workload.ilp * workload.others());
  return made;
}

}  // namespace forewarp::synthetic
