// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What an instruction means to the analysis and to the executor: random programs of every integer
// opcode, where the symbolic value of each register, applied to arguments, is what execution
// stores.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "base/text.h"
#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "kernel_builder.h"
#include "numbers.h"

namespace forewarp::tests {
namespace {

constexpr int words = 8;       ///< arguments after the pointer
constexpr int registers = 10;  ///< R0 .. R9, pairs start at even ones
constexpr int predicates = 4;
constexpr int stores = registers + predicates;
constexpr std::uint64_t buffer_address = 0x7f0000000000U;

/// Forms of instructions. d: destination; D: destination pair; r: register; n: register, perhaps
/// negated; t: register, perhaps inverted; b: register, constant or immediate; p: predicate
/// written; q: predicate read, perhaps inverted; C: a comparison; S: how predicates are joined;
/// U: nothing or .U32; 5: a number to 31; 8: one to 255; h: .H1 or nothing; R: an even register.
const std::vector<std::string>& forms(std::uint32_t sm) {
  static const std::vector<std::string> volta{
      "MOV $d, $b",
      "IADD3 $d, $n, $b, $n",
      "IADD3 $d, $p, $r, $b, RZ",
      "IADD3 $d, P0, P1, $r, $b, $r\nIADD3.X $d, $r, $b, $r, P0, P1",
      "IADD3.X $d, $r, $b, $r, $q, !PT",
      "IADD3.X $d, $p, $r, $t, RZ, $q, !PT",
      "IMAD $d, $r, $b, $n",
      "IMAD $d, $r, $r, $b",
      "IMAD.HI $d, $r, $b, $r",
      "IMAD.HI.U32 $d, $r, $b, $r",
      "IADD3.64 $D, $R, $R, RZ",
      "IADD3.64 $D, $R, -$R, $R",
      "IMAD.WIDE $D, $r, $b, $R",
      "IMAD.WIDE.U32 $D, $r, $b, $R",
      "IMAD.WIDE.X $D, $r, $b, $R, $q",
      "IMAD.WIDE.U32.X $D, $r, $b, $R, $q",
      "IMAD.MOV.U32 $d, RZ, RZ, $b",
      "IMAD.IADD $d, $r, 0x1, $n",
      "IMAD.SHL.U32 $d, $r, 0x10, RZ",
      "IMAD.X $d, RZ, RZ, $r, $q",
      "LEA $d, $r, $b, $5",
      "LEA $d, $p, $n, $b, $5",
      "LEA.HI $d, $r, $b, $r, $5",
      "LEA.HI.SX32 $d, $r, $b, $5",
      "LEA.HI.X $d, $r, $b, $r, $5, $q",
      "LEA.HI.X.SX32 $d, $r, $b, $5, $q",
      "SHF.L.U32 $d, $r, $b, RZ",
      "SHF.R.U32.HI $d, RZ, $b, $r",
      "SHF.R.S32.HI $d, RZ, $b, $r",
      "SHF.L.U64.HI $d, $r, $5, $r",
      "SHF.R.U64 $d, $r, $5, $r",
      "SHF.R.S64 $d, $r, $5, $r",
      "SHF.L.W.U32.HI $d, $r, $5, $r",
      "LOP3.LUT $d, $r, $b, $r, $8, !PT",
      "LOP3.LUT $p, $d, $r, $b, $r, $8, !PT",
      "LOP3.LUT $p, RZ, $r, $b, RZ, 0xc0, !PT",
      "SEL $d, $r, $b, $q",
      "IMNMX$U $d, $r, $b, $q",
      "IABS $d, $r",
      "ISETP.$C$U.$S $p, PT, $r, $b, $q",
      "ISETP.$C$U.$S $p, $p, $r, $b, $q",
      "ISETP.LT.U32.AND P3, PT, $r, $r, PT\nISETP.LT.AND.EX P0, PT, $r, $r, PT, P3",
      "ISETP.LE.U32.AND P3, PT, $r, $r, PT\nISETP.LE.AND.EX P0, PT, $r, $r, PT, P3",
      "ISETP.GT.U32.AND P3, PT, $r, $r, PT\nISETP.GT.AND.EX P0, PT, $r, $r, PT, P3",
      "ISETP.GE.U32.AND P3, PT, $r, $r, PT\nISETP.GE.AND.EX P0, PT, $r, $r, PT, P3",
      "ISETP.EQ.U32.AND P3, PT, $r, $r, PT\nISETP.EQ.AND.EX P0, PT, $r, $r, PT, P3",
      "ISETP.NE.U32.AND P3, PT, $r, $r, PT\nISETP.NE.AND.EX P0, PT, $r, $r, PT, P3",
      "PLOP3.LUT $p, PT, $q, $q, $q, $8, $8",
      "PRMT $d, $r, $4, $r",
  };
  static const std::vector<std::string> maxwell{
      "MOV $d, $b",
      "MOV32I $d, $8",
      "IADD $d, $n, $b",
      "IADD32I $d, $r, $8",
      "IADD $d.CC, $r, $b\nIADD.X $d, $r, $b",
      "IADD $d.CC, $r, -$r\nIADD.X $d, $r, ~$r",
      "IADD3 $d, $n, $b, $n",
      "IADD3 $d.CC, $r, $b, $r\nIADD3.X $d, $r, $b, $r",
      "IMNMX$U $d, $r, $b, $q",
      "ISCADD $d, $n, $b, $5",
      "ISCADD $d.CC, $n, $b, $5\nIADD.X $d, $r, $b",
      "LEA $d, $r, $b, $5",
      "LEA.HI $d, $r, $b, $r, $5",
      "SHL $d, $r, $b",
      "SHL.W $d, $r, $b",
      "SHR$U $d, $r, $b",
      "SHR$U.W $d, $r, $b",
      "SHF.L.U64 $d, $r, $5, $r",
      "SHF.R.U64 $d, $r, $5, $r",
      "BFE$U $d, $r, $f",
      "LOP.AND $d, $t, $b",
      "LOP.OR $d, $t, $b",
      "LOP.XOR $d, $t, $b",
      "LOP.PASS_B $d, RZ, ~$r",
      "LOP32I.AND $d, $r, $8",
      "LOP32I.XOR $d, $t, $8",
      "LOP3.LUT $d, $r, $b, $r, $8",
      "SEL $d, $r, $b, $q",
      "XMAD $d, $r$h, $r$h, $r",
      "XMAD.MRG $d, $r, $r.H1, RZ",
      "XMAD.PSL $d, $r$h, $r$h, $r",
      "XMAD.PSL.CBCC $d, $r.H1, $r.H1, $r",
      "XMAD $d, $r$h, $8, $r",
      "ISETP.$C$U.$S $p, PT, $r, $b, $q",
      "ISETP.$C$U.$S $p, $p, $r, $b, $q",
      "ICMP.$C$U $d, $r, $b, $r",
      "PSETP.$S.$S $p, PT, $q, $q, $q",
      "PRMT $d, $r, $4, $r",
  };
  static const std::vector<std::string> kepler{
      "MOV $d, $b",
      "MOV32I $d, $8",
      "IADD $d, $n, $b",
      "IADD $d.CC, $r, $b\nIADD.X $d, $r, $b",
      "IMUL$U$U $d, $r, $b",
      "IMUL.HI $d, $r, $b",
      "IMUL.U32.U32.HI $d, $r, $b",
      "IMAD $d, $r, $b, $n",
      "IMAD.HI $d, $r, $b, $r",
      "IMAD.U32.U32.HI $d, $r, $b, $r",
      "ISCADD $d, $n, $b, $5",
      "IMNMX$U $d, $r, $b, $q",
      "SHL $d, $r, $b",
      "SHL.W $d, $r, $b",
      "SHR$U $d, $r, $b",
      "BFE$U $d, $r, $f",
      "LOP.AND $d, $t, $b",
      "LOP.OR $d, $t, $b",
      "LOP.XOR $d, $t, $b",
      "SEL $d, $r, $b, $q",
      "ISETP.$C$U.$S $p, PT, $r, $b, $q",
      "ICMP.$C$U $d, $r, $b, $r",
      "PSETP.$S.$S $p, PT, $q, $q, $q",
      "PRMT $d, $r, $4, $r",
  };
  return sm >= 70 ? volta : sm >= 50 ? maxwell : kepler;
}

/// Writes random programs. Arguments: a pointer, then `words` words.
class Writer {
 public:
  Writer(std::uint32_t sm, std::uint64_t seed)
      : sm_(sm),
        base_(sm >= 90   ? 0x210
              : sm >= 70 ? 0x160
                         : 0x140),
        random_(seed) {}

