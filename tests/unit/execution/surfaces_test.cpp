// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Surfaces and textures of a running program: the forms of their instructions by architecture, and
// what a launch reads and writes.
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "execution/grid/in_place_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/state/fetch_form.h"
#include "execution/storage/program_services.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

Kernel kernel_of(const std::string& sm, const std::string& code) {
  std::string text = "\tcode for sm_" + sm + "\n\t\tFunction : k\n";
  unsigned address = 0;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = code.find('\n', begin);
    std::array<char, 32> place{};
    std::snprintf(place.data(), place.size(), "        /*%04x*/ ", address);  // NOLINT
    text += place.data() + code.substr(begin, end - begin) + " ;\n";
    address += 16;
    begin = end + 1;
  }
  auto kernel = read_kernel(InputSource::of_text("test.sass", text));
  EXPECT_TRUE(kernel) << kernel.error().line();
  return *std::move(kernel);
}

struct Form {
  FetchForm form;
  MicroOp op;
  std::vector<PoolCell> pool;
};
Form form_of(const std::string& sm, const std::string& instruction) {
  const Kernel kernel = kernel_of(sm, instruction + "\nEXIT\n");
  const auto program = lower_kernel(kernel);
  EXPECT_TRUE(program);
  const MicroOp& op = program->ops[0];
  return {std::bit_cast<FetchForm>(op.immediate), op, program->pool};
}

TEST(FetchForms, HandlesLieInConstantsAndRegisters) {
  // sm_50: word 0x52 of bank 0; sm_70: bank 0, word 0x58; .B and sm_90: a register.
  const Form old = form_of("52", "SULD.D.BA.2D.TRAP R6, [R8], 0x52");
  ASSERT_TRUE(old.op.source[2].pool);
  EXPECT_EQ(old.pool[old.op.source[2].cell], (PoolCell{0, 4 * 0x52}));
  EXPECT_EQ(old.op.source[0].cell, cell::general + 8);
  EXPECT_EQ(old.op.destination, cell::general + 6);
  const Form newer = form_of("80", "SUST.D.BA.2D.128.STRONG.SM.IGN [R4], R8, 0x0, 0x58");
  EXPECT_EQ(newer.pool[newer.op.source[2].cell], (PoolCell{0, 4 * 0x58}));
  EXPECT_EQ(newer.op.source[1].cell, cell::general + 8);
  EXPECT_EQ(newer.op.bytes, 16);
  const Form by_register = form_of("80", "SUST.D.BA.2D.STRONG.SM.TRAP [R4], R0, R11");
  EXPECT_FALSE(by_register.op.source[2].pool);
  EXPECT_EQ(by_register.op.source[2].cell, cell::general + 11);
  const Form uniform = form_of("90", "TEX.LL RZ, R8, R8, R7, UR6, 0x0, ARRAY_2D, 0x1");
  EXPECT_FALSE(uniform.op.source[2].pool);
  EXPECT_EQ(uniform.form.in_first, 3U);
  EXPECT_TRUE(uniform.form.layered);
}

TEST(FetchForms, ModesAndDimensionsAreThoseThatArePrinted) {
  const auto mode = [](const std::string& text) {
    return static_cast<FetchForm::Mode>(form_of("80", text).form.mode);
  };
  EXPECT_EQ(mode("SULD.D.BA.1D.STRONG.SM.TRAP R0, [R4], 0x0, 0x58"), FetchForm::Mode::trap);
  EXPECT_EQ(mode("SULD.D.BA.2D.STRONG.SM R0, [R4], 0x0, 0x58"), FetchForm::Mode::clamp);
  EXPECT_EQ(mode("SULD.D.BA.2D.STRONG.SM.IGN R0, [R4], 0x0, 0x58"), FetchForm::Mode::zero);
  const Form layers = form_of("80", "SULD.D.BA.1D_ARRAY.U16.STRONG.SM.TRAP R0, [R4], 0x0, 0x58");
  EXPECT_EQ(layers.form.coordinates(), 2U);
  EXPECT_TRUE(layers.form.layered);
  EXPECT_EQ(layers.op.bytes, 2);
  // A surface with a format converts: that is not computed.
  EXPECT_FALSE(form_of("80", "SULD.P.2D.STRONG.SM.TRAP R0, [R4], 0x0, 0x58").form.computed);
}

TEST(FetchForms, GathersNameTheirChannel) {
  const Form second = form_of("80", "TLD4.SCR.G RZ, R2, R6, R21, 0x0, 0x58, 2D, 0x3");
  EXPECT_TRUE(second.form.gather);
  EXPECT_EQ(second.form.component, 1U);
  EXPECT_EQ(second.form.channels, 3U);
  const Form bindless = form_of("80", "TLD4.SCR.G.B RZ, R12, R4, R6, 2D, 0x3");
  EXPECT_EQ(bindless.form.component, 1U);
  EXPECT_EQ(bindless.op.source[2].cell, cell::general + 6);
  // The third channel is called as a handle in a register is.
  const Form blue = form_of("80", "TLD4.SCR.B RZ, R3, R4, R5, 0x0, 0x58, 2D, 0x3");
  EXPECT_EQ(blue.form.component, 2U);
  EXPECT_TRUE(blue.op.source[2].pool);
  EXPECT_EQ(blue.op.source[1].cell, cell::general + 5);
}

