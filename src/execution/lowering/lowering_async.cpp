// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What runs beside the warps from sm_90 on: barriers that count bytes, bulk and tensor copies,
// products of warp groups.
#include <array>
#include <optional>
#include <span>

#include "execution/lowering/lowering.h"
#include "execution/state/matrix_form.h"
#include "program/matrix_shape.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

/// The registers of an operand such as [UR4]: a group that begins there.
bool register_group(Lowering& l, unsigned index) {
  const Operand* operand = l.take();
  if (operand == nullptr) return false;
  if (operand->kind == OperandKind::uniform_register) {
    l.op.source[index].cell = l.uniform_cell(operand->index);
    return true;
  }
  if (operand->kind != OperandKind::memory || operand->uniform_base == no_register ||
      operand->value != 0) {
    return false;
  }
  l.op.source[index].cell = l.uniform_cell(operand->uniform_base);
  return true;
}

bool says(const Lowering& l, std::string_view part) {
  return l.kernel().text_of(l.instruction()).find(part) != std::string_view::npos;
}

void begin_copy(Lowering& l, BulkWay way) {
  l.op.immediate = static_cast<std::uint32_t>(way);
  l.op.bytes = 16;
  l.set(flag::own_unknown);
}

/// UBLKCP.S.G [UR4], [UR10], UR8: to and barrier, from, size in pieces of 16 bytes.
bool bulk(Lowering& l) {
  l.op.operation = Operation::bulk_copy;
  begin_copy(l, says(l, ".S.S")   ? BulkWay::within_shared
                : says(l, ".G.S") ? BulkWay::to_global
                                  : BulkWay::to_shared);
  l.op.second = (l.mnemonic() == "UBLKRED" ? 1U : 0U) | (says(l, "MULTICAST") ? 16U : 0U);
  return register_group(l, 0) && register_group(l, 1) && register_group(l, 2);
}

bool bulk_prefetch(Lowering& l) {
  l.op.operation = Operation::bulk_copy;
  begin_copy(l, BulkWay::prefetch);
  return register_group(l, 1) && register_group(l, 2);
}

/// 0 where the number of dimensions is not stated.
std::uint32_t dimensions(const Lowering& l) {
  constexpr std::array<std::string_view, 5> names{".1D", ".2D", ".3D", ".4D", ".5D"};
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (says(l, names[i])) return i + 1;
  }
  return 0;
}

/// UTMALDG.2D [UR4], [UR10], or with a mask of blocks or offsets of pixels .., UR7.
bool tensor(Lowering& l, BulkWay way) {
  l.op.operation = Operation::tensor_copy;
  begin_copy(l, way);
  l.op.second = dimensions(l) | (l.mnemonic() == "UTMAREDG" ? 8U : 0U);
  const bool multicast = says(l, "MULTICAST"), columns = says(l, "IM2COL");
  l.op.second |= (multicast ? 16U : 0U) | (columns ? 32U : 0U);
  constexpr std::uint32_t least_of_columns = 3;  // channels, width, images
  if (dimensions(l) < (columns ? least_of_columns : 1)) return false;
  if (!register_group(l, 0) || !register_group(l, 1)) return false;
  const bool third = multicast || (columns && way != BulkWay::to_global);
  return !third || register_group(l, 2);
}
bool tensor_load(Lowering& l) {
  return tensor(l, BulkWay::to_shared);
}
bool tensor_store(Lowering& l) {
  return tensor(l, BulkWay::to_global);
}
bool tensor_prefetch(Lowering& l) {
  return tensor(l, BulkWay::prefetch);
}

/// ELECT P1, URZ, PT.
bool choose_lane(Lowering& l) {
  l.op.operation = Operation::elect;
  l.set(flag::own_unknown);
  if (!l.predicate_out(0) || !l.destination()) return false;
  l.op.flags &= ~flag::uniform;  // the handler needs the lanes of the guard
  return true;
}