  std::vector<std::string> program(const std::string& form, int more) {
    const auto& all = forms(sm_);
    std::vector<std::string> lines;
    for (int r = 0; r < registers; ++r)
      lines.push_back("MOV R" + std::to_string(r) + ", " + constant());
    for (int p = 0; p < predicates; ++p) {
      add("ISETP.$C.AND P" + std::to_string(p) + ", PT, $r, $r, PT", lines, false);
    }
    for (int i = 0; i < more; ++i) add(all[pick(all.size())], lines, pick(4) == 0);
    add(form, lines, pick(4) == 0);
    lines.push_back("MOV R20, " + bank_word(0));
    lines.push_back("MOV R21, " + bank_word(4));
    lines.push_back("MOV R23, 0x1");
    const std::string store = sm_ >= 70   ? "STG.E [R20.64+"
                              : sm_ >= 50 ? "STG.E [R20+"
                                          : "ST.E [R20+";
    for (int r = 0; r < registers; ++r) {
      lines.push_back(store + hex(static_cast<std::uint64_t>(4 * r)) + "], R" + std::to_string(r));
    }
    for (int p = 0; p < predicates; ++p) {
      lines.push_back("SEL R22, R23, RZ, P" + std::to_string(p));
      lines.push_back(store + hex(static_cast<std::uint64_t>(4 * (registers + p))) + "], R22");
    }
    lines.push_back("EXIT");
    return lines;
  }

