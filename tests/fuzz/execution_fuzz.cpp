// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Random programs, made of forms that compilers print, are read, translated and run: no crash, no
// hang, no memory without bound. Where all is known, what is executed and accessed is the same if
// values that decide neither are left out.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "../unit/execution/event_sum.h"
#include "analysis/control_flow.h"
#include "execution/grid/needed_values.h"
#include "execution/grid/profile_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace {

using namespace forewarp::tests;

/// Takes choices from the fuzzer's bytes; zeros when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool empty() const { return at_ >= size_; }
  std::uint32_t below(std::uint32_t limit) {
    const std::uint32_t value = at_ < size_ ? data_[at_] : 0U;
    ++at_;
    return value % limit;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

// r register, p predicate, u uniform register, i integer, f number, c constant, t target, b
// barrier.
constexpr auto forms = std::to_array<const char*>({
    "MOV #r, #c",
    "MOV #r, #r",
    "IMAD #r, #r, #r, #r",
    "IMAD.WIDE #r, #r, #r, #r",
    "IADD3 #r, #p, -#r, #r, #r",
    "IADD3.X #r, #r, ~#r, #r, #p, !PT",
    "IMAD.HI.U32 #r, #r, #r, #r",
    "LOP3.LUT #r, #r, #i, #r, 0x96, !PT",
    "LOP3.LUT #p, RZ, #r, #i, RZ, 0xc0, !PT",
    "SHF.R.S32.HI #r, RZ, #i, #r",
    "SHF.L.U64.HI #r, #r, #r, #r",
    "LEA #r, #p, #r, #r, 0x2",
    "LEA.HI.X #r, #r, #r, #r, 0x2, #p",
    "PRMT #r, #r, #i, #r",
    "SEL #r, #r, #r, #p",
    "IMNMX #r, #r, #r, #p",
    "POPC #r, #r",
    "FLO.U32 #r, #r",
    "BREV #r, #r",
    "SGXT #r, #r, #i",
    "BMSK #r, #r, #r",
    "ISETP.GE.AND #p, PT, #r, #r, PT",
    "ISETP.LT.U32.OR #p, #p, #r, #i, #p",
    "ISETP.NE.AND.EX #p, PT, #r, #r, PT, #p",
    "PLOP3.LUT #p, PT, #p, #p, PT, 0x80, 0x0",
    "P2R #r, PR, RZ, 0x7f",
    "R2P PR, #r, 0x7e",
    "FADD #r, #r, -#r",
    "FFMA.FTZ #r, #r, #r, |#r|",
    "FMUL.SAT #r, #r, #f",
    "FSETP.GEU.AND #p, PT, #r, #r, PT",
    "FMNMX #r, #r, #r, !PT",
    "FADD.RZ #r, #r, #r",
    "MUFU.RCP #r, #r",
    "MUFU.SIN #r, #r",
    "MUFU.RCP64H #r, #r",
    "DADD #r, #r, #r",
    "DFMA.RP #r, #r, #r, #r",
    "DSETP.MIN.AND #p, #p, #r, #r, PT",
    "F2I.S64.TRUNC #r, #r",
    "I2F.F64.S64 #r, #r",
    "F2F.F32.F64 #r, #r",
    "HFMA2 #r, #r.H0_H0, #r, #r",
    "HADD2.F32 #r, -RZ, #r.H1_H1",
    "FCHK #p, #r, #r",
    "S2R #r, SR_TID.X",
    "S2R #r, SR_LANEID",
    "CS2R #r, SR_CLOCKLO",
    "S2UR #u, SR_CTAID.X",
    "R2UR #u, #r",
    "ULDC #u, #c",
    "UIADD3 #u, #u, #i, URZ",
    "UIMAD.WIDE #u, #u, #u, #u",
    "IMAD #r, #r, #u, #r",
    "VOTE.ANY #r, #p, #p",
    "MATCH.ANY #r, #r",
    "MATCH.ANY.U64 #r, #r",
    "IMNMX.XHI #r.CC, #r, #r, PT",
    "IMNMX.U32.XLO #r, #r, #r, PT",
    "ISETP.GT.X.AND #p, PT, #r, #r, PT",
    "BRA.DIV #t",
    "REDUX.SUM #u, #r",
    "SHFL.IDX #p, #r, #r, #r, 0x1f",
    "SHFL.BFLY PT, #r, #r, #i, #i",
    "LDG.E #r, [#r.64]",
    "LDG.E.128 #r, [#r.64+#u+#i]",
    "STG.E.64 [#r.64], #r",
    "LDS #r, [#r.X4+#i]",
    "LDS.U.128 #r, [#u+#i]",
    "STS.64 [#r], #r",
    "LDL #r, [#r]",
    "STL.128 [#r+#i], #r",
    "LD.E.U8 #r, [#r.64]",
    "ST.E [#r.64], #r",
    "LDC #r, c[0x3][#r+#i]",
    "LDC.64 #r, c[0x0][#r]",
    "ATOMG.E.ADD.STRONG.GPU PT, #r, [#r.64], #r",
    "ATOMS.CAS #r, [#r], #r, #r",
    "RED.E.MAX.S32.STRONG.GPU [#r.64], #r",
    "LDSM.16.M88.4 #r, [#r]",
    "LDGSTS.E.BYPASS.128 [#r], [#r.64]",
    "HMMA.16816.F32 #r, #r, #r, #r",
    "TEX.SCR.LL RZ, #r, #r, #r, 0x0, 0x5a, 2D, 0x1",
    "BAR.SYNC 0x0",
    "BAR.RED.POPC 0x0, #p",
    "B2R.RESULT #r",
    "BRA #t",
    "BSSY #b, #t",
    "BSYNC #b",
    "BREAK #b",
    "BMOV.32.CLEAR #r, #b",
    "BMOV.32 #b, #r",
    "WARPSYNC #r",
    "YIELD",
    "CALL.REL.NOINC #t",
    "RET.REL.NODEC #r 0x0",
    "BRX #r -0x20",
    "EXIT",
    "SSY #t",
    "SYNC",
    "PBK #t",
    "BRK",
    "CAL #t",
    "RET",
    "PCNT #t",
    "CONT",
    "PRET #t",
    "XMAD.S16.U16.CSFU #r, #r.H1, #r.H1, #r",
    "XMAD.MRG #r, #r, #r.H1, #r",
    "IADD.X #r, #r, #r",
    "IADD #r.CC, #r, -#r",
    "BFE #r, #r, #r",
    "BFI #r, #r, #i, #r",
    "NOP.S",
    "VABSDIFF #r, #r, #r, #r",
});

std::string operand(char kind, Choices& choices, std::uint32_t slots, std::uint32_t slot_bytes) {
  const auto number = [&](std::uint32_t limit) { return std::to_string(choices.below(limit)); };
  constexpr auto integers = std::to_array<const char*>(
      {"0x0", "0x1", "0x1f", "0x20", "-0x1", "0x7fffffff", "0x10", "0x101f"});
  switch (kind) {
    case 'r':
      return choices.below(16) == 0 ? "RZ" : "R" + number(24);
    case 'p':
      return choices.below(4) == 0 ? "PT" : "P" + number(7);
    case 'u':
      return choices.below(8) == 0 ? "URZ" : "UR" + number(12);
    case 'b':
      return "B" + number(16);
    case 'i':
      return integers[choices.below(integers.size())];
    case 'f':
      return choices.below(2) == 0 ? "1.5" : "+INF";
    case 'c':
      return choices.below(2) == 0 ? "c[0x0][0x160]" : "c[0x0][0x28]";
    default: {
      static constexpr char digits[] = "0123456789abcdef";
      std::uint32_t value = choices.below(slots) * slot_bytes;
      std::string text;
      for (; value != 0; value /= 16) text.insert(text.begin(), digits[value % 16]);
      return "0x" + (text.empty() ? "0" : text);
    }
  }
}

std::string program_text(Choices& choices) {
  constexpr auto families = std::to_array<std::uint32_t>({35, 52, 70, 80, 90});
  const std::uint32_t sm = families[choices.below(families.size())];
  const std::uint32_t slot_bytes = sm >= 70 ? 16 : 8, slots = 4 + choices.below(60);
  std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : k\n";
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    text += "        ";
    if (choices.below(3) == 0) text += choices.below(2) == 0 ? "@P0 " : "@!P1 ";
    const std::string form = forms[choices.below(forms.size())];
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '#') {
        text += form[i];
        continue;
      }
      text += operand(form[++i], choices, slots, slot_bytes);
    }
    text += " ;\n";
  }
  return text + "        EXIT ;\n";
}