/// What the products multiply, where values are computed: without zeros left out, and of signs
/// only that of registers.
std::optional<MatrixForm> group_form(const Lowering& l, const Operand& first) {
  constexpr std::uint32_t rows_of_a_warp = 16;
  const auto shape = matrix_shape(l.kernel(), l.instruction());
  const bool registers = first.kind == OperandKind::register_;
  if (!shape || l.mnemonic() != "HGMMA" || says(l, ".SP") || says(l, "-g")) return std::nullopt;
  const MatrixNumber number = l.has(modifier::bf16)   ? MatrixNumber::bf16
                              : l.has(modifier::tf32) ? MatrixNumber::tf32
                                                      : MatrixNumber::f16;
  return MatrixForm{rows_of_a_warp,    shape->depth,      number,      number, registers,
                    says(l, ".tnspA"), says(l, ".tnspB"), first.negate};
}

/// HGMMA.64x128x16.F32 R24, gdesc[UR16], R24 [, UP0], or with A in registers R24, R8, gdesc[UR16],
/// R24: without the predicate, or with RZ, the sums begin at zero.
bool group_product(Lowering& l) {
  l.op.operation = Operation::group_product;
  l.set(flag::own_unknown);
  l.op.second = widths_of(l.kernel(), l.instruction()).destination;
  if (!l.destination()) return false;
  const Operand* first = l.peek();
  if (first == nullptr) return true;
  const auto form = group_form(l, *first);
  if (!form) return true;
  if (form->left_in_registers) l.op.source[0].cell = l.register_cell(*l.take());
  const Operand* group = l.take();
  if (group == nullptr || group->descriptor == no_register) return true;
  l.op.source[1].cell = l.uniform_cell(group->descriptor);
  if (!l.source(2, Reading::integer)) return true;
  if (l.at_predicate() && !l.predicate_in(0)) return true;
  l.op.immediate = form->packed();
  l.op.type = l.has(modifier::f32) ? ValueType::f32 : ValueType::f16;
  return true;
}

/// USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8; .DEALLOC has no predicate.
bool set_registers(Lowering& l) {
  l.op.operation = Operation::grant;
  l.set(flag::own_unknown);
  if (l.at_predicate() && !l.predicate_out(0)) return false;
  const Operand* count = l.take();
  if (count != nullptr && count->kind == OperandKind::integer)
    l.op.second = static_cast<std::uint32_t>(count->value);
  return true;
}

bool arrive_in_cluster(Lowering& l) {
  l.op.operation = Operation::cluster_arrive;
  l.set(flag::own_unknown);
  return true;
}
bool wait_in_cluster(Lowering& l) {
  l.op.operation = Operation::cluster_wait;
  l.set(flag::own_unknown);
  return true;
}

/// WARPGROUP.ARRIVE, with the numbering of flow.cpp; the other forms wait for time alone.
bool warp_group(Lowering& l) {
  constexpr std::uint32_t group_sync = 5;
  l.op.operation = says(l, "ARRIVE") ? Operation::barrier : Operation::none;
  l.op.second = group_sync;
  return true;
}

bool nothing_here(Lowering& l) {
  l.op.operation = Operation::none;
  return true;
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"UBLKCP", bulk},
    {"UBLKRED", bulk},
    {"UBLKPF", bulk_prefetch},
    {"UTMALDG", tensor_load},
    {"UTMASTG", tensor_store},
    {"UTMAREDG", tensor_store},
    {"UTMAPF", tensor_prefetch},
    {"UTMACCTL", nothing_here},
    {"UTMACMDFLUSH", nothing_here},
    {"ELECT", choose_lane},
    {"HGMMA", group_product},
    {"QGMMA", group_product},
    {"IGMMA", group_product},
    {"BGMMA", group_product},
    {"WARPGROUP", warp_group},
    {"WARPGROUPSET", nothing_here},
    {"USETMAXREG", set_registers},
    {"PREEXIT", nothing_here},
    {"ACQBULK", nothing_here},
    {"UCGABAR_ARV", arrive_in_cluster},
    {"UCGABAR_WAIT", wait_in_cluster},
});

}  // namespace

std::span<const LoweringRule> async_rules() {
  return rules;
}

}  // namespace forewarp::execution