  std::vector<std::uint8_t> arguments() {
    std::vector<std::uint8_t> bytes(8 + 4 * words);
    for (unsigned i = 0; i < 8; ++i)
      bytes[i] = static_cast<std::uint8_t>(buffer_address >> (8 * i));
    constexpr std::uint32_t edges[] = {0,  1,  0x7fffffff, 0x80000000, 0xffffffff,
                                       31, 32, 0xffff,     0x10000};
    for (unsigned w = 0; w < words; ++w) {
      auto value = static_cast<std::uint32_t>(random_.words<std::int64_t>(1)[0]);
      if (pick(4) == 0) value = edges[pick(std::size(edges))];
      for (unsigned i = 0; i < 4; ++i)
        bytes[8 + 4 * w + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return bytes;
  }

 private:
  std::size_t pick(std::size_t count) { return random_.bits() % count; }
  std::string bank_word(std::uint64_t offset) { return "c[0x0][" + hex(base_ + offset) + "]"; }
  std::string constant() { return bank_word(8 + 4 * pick(words)); }
  std::string number() {
    constexpr std::uint64_t edges[] = {0, 1, 0x1f, 0x20, 0x7ffff, 0xfff, 0x10};
    return hex(pick(2) == 0 ? edges[pick(std::size(edges))] : pick(0x7ffff));
  }
  std::string reg() { return pick(12) == 0 ? "RZ" : "R" + std::to_string(pick(registers)); }
  std::string part(char kind) {
    static constexpr const char* comparisons[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
    static constexpr const char* joins[] = {"AND", "OR", "XOR"};
    switch (kind) {
      case 'd':
        return "R" + std::to_string(pick(registers));
      case 'D':
      case 'R':
        return "R" + std::to_string(2 * pick(registers / 2));
      case 'r':
        return reg();
      case 'n':
        return (pick(3) == 0 ? "-" : "") + reg();
      case 't':
        return (pick(3) == 0 ? "~" : "") + reg();
      case 'b': {
        const std::size_t which = pick(3);
        return which == 0 ? reg() : which == 1 ? constant() : number();
      }
      case 'p':
        return "P" + std::to_string(pick(predicates));
      case 'q':
        return (pick(2) == 0 ? "!" : "") + (pick(5) == 0 ? std::string("PT") : part('p'));
      case 'C':
        return comparisons[pick(6)];
      case 'S':
        return joins[pick(3)];
      case 'U':
        return pick(2) == 0 ? ".U32" : "";
      case 'h':
        return pick(2) == 0 ? ".H1" : "";
      case '4':
        return hex(pick(0x8000) & 0x7777);
      case '5':
        return hex(pick(32));
      case '8':
        return hex(pick(256));
      case 'f':
        return hex(pick(33) << 8 | pick(32));  // length, position
      default:
        ADD_FAILURE() << kind;
        return "";
    }
  }
  void add(const std::string& form, std::vector<std::string>& lines, bool guarded) {
    std::string guard;
    if (guarded && form.find('\n') == form.npos) guard = "@" + part('q') + " ";
    if (guard.find("PT") != guard.npos) guard = "";
    std::string line = guard;
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] == '\n') {
        lines.push_back(line);
        line = guard;
      } else if (form[i] == '$') {
        line += part(form[++i]);
      } else {
        line += form[i];
      }
    }
    lines.push_back(line);
  }