ExecutionInput launch(Choices& choices) {
  ExecutionInput input;
  input.grid = {1 + choices.below(3), 1, 1};
  input.block = {1 + choices.below(70), 1 + choices.below(2), 1};
  input.static_shared = choices.below(2) * 1024;
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000U;
  buffer.bytes = 4096;
  buffer.content.kind =
      choices.below(2) == 0 ? BufferContent::Kind::unknown : BufferContent::Kind::random;
  input.parameters.resize(32);
  for (std::size_t i = 0; i < 6; ++i)
    input.parameters[i] = static_cast<std::uint8_t>(buffer.address >> (8 * i));
  if (choices.below(2) == 0) input.parameters_known.assign(16, 1);
  input.buffers.push_back(buffer);
  return input;
}

/// Also whether lanes only go where the program's control flow says: unlike compilers' code, some
/// made of random lines does not, for instance at a barrier that was never set.
struct OrderlySum : EventSum {
  explicit OrderlySum(const ControlFlow& known) : flow(&known) {}

  [[nodiscard]] OrderlySum empty() const { return OrderlySum(*flow); }
  void merge(const OrderlySum& other) {
    EventSum::merge(other);
    orderly = orderly && other.orderly;
  }
  void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask lanes) {
    EventSum::executed(warp, i, active, lanes);
    auto& places = last[{warp.block->linear, warp.number}];
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      if (!has_lane(active, lane)) continue;
      orderly = orderly && (places[lane] == none || may_follow(places[lane], i));
      places[lane] = i;
    }
  }
  [[nodiscard]] bool may_follow(std::uint32_t from, std::uint32_t to) const {
    const BlockId source = flow->block_of(from), target = flow->block_of(to);
    if (source == no_block || target == no_block) return false;
    const auto& block = flow->blocks()[source];
    if (from + 1 != block.end) return to == from + 1;
    if (to != flow->blocks()[target].first) return false;
    if (block.returns || block.callee == target) return true;
    const auto next = flow->successors(source);
    return std::any_of(next.begin(), next.end(), [&](const auto& e) { return e.to == target; });
  }

  static constexpr std::uint32_t none = 0;
  const ControlFlow* flow;
  bool orderly = true;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::array<std::uint32_t, lane_count>> last;
};

