// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/vector_edit.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "binding/code_edit.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::explain {
namespace {

/// Accesses that become one.
struct Group {
  std::vector<std::uint32_t> instructions;  ///< by address
  std::uint32_t bytes = 0;                  ///< of each
  std::uint32_t kept = 0;  ///< the first of loads, the last of stores: all data are there
};

/// What accesses of one thread beside each other have in common.
struct Place {
  BlockId block = no_block;
  Opcode opcode = unknown_opcode;
  std::array<Modifier, 8> modifiers{};
  std::uint16_t base = no_register, uniform_base = no_register;
  std::uint64_t written = 0;  ///< how often its base had been written
  auto operator<=>(const Place&) const = default;
};

struct Member {
  std::int64_t offset = 0;
  std::uint32_t instruction = 0;
};

const Operand* memory_operand(const Kernel& kernel, const Instruction& instruction) {
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::memory) return &operand;
  }
  return nullptr;
}

bool may_join(const Instruction& instruction, const SeenAccess& access) {
  const bool global = access.space == MemorySpace::global || access.space == MemorySpace::shared;
  const bool moves = access.kind == AccessKind::load || access.kind == AccessKind::store;
  const bool words = access.bytes == 4 || access.bytes == 8;
  if (instruction.modifier_count == instruction.modifiers.size()) return false;
  return global && moves && words && !instruction.guarded() && access_bytes(instruction) > 0;
}

std::map<Place, std::vector<Member>> places_of(const SeenLaunch& seen) {
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  const ControlFlow& flow = seen.evaluation.launch->code.analysis->flow();
  std::map<Place, std::vector<Member>> places;
  std::map<std::uint32_t, std::uint64_t> written;  // by register: how often so far
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const auto access = seen.accesses.find(i);
    const Operand* operand = memory_operand(kernel, instruction);
    if (access != seen.accesses.end() && operand != nullptr &&
        may_join(instruction, access->second) && seen.executions(i) > 0) {
      Place place{flow.block_of(i), instruction.opcode,    instruction.modifiers,
                  operand->base,    operand->uniform_base, written[operand->base]};
      places[place].push_back({operand->value, i});
    }
    for (const RegisterRange& range : roles_of(kernel, instruction).written()) {
      if (range.file != RegisterFile::general) continue;
      for (std::uint32_t r = 0; r < range.count; ++r) ++written[range.first + r];
    }
  }
  return places;
}

std::optional<Group> group_at(const SeenLaunch& seen, const std::vector<Member>& members,
                              std::size_t at) {
  const SeenAccess& first = seen.accesses.at(members[at].instruction);
  for (const std::uint32_t vector : {16U, 8U}) {
    const std::size_t count = vector / first.bytes;
    if (count < 2 || at + count > members.size() || !first.aligned(vector)) continue;
    Group group;
    group.bytes = first.bytes;
    bool beside = true;
    for (std::size_t k = 0; k < count; ++k) {
      const auto apart = static_cast<std::int64_t>(k) * first.bytes;
      beside = beside && members[at + k].offset == members[at].offset + apart;
      group.instructions.push_back(members[at + k].instruction);
    }
    if (!beside) continue;
    const auto [earliest, latest] = std::ranges::minmax(group.instructions);
    group.kept = first.kind == AccessKind::load ? earliest : latest;
    return group;
  }
  return {};
}

std::vector<Group> groups_of(const SeenLaunch& seen) {
  std::vector<Group> groups;
  for (auto& [place, members] : places_of(seen)) {
    std::vector<Member> sorted = members;
    std::ranges::stable_sort(sorted, {}, &Member::offset);
    for (std::size_t at = 0; at < sorted.size();) {
      auto group = group_at(seen, sorted, at);
      at += group ? group->instructions.size() : 1;
      if (group) groups.push_back(*std::move(group));
    }
  }
  return groups;
}

LaunchEdit edit_of(const SeenLaunch& seen, const std::vector<Group>& groups) {
  CodeEdit code(*seen.evaluation.launch->code.analysis, *seen.evaluation.launch->gpu);
  LaunchEdit edit;
  edit.changed.resize(code.kernel().instructions.size());
  std::map<std::uint32_t, std::pair<std::uint8_t, std::int64_t>> wider;  // bytes, way to the first
  for (const Group& group : groups) {
    Instruction& kept = code.kernel().instructions[group.kept];
    const auto bytes = static_cast<std::uint8_t>(group.bytes * group.instructions.size());
    for (Modifier& m : kept.modifiers) {
      if (m == modifier::n64) m = modifier::n128;
    }
    if (access_bytes(kept) != bytes) {
      kept.modifiers[kept.modifier_count++] = bytes == 16 ? modifier::n128 : modifier::n64;
    }
    const auto offset = [&](std::uint32_t i) {
      return memory_operand(code.kernel(), code.kernel().instructions[i])->value;
    };
    wider[group.kept] = {bytes, offset(group.instructions.front()) - offset(group.kept)};
    edit.changed[group.kept] = true;
    for (const std::uint32_t i : group.instructions) {
      if (i == group.kept) continue;
      code.wait_for(group.kept, i);
      code.drop(i);
    }
  }
  edit.code = code.take();
  edit.dropped = code.dropped();
  edit.change = [wider](AccessShape& shape, std::span<std::uint64_t> addresses) {
    const auto& [bytes, way] = wider.at(shape.instruction);
    shape.bytes = bytes;
    for (std::uint64_t& address : addresses) address += static_cast<std::uint64_t>(way);
  };
  return edit;
}

}  // namespace

std::vector<EditProposal> VectorEdit::proposals(const SeenLaunch& seen) const {
  if (seen.accesses.empty()) return {};
  const std::vector<Group> groups = groups_of(seen);
  if (groups.empty()) return {};
  std::size_t before = 0;
  const Group* heaviest = &groups.front();
  for (const Group& group : groups) {
    before += group.instructions.size();
    if (seen.executions(group.kept) > seen.executions(heaviest->kept)) heaviest = &group;
  }
  EditProposal proposal;
  const std::size_t bytes = heaviest->bytes * heaviest->instructions.size();
  proposal.edit = "move " + std::to_string(bytes) + " bytes at once (" +
                  (bytes == 16 ? "float4" : "float2") + ", int" + (bytes == 16 ? "4" : "2") +
                  ") instead of " + std::to_string(heaviest->bytes);
  proposal.instruction = heaviest->kept;
  proposal.reason = std::to_string(before) + " accesses of " + std::to_string(heaviest->bytes) +
                    " bytes that follow each other in a thread's memory would be " +
                    std::to_string(groups.size());
  proposal.condition = "nothing else writes there in between, and the data stay aligned to " +
                       std::to_string(bytes) + " bytes, as they were when executed";
  proposal.change = edit_of(seen, groups);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