  std::uint32_t sm_;
  std::uint64_t base_;
  Numbers random_;
};

struct Quiet : NoSink {
  [[nodiscard]] Quiet empty() const { return {}; }
  void merge(const Quiet&) {}
};

/// What is stored; unknown bytes fail the test.
std::vector<std::uint32_t> executed(const Kernel& kernel,
                                    const std::vector<std::uint8_t>& arguments) {
  ExecutionInput input;
  input.parameters = arguments;
  ExecutionBuffer buffer;
  buffer.address = buffer_address;
  buffer.bytes = 4 * stores;
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data.assign(buffer.bytes, 0);
  buffer.name = "0";
  input.buffers.push_back(buffer);
  const auto program = lower_kernel(kernel);
  if (!program) return {};
  GridOptions options;
  options.keep_memory = true;
  options.threads = 1;
  const std::vector<std::uint64_t> blocks{0};
  Quiet none;
  auto outcome = run_grid(*program, input, blocks, options, none);
  std::vector<std::uint32_t> values(stores);
  auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
  if (!outcome || !outcome->memory->read(buffer.address, {bytes, buffer.bytes})) return {};
  return values;
}

std::string text_of(const std::vector<std::string>& lines) {
  return "\n  " + join(lines, "\n  ");
}

class Meanings : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(Meanings, OfTheAnalysisAndTheExecutorAgree) {
  const std::uint32_t sm = GetParam();
  const char* more = std::getenv("FOREWARP_PROGRAMS");  // of each form
  const int programs = more != nullptr ? std::atoi(more) : 25;
  const char* seed = std::getenv("FOREWARP_SEED");
  Writer writer(sm, seed != nullptr ? std::strtoull(seed, nullptr, 10) : sm);
  std::size_t compared = 0, unfollowed = 0, total = 0, faults = 0;
  for (const std::string& form : forms(sm)) {
    std::size_t followed = 0;
    for (int i = 0; i < programs && faults < 5; ++i) {
      const std::vector<std::string> lines = writer.program(form, i % 6);
      const Kernel kernel = testing::kernel_from(sm, lines);
      const KernelAnalysis analysis(kernel);
      ++total;
      for (int set = 0; set < 4; ++set) {
        const std::vector<std::uint8_t> arguments = writer.arguments();
        const std::vector<std::uint32_t> values = executed(kernel, arguments);
        ASSERT_EQ(values.size(), std::size_t{stores}) << "not executed:" << text_of(lines);
        Binding binding;
        binding.parameter_bytes = arguments;
        std::size_t at = 0;
        for (const Instruction& instruction : kernel.instructions) {
          const InstructionClass c = instruction.instruction_class;
          if (c != InstructionClass::store_global && c != InstructionClass::store_generic) continue;
          const auto symbolic =
              analysis.compile(analysis.operand(instruction.first_operand + 1)).evaluate(binding);
          const std::uint32_t wanted = values.at(at++);
          if (!symbolic) {
            ++unfollowed;
            continue;
          }
          ++compared;
          ++followed;
          if (static_cast<std::uint32_t>(*symbolic) == wanted) continue;
          ++faults;
          ADD_FAILURE() << form << ": " << (at <= registers ? "R" : "P")
                        << (at <= registers ? at - 1 : at - 1 - registers) << " is "
                        << hex(static_cast<std::uint32_t>(*symbolic)) << " to the analysis and "
                        << hex(wanted) << " to the executor" << text_of(lines);
          break;
        }
      }
    }
    EXPECT_GT(followed, 0U) << form << " is never followed by the analysis";
  }
  RecordProperty("programs", std::to_string(total));
  RecordProperty("forms", std::to_string(forms(sm).size()));
  RecordProperty("compared", std::to_string(compared));
  RecordProperty("unfollowed", std::to_string(unfollowed));
}

INSTANTIATE_TEST_SUITE_P(Architectures, Meanings, ::testing::Values(35U, 52U, 61U, 70U, 80U, 90U),
                         [](const auto& given) { return "sm_" + std::to_string(given.param); });

}  // namespace
}  // namespace forewarp::tests