TEST(FetchForms, OffsetsAndComparisonsAreNotComputed) {
  EXPECT_TRUE(form_of("80", "TEX.SCR.LL RZ, R2, R4, R6, 0x0, 0x58, 2D, 0x1").form.computed);
  EXPECT_FALSE(form_of("80", "TEX.SCR.LL.AOFFI RZ, R2, R4, R6, 0x0, 0x58, 2D, 0x1").form.computed);
  EXPECT_FALSE(form_of("80", "TEX.SCR.DC RZ, R2, R4, R6, 0x0, 0x58, 2D, 0x1").form.computed);
}

/// Two rows of eight bytes, of which a row is two elements; rows begin 32 bytes apart.
struct Plane {
  alignas(32) std::array<std::uint8_t, 64> bytes{};
  ExecutionInput input;
  Plane() {
    for (std::uint8_t i = 0; i < 64; ++i) bytes[i] = i;
    input.block = {4, 1, 1};
    ExecutionBuffer buffer;
    buffer.address = 0x10000;
    buffer.bytes = bytes.size();
    buffer.place = bytes.data();
    input.buffers.push_back(buffer);
    input.services = std::make_shared<ProgramServices>();
    Texture surface;
    surface.address = 0x10000;
    surface.data = bytes.data();
    surface.width = 2;
    surface.height = 2;
    surface.pitch = 32;
    surface.slice = 64;
    input.services->textures[7] = surface;
  }
  GridRun run(const std::string& code) {
    const Kernel kernel = kernel_of("80", code);
    const auto program = lower_kernel(kernel);
    auto ran = run_in_place(*program, input, {}, {});
    EXPECT_TRUE(ran) << ran.error().line();
    return *std::move(ran);
  }
};

// Lane i copies from x = 4 i of row 1 to row 0: two lanes lie inside. Word 32 is 32 to 35.
TEST(Surfaces, LanesOutsideReadZerosAndWriteNothing) {
  Plane plane;
  const auto ran = plane.run(
      "S2R R4, SR_TID.X\nSHL R4, R4, 0x2\nMOV R5, 0x1\nMOV R9, 0x7\nMOV R6, R4\nMOV R7, RZ\n"
      "SULD.D.BA.2D.STRONG.SM.IGN R8, [R4], R9\nSUST.D.BA.2D.STRONG.SM.IGN [R6], R8, R9\nEXIT\n");
  EXPECT_TRUE(ran.findings.empty());
  EXPECT_FALSE(ran.lost);
  for (std::uint8_t i = 0; i < 8; ++i) EXPECT_EQ(plane.bytes[i], 32 + i);
  for (std::uint8_t i = 8; i < 32; ++i) EXPECT_EQ(plane.bytes[i], i);
}

// Clamped, lanes 2 and 3 write what lane 1 does: the last lane's value stays in the second element.
TEST(Surfaces, ClampedLanesGoToTheLastElement) {
  Plane plane;
  plane.run(
      "S2R R4, SR_TID.X\nMOV R8, R4\nSHL R4, R4, 0x2\nMOV R5, 0x9\nMOV R9, 0x7\n"
      "SUST.D.BA.2D.STRONG.SM [R4], R8, R9\nEXIT\n");
  EXPECT_EQ(plane.bytes[32], 0);
  EXPECT_EQ(plane.bytes[36], 3);
  EXPECT_EQ(plane.bytes[40], 40);
}

TEST(Surfaces, TrappedLanesAreFound) {
  Plane plane;
  const auto ran = plane.run(
      "S2R R4, SR_TID.X\nSHL R4, R4, 0x2\nMOV R5, RZ\nMOV R9, 0x7\n"
      "SULD.D.BA.2D.STRONG.SM.TRAP R8, [R4], R9\nEXIT\n");
  ASSERT_EQ(ran.findings.size(), 1U);
  EXPECT_EQ(ran.findings[0].space, MemorySpace::surface);
  EXPECT_EQ(ran.findings[0].address, 8U);
  EXPECT_EQ(ran.findings[0].lanes, 2U);
}

TEST(Surfaces, AnUnknownHandleLosesWhatIsStored) {
  Plane plane;
  const auto ran = plane.run(
      "MOV R4, RZ\nMOV R5, RZ\nMOV R9, 0x3\n"
      "SUST.D.BA.2D.STRONG.SM.TRAP [R4], R8, R9\nEXIT\n");
  EXPECT_TRUE(ran.lost);
}

// (2, 1, -1) meets the face of +x: s = -z and t = -y over x are 0.5 and -0.5.
TEST(Textures, ADirectionMeetsAFaceOfACube) {
  const CubePlace place = cube_place({2, 1, -1});
  EXPECT_EQ(place.face, 0U);
  EXPECT_EQ(place.at[0], 0.75F);
  EXPECT_EQ(place.at[1], 0.25F);
  EXPECT_EQ(cube_place({0, -3, 1}).face, 3U);
  EXPECT_EQ(cube_place({0, 0, -1}).face, 5U);
}

}  // namespace
}  // namespace forewarp::tests
