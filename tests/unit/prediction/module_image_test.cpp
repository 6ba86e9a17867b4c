// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a launch's constants and a kernel's module become for the executor.
#include "prediction/arguments/module_image.h"

#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/storage/address_space.h"
#include "input/kernel_choice.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t first_free = 0x7f00'0000'1234;
constexpr std::uint64_t base = 0x7f00'0000'1300;  // the next multiple of 256

ModuleSymbol constant(const std::string& name, std::uint64_t offset, std::uint64_t size) {
  ModuleSymbol symbol;
  symbol.name = symbol.mangled = name;
  symbol.offset = offset;
  symbol.size = size;
  symbol.used = true;
  return symbol;
}

ModuleSymbol global(const std::string& name, std::uint64_t offset, std::uint64_t size) {
  ModuleSymbol symbol = constant(name, offset, size);
  symbol.space = MemorySpace::global;
  symbol.bank = 0;
  return symbol;
}

Kernel kernel_with(std::vector<ModuleSymbol> symbols) {
  Kernel kernel;
  kernel.name = "k";
  kernel.symbols = std::move(symbols);
  return kernel;
}

LaunchConfig launch_with(const std::vector<std::string>& constants) {
  LaunchConfig launch;
  for (const std::string& text : constants) {
    auto argument = parse_argument(text, "--constant");
    EXPECT_TRUE(argument) << text;
    if (argument) launch.constants.push_back(std::move(*argument));
  }
  return launch;
}

ModuleImage image_of(const Kernel& kernel, const std::vector<std::string>& constants = {}) {
  auto image = module_image(kernel, launch_with(constants), first_free);
  EXPECT_TRUE(image) << (image ? "" : image.error().line());
  return image ? std::move(*image) : ModuleImage{};
}

std::string refusal_of(const Kernel& kernel, const std::vector<std::string>& constants) {
  const auto image = module_image(kernel, launch_with(constants), first_free);
  return image ? "(accepted)" : image.error().line();
}

struct IdleSink : NoSink {
  [[nodiscard]] IdleSink empty() const { return {}; }
  void merge(const IdleSink&) {}
};