void check_without_values(const Program& program, const ExecutionInput& input,
                          const GridOptions& options) {
  Program counted = program;
  leave_out_values(counted);
  spoil_left_out(counted);
  const std::vector<std::uint64_t> blocks{0};  // the next one finds registers as this leaves them
  const ControlFlow flow(*program.kernel);
  OrderlySum all(flow), needed(flow);
  const auto with = run_grid(program, input, blocks, options, all);
  const auto without = run_grid(counted, input, blocks, options, needed);
  // What is not known is drawn, and may be unknown no longer; what is cut is cut at other places.
  if (!with || with->forgets || (without && without->forgets)) return;
  if (!all.orderly || !with->assumed.empty()) return;
  if (!with->halved.empty() || !with->scattered.empty()) return;
  if (!without || all.sum != needed.sum || with->findings.size() != without->findings.size())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  const ExecutionInput input = launch(choices);
  const auto kernel = read_kernel(InputSource::of_text("fuzz.sass", program_text(choices)));
  if (!kernel) return 0;
  const auto program = lower_kernel(*kernel);
  if (!program) return 0;
  ProfileOptions options;
  options.grid.most_instructions = 20000;
  options.grid.most_memory = std::uint64_t{16} << 20;
  options.sample.mode = SampleChoice::Mode::all;
  (void)profile_paths(*program, input, options);
  check_without_values(*program, input, options.grid);
  return 0;
}