template <class T>
T value_at(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, bytes.size());
  if (offset + sizeof value <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(ModuleImage, ABankHoldsTheFilesBytesUntilTheHostCopies) {
  Kernel kernel = kernel_with({constant("a", 0, 4), constant("b", 4, 8), constant("c", 12, 12)});
  kernel.symbols[1].initialised = true;
  kernel.constant_banks = {{2, {9}}, {3, {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}}};
  const ModuleImage plain = image_of(kernel);
  ASSERT_EQ(plain.banks.size(), 2U);
  EXPECT_EQ(plain.banks[0].bank, 2U);
  EXPECT_EQ(plain.banks[0].bytes, (std::vector<std::uint8_t>{9}));
  EXPECT_EQ(plain.banks[1].bytes.size(), 24U);  // c ends there
  EXPECT_EQ(value_at<std::uint32_t>(plain.banks[1].bytes, 4), 0x04030201U);
  EXPECT_EQ(plain.zeroed, (std::vector<std::string>{"a", "c"}));
  EXPECT_TRUE(plain.buffers.empty());
  const ModuleImage given = image_of(kernel, {"a=-2", "c=buffer.f32:8:iota", "b=2.5"});
  const std::vector<std::uint8_t>& bytes = given.banks[1].bytes;
  EXPECT_EQ(value_at<std::int32_t>(bytes, 0), -2);
  EXPECT_EQ(value_at<double>(bytes, 4), 2.5);  // eight bytes: a double
  EXPECT_EQ(value_at<float>(bytes, 12), 0.0F);
  EXPECT_EQ(value_at<float>(bytes, 16), 1.0F);
  EXPECT_EQ(value_at<float>(bytes, 20), 0.0F);  // behind the buffer: as it was
  EXPECT_TRUE(given.zeroed.empty());
}

TEST(ModuleImage, UnknownContentIsUnknownByteByByte) {
  const Kernel kernel = kernel_with({constant("a", 0, 4), constant("b", 4, 8)});
  const ModuleImage image = image_of(kernel, {"b=buffer:4"});
  ASSERT_EQ(image.banks.size(), 1U);
  EXPECT_EQ(image.banks[0].known, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(ModuleImage, VariablesKeepTheirPlacesToEachOther) {
  Kernel kernel = kernel_with({global("a", 0, 8), global("b", 8, 16), global("c", 256, 4)});
  kernel.symbols[0].content = {1, 2};
  kernel.symbols[0].initialised = true;
  kernel.symbols[2].used = false;
  const ModuleImage image = image_of(kernel, {"b=buffer.i32:16:fill:7"});
  ASSERT_EQ(image.buffers.size(), 2U);  // nobody uses c
  EXPECT_EQ(image.buffers[0].address, base);
  EXPECT_EQ(image.buffers[0].bytes, 8U);
  EXPECT_EQ(image.buffers[0].data, (std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(image.buffers[0].content.kind, BufferContent::Kind::file);  // zeros follow the data
  EXPECT_EQ(image.buffers[1].address, base + 8);
  EXPECT_EQ(image.buffers[1].name, "b");
  EXPECT_EQ(image.buffers[1].content.kind, BufferContent::Kind::fill);  // not written out
  EXPECT_EQ(image.end, base + 260);
  EXPECT_TRUE(image.zeroed.empty());
  EXPECT_EQ(image_of(kernel).zeroed, (std::vector<std::string>{"b"}));
}

TEST(ModuleImage, AVariableMayLieApartFromTheOthers) {
  Kernel kernel = kernel_with({global("a", 0, 4), global("b", 8, 8), global("c", 16, 4)});
  kernel.operands.resize(1);
  kernel.symbol_addresses = {{SymbolAddress::Place::operand, SymbolAddress::Part::low, 1, 4, 0, 0}};
  const auto image = module_image(kernel, LaunchConfig{}, first_free, {{"b", 0x2000}});
  ASSERT_TRUE(image);
  ASSERT_EQ(image->buffers.size(), 3U);
  EXPECT_EQ(image->buffers[1].address, 0x2000U);
  EXPECT_EQ(image->buffers[2].address, base + 16);  // as if it were not
  EXPECT_EQ(image->end, base + 20);
  ASSERT_EQ(image->operands.size(), 1U);
  EXPECT_EQ(image->operands[0].value, 0x2004U);
}

TEST(ModuleImage, VariablesLieAboveTheWindowsOfAThread) {
  const auto image = module_image(kernel_with({global("a", 0, 4)}), LaunchConfig{}, 0);
  ASSERT_TRUE(image);
  ASSERT_EQ(image->buffers.size(), 1U);
  EXPECT_GE(image->buffers[0].address, address_space::workspace + address_space::workspace_bytes);
}

TEST(ModuleImage, AddressesGoIntoCodeBanksAndVariables) {
  using Place = SymbolAddress::Place;
  using Part = SymbolAddress::Part;
  Kernel kernel = kernel_with({global("a", 16, 64), global("pointer", 0, 8)});
  kernel.symbols[1].content.resize(8);
  kernel.operands.resize(3);
  kernel.symbol_addresses = {{Place::operand, Part::low, 0, 4, 1, 0},
                             {Place::operand, Part::high, 0, 4, 2, 0},
                             {Place::constant, Part::whole, 0, 8, 4, 16},
                             {Place::constant, Part::high, 1, 0, 4, 24},
                             {Place::constant, Part::whole, SymbolAddress::no_symbol, 0, 4, 32},
                             {Place::global, Part::whole, 0, -16, 1, 0}};
  const ModuleImage image = image_of(kernel);
  ASSERT_EQ(image.banks.size(), 1U);
  EXPECT_EQ(image.banks[0].bank, 4U);
  EXPECT_EQ(value_at<std::uint64_t>(image.banks[0].bytes, 16), base + 16 + 8);
  EXPECT_EQ(value_at<std::uint32_t>(image.banks[0].bytes, 24), 0x7f00U);
  EXPECT_EQ(image.banks[0].known[31], 1U);  // nothing is there
  EXPECT_EQ(image.banks[0].known[32], 0U);  // a function's address
  EXPECT_EQ(image.banks[0].known[39], 0U);
  ASSERT_EQ(image.buffers.size(), 2U);
  EXPECT_EQ(value_at<std::uint64_t>(image.buffers[1].data, 0), base);
  put_addresses(kernel, image);
  EXPECT_EQ(kernel.operands[0].kind, OperandKind::word);
  EXPECT_EQ(kernel.operands[1].kind, OperandKind::integer);
  EXPECT_EQ(kernel.operands[1].value, 0x1314);  // base + 16 + 4, low half
  EXPECT_EQ(kernel.operands[2].value, 0x7f00);
}

TEST(ModuleImage, APointerMayBeGivenWhatItPointsTo) {
  const Kernel kernel = kernel_with({constant("p", 8, 8), global("q", 0, 8)});
  const ModuleImage image = image_of(kernel, {"p=buffer.f64:1024:iota", "q=buffer:4096"});
  ASSERT_EQ(image.buffers.size(), 3U);
  EXPECT_EQ(image.buffers[0].bytes, 1024U);
  EXPECT_EQ(image.buffers[0].address, base + 256);
  EXPECT_EQ(value_at<std::uint64_t>(image.banks[0].bytes, 8), base + 256);
  EXPECT_EQ(image.buffers[1].bytes, 4096U);
  EXPECT_EQ(image.buffers[1].address, base + 256 + 1024);
  EXPECT_EQ(value_at<std::uint64_t>(image.buffers[2].data, 0), base + 256 + 1024);
  EXPECT_EQ(image.end, base + 256 + 1024 + 4096);
}

TEST(ModuleImage, AVariableOfUnknownSizeTakesWhatIsGiven) {
  const Kernel kernel = kernel_with({global("a", 0, 0), global("b", 0, 4)});
  const ModuleImage open = image_of(kernel);
  ASSERT_EQ(open.buffers.size(), 2U);
  EXPECT_EQ(open.buffers[0].content.kind, BufferContent::Kind::unknown);
  EXPECT_EQ(open.buffers[0].address, base + 256);  // behind those of known size
  EXPECT_EQ(open.unsized, (std::vector<std::string>{"a"}));
  const ModuleImage given = image_of(kernel, {"a=buffer:100:zeros"});
  EXPECT_EQ(given.buffers[0].bytes, 100U);
  EXPECT_TRUE(given.unsized.empty());
}

TEST(ModuleImage, RefusesWhatNoVariableTakes) {
  const Kernel kernel = kernel_with({constant("ns::d_filter", 0, 36), global("counter", 0, 4)});
  EXPECT_EQ(refusal_of(kernel, {"d_filte=1"}),
            "constant 'd_filte': the module of kernel 'k' has no variable of that name; expected "
            "ns::d_filter (constant, 36 bytes), counter (global, 4 bytes); did you mean "
            "'d_filter'?");
  EXPECT_EQ(refusal_of(kernel, {"countr=1"}),
            "constant 'countr': the module of kernel 'k' has no variable of that name; expected "
            "ns::d_filter (constant, 36 bytes), counter (global, 4 bytes); did you mean "
            "'counter'?");
  EXPECT_EQ(refusal_of(kernel, {"d_filter=buffer:40"}),
            "constant 'ns::d_filter': buffer:40 does not fit; expected 36 bytes");
  EXPECT_EQ(refusal_of(kernel, {"d_filter=1"}),
            "constant 'ns::d_filter': 1 does not fit; expected 36 bytes");
  EXPECT_EQ(refusal_of(kernel, {"counter=f64:1"}),
            "constant 'counter': f64:1 does not fit; expected 4 bytes");
  EXPECT_EQ(refusal_of(kernel, {"counter=hex:0011223344"}),
            "constant 'counter': hex:0011223344 does not fit; expected 4 bytes");
  EXPECT_EQ(refusal_of(kernel, {"counter=same:0"}),
            "constant 'counter': it shares the buffer of an argument; expected a number, hex "
            "bytes or a buffer");
  EXPECT_EQ(refusal_of(kernel, {"0=1"}),
            "constant '0': variables of a module have no order; expected a name; one of "
            "ns::d_filter (constant, 36 bytes), counter (global, 4 bytes)");
  EXPECT_EQ(refusal_of(kernel_with({}), {"d_filter=buffer:36"}),
            "constant 'd_filter': the listing of kernel 'k' names no variables; expected a line "
            "'// symbol d_filter constant BANK OFFSET BYTES'; add one, or give the .cu or the "
            "cubin");
  EXPECT_NE(refusal_of(kernel, {"counter=buffer:4:file:/nowhere/at/all"}).find("/nowhere/at/all"),
            std::string::npos);
}

// The kernel of tests/fixtures/kernels/module_variables.cu, from the file's sections to its
// results.
class ModuleVariables : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto source =
        InputSource::open(std::string(FOREWARP_FIXTURES) + "/listings/" + GetParam() + ".sass");
    ASSERT_TRUE(source) << source.error().line();
    auto kernel = read_kernel(*source, {});
    ASSERT_TRUE(kernel) << kernel.error().line();
    kernel_ = std::move(*kernel);
  }

  Kernel kernel_;
};

TEST_P(ModuleVariables, AreReadAndWrittenWhereTheModuleHasThem) {
  constexpr std::uint32_t threads = 96;
  constexpr std::uint32_t count = 80;
  const ModuleImage image = image_of(
      kernel_, {"weights=buffer:32:iota", "counter=5", "scratch=hex:000080400000004000000040"});
  EXPECT_TRUE(image.unsized.empty());
  EXPECT_TRUE(image.zeroed.empty());
  put_addresses(kernel_, image);
  ExecutionInput input;
  input.grid = {3, 1, 1};
  input.block = {threads / 3, 1, 1};
  input.banks = image.banks;
  input.buffers = image.buffers;
  ExecutionBuffer y;
  y.address = (image.end + 255) / 256 * 256;
  y.bytes = 4 * count;
  input.buffers.push_back(y);
  input.parameters.resize(12);
  std::memcpy(input.parameters.data(), &y.address, 8);
  std::memcpy(input.parameters.data() + 8, &count, 4);
  const auto program = lower_kernel(kernel_);
  ASSERT_TRUE(program);
  std::vector<std::uint64_t> blocks(3);
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  GridOptions options;
  options.keep_memory = true;
  IdleSink sink;
  const auto run = run_grid(*program, input, blocks, options, sink);
  ASSERT_TRUE(run) << run.error().line();
  EXPECT_TRUE(run->findings.empty());

  std::vector<float> result(count);
  auto* bytes = reinterpret_cast<std::uint8_t*>(result.data());
  ASSERT_TRUE(run->memory->read(y.address, {bytes, y.bytes}));
  const std::vector<int> lookup{7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<float> scratch{4, 2, 2, 0};
  std::vector<float> sums(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    sums[i] = static_cast<float>((i & 7U) * ((i & 3U) + 1)) + static_cast<float>(lookup[i & 15U]) +
              scratch[i & 3U];
    EXPECT_EQ(result[i], sums[i] + 8 * 100 + 9 * 1000) << i;
  }
  const auto variable = [&](const std::string& name, std::uint64_t offset) {
    std::array<std::uint8_t, 4> word{};
    for (const ExecutionBuffer& buffer : image.buffers) {
      if (buffer.name != name) continue;
      EXPECT_TRUE(run->memory->read(buffer.address + offset, word));
    }
    return std::bit_cast<std::uint32_t>(word);
  };
  EXPECT_EQ(variable("counter", 0), 5 + count);
  EXPECT_EQ(std::bit_cast<float>(variable("hidden::scratch", 12)), sums[count - 1]);
}

INSTANTIATE_TEST_SUITE_P(Families, ModuleVariables,
                         testing::Values("module_variables.sm_35", "module_variables.sm_52",
                                         "module_variables.sm_61", "module_variables.sm_70",
                                         "module_variables.sm_75", "module_variables.sm_80",
                                         "module_variables.sm_86", "module_variables.sm_90",
                                         "nvdisasm/module_variables.sm_52.full",
                                         "nvdisasm/module_variables.sm_80.full"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace forewarp::tests
