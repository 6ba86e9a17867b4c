// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Copies in bulk, barriers that count bytes, products of warp groups, clusters: whole kernels of
// sm_90.
#include <gtest/gtest.h>

#include "kernel_run.h"
#include "tensor_arguments.h"

namespace forewarp::tests {
namespace {

const std::string copies = "../../validation/kernels/hopper_copies.sass";
const std::string products = "../../validation/kernels/hopper_products.sass";

struct BoxCase {
  std::int32_t x, y;
  std::uint32_t swizzle;
};

class BoxCopies : public ::testing::TestWithParam<BoxCase> {};

// An array of 96 x 24 numbers, element (x, y) = 100 y + x + 1: what lies outside is zero, and the
// 16-byte piece p of row r of 128 bytes lies at p xor (r mod swizzle / 16).
TEST_P(BoxCopies, BringWhatLiesThere) {
  constexpr std::int32_t columns = 96, rows = 24;
  std::vector<std::uint16_t> array(columns * rows);
  for (std::int32_t i = 0; i < columns * rows; ++i)
    array[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(100 * (i / columns) + i % columns + 1);
  const BoxCase box = GetParam();
  KernelRun run(copies, "copy_box");
  KernelRun holder(copies, "copy_box");
  holder.pass_buffer(array).pass_buffer(std::vector<std::uint32_t>(512));
  run.input().buffers = holder.input().buffers;
  pass_map(run, map_over(run.input().buffers[0].address, columns, rows, box.swizzle));
  run.pass(run.input().buffers[1].address).pass(box.x).pass(box.y);
  const auto failure = run.run({1, 1, 1}, {128, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint16_t>(1);
  ASSERT_EQ(out.size(), 1024U);
  for (std::int32_t r = 0; r < 16; ++r) {
    for (std::int32_t c = 0; c < 64; ++c) {
      const std::int32_t x = box.x + c, y = box.y + r;
      const bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
      const auto expected = static_cast<std::uint16_t>(inside ? 100 * y + x + 1 : 0);
      const std::int32_t pieces = static_cast<std::int32_t>(box.swizzle) / 16;
      const std::int32_t piece = pieces == 0 ? c / 8 : (c / 8) ^ (r % pieces);
      EXPECT_EQ(out[static_cast<std::size_t>(64 * r + 8 * piece + c % 8)], expected)
          << "row " << r << ", column " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Places, BoxCopies,
                         ::testing::Values(BoxCase{0, 0, 0}, BoxCase{16, 3, 128},
                                           BoxCase{48, 12, 128}, BoxCase{-8, -2, 128},
                                           BoxCase{32, 8, 0}));

const std::string columns = "../../validation/kernels/hopper_columns.sass";

/// Images of width x height pixels of 8 numbers, pixel i has 8 i + 1 to 8 i + 8.
std::vector<std::uint32_t> images(std::size_t pixels) {
  std::vector<std::uint32_t> numbers(8 * pixels);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i + 1);
  return numbers;
}

TensorMap map_of_pixels(std::uint64_t address, std::vector<std::uint64_t> sizes) {
  TensorMap map;
  map.address = address;
  map.rank = static_cast<std::uint32_t>(sizes.size() + 1);
  map.element_bytes = 4;
  map.size[0] = 8;
  map.stride = {4, 32};
  map.pixels = 32;
  map.box = {8, 32, 1, 1, 1};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    map.size[d + 1] = sizes[d];
    if (d > 0) map.stride[d + 1] = map.stride[d] * sizes[d - 1];
  }
  return map;
}

struct Windows {
  std::int32_t filter, pad, step, spread;
};

class Columns : public ::testing::TestWithParam<Windows> {};

// Sums over windows of three images of 13 x 9 pixels, as a loop over them gives.
TEST_P(Columns, BringTheWindowsOfAFilter) {
  constexpr std::int32_t wide = 13, high = 9, count = 3;
  const auto [filter, pad, step, spread] = GetParam();
  const std::int32_t reach = (filter - 1) * spread;
  const std::int32_t outputs_x = (wide + 2 * pad - reach - 1) / step + 1;
  const std::int32_t outputs_y = (high + 2 * pad - reach - 1) / step + 1;
  const auto blocks = static_cast<std::uint32_t>(outputs_x * outputs_y * count / 32);
  const auto in = images(std::size_t{wide} * high * count);
  KernelRun run(columns, "sum_windows"), holder(columns, "sum_windows");
  holder.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(256 * blocks));
  run.input().buffers = holder.input().buffers;
  TensorMap map = map_of_pixels(run.input().buffers[0].address, {wide, high, count});
  map.lower = {0, -pad, -pad};
  map.upper = {0, pad - reach, pad - reach};
  map.step = {1, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step), 1, 1};
  pass_map(run, map);
  run.pass(run.input().buffers[1].address).pass(outputs_x).pass(outputs_y);
  run.pass(filter).pass(pad).pass(step).pass(spread);
  const auto failure = run.run({blocks, 1, 1}, {256, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), 256U * blocks);
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(32 * blocks); ++p) {
    const std::int32_t image = p / (outputs_x * outputs_y);
    std::uint32_t sum = 0;
    for (std::int32_t v = 0; v < filter; ++v) {
      for (std::int32_t u = 0; u < filter; ++u) {
        const std::int32_t x = p % outputs_x * step - pad + u * spread;
        const std::int32_t y = p / outputs_x % outputs_y * step - pad + v * spread;
        if (x < 0 || x >= wide || y < 0 || y >= high) continue;
        sum += in[static_cast<std::size_t>(8 * (wide * (high * image + y) + x) + 5)];
      }
    }
    EXPECT_EQ(out[static_cast<std::size_t>(8 * p + 5)], sum) << "pixel " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, Columns,
                         ::testing::Values(Windows{1, 0, 1, 1}, Windows{3, 1, 1, 1},
                                           Windows{3, 1, 2, 1}, Windows{3, 2, 1, 2},
                                           Windows{5, 0, 1, 1}, Windows{2, 1, 1, 3}));

// Two rows of 40 pixels: for pixels 12 to 39 of the first come 15 to 39 and three of nothing, for 0
// to 3 of the second 3 to 6; they go to where they were asked for.
TEST(Columns, GoThereAndBack) {
  const auto in = images(80);
  KernelRun run(columns, "move_column_3d"), holder(columns, "move_column_3d");
  holder.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(in.size()));
  run.input().buffers = holder.input().buffers;
  for (const ExecutionBuffer& buffer : run.input().buffers)
    pass_map(run, map_of_pixels(buffer.address, {40, 2}));
  run.pass(12).pass(0).pass(3);
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), in.size());
  for (std::size_t p = 0; p < 80; ++p) {
    std::uint32_t expected = 0;
    if (p >= 12 && p < 40 && p + 3 < 40) expected = in[8 * (p + 3)];
    if (p >= 40 && p < 44) expected = in[8 * (p + 3)];
    EXPECT_EQ(out[8 * p], expected) << "pixel " << p;
  }
}

// A volume of 4 x 3 x 5 pixels, window of (1, 2, 3): from (1, 0, 0), moved by it, along a box of
// 3 x 1 x 2 pixels.
TEST(Columns, OfVolumes) {
  const auto in = images(4 * 3 * 5 * 6);
  KernelRun run(columns, "copy_column_5d"), holder(columns, "copy_column_5d");
  holder.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(256));
  run.input().buffers = holder.input().buffers;
  TensorMap map = map_of_pixels(run.input().buffers[0].address, {4, 3, 5, 6});
  map.upper = {0, -1, -2, -3};
  pass_map(run, map);
  run.pass(run.input().buffers[1].address);
  for (const std::int32_t number : {1, 0, 0, 0, 1, 2, 3}) run.pass(number);
  const auto failure = run.run({1, 1, 1}, {256, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), 256U);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::size_t p = i + 1, w = p % 3 + 1, d = p / 3 % 2 + 3, n = p / 6;
    EXPECT_EQ(out[8 * i], in[8 * (w + 4 * (2 + 3 * (d + 5 * n)))]) << "pixel " << i;
  }
}

TEST(Columns, NeedAMapOfPixels) {
  KernelRun run(columns, "copy_column_5d");
  TensorMap map = map_of_pixels(0x7f0000000000, {4, 3, 5, 6});
  map.pixels = 0;
  pass_map(run, map);
  run.pass(std::uint64_t{0});
  for (const std::int32_t number : {1, 0, 0, 0, 1, 2, 3}) run.pass(number);
  const auto failure = run.run({1, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("columns of pixels (im2col)"), std::string::npos) << *failure;
}

TEST(RowCopies, GoThereAndBack) {
  std::vector<std::uint32_t> in(3 * 128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(7 * i);
  KernelRun run(copies, "copy_rows");
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(in.size()));
  const auto failure = run.run({3, 1, 1}, {128, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], in[i] + 1);
}

TEST(Clusters, ShareARow) {
  std::vector<std::uint32_t> in(2 * 128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(5 * i);
  KernelRun run(copies, "share_row");
  run.input().cluster = {2, 1, 1};
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(2 * in.size()));
  const auto failure = run.run({4, 1, 1}, {128, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), 2 * in.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], in[i / 256 * 128 + i % 128] + i / 128 % 2);
}

// Alone, the second block waits for bytes that only the first one brings.
TEST(Clusters, ABlockAloneWaitsInVain) {
  KernelRun run(copies, "share_row");
  run.pass_buffer(std::vector<std::uint32_t>(128)).pass_buffer(std::vector<std::uint32_t>(128));
  const auto failure = run.run({1, 1, 1}, {128, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("lacks 1 of 2 arrivals"), std::string::npos) << *failure;
}

/// One of our products of n x n matrices, with boxes of these rows.
KernelRun product(const std::string& kernel, std::uint32_t n, std::uint32_t box_rows) {
  KernelRun run(products, kernel);
  run.pass(n).pass(n).pass(n);
  for (std::uint64_t i = 0; i < 3; ++i) {
    ExecutionBuffer buffer;
    buffer.address = 0x7f0000000000U + (i << 28);
    buffer.bytes = std::uint64_t{2} * n * n;
    buffer.name = std::to_string(i);
    run.input().buffers.push_back(buffer);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    TensorMap map = map_over(run.input().buffers[i].address, n, n, 128);
    map.box = {64, box_rows};
    pass_map(run, map);
  }
  run.pass(run.input().buffers[2].address);
  return run;
}

std::uint64_t executed(const KernelRun& run, std::string_view mnemonic) {
  std::uint64_t times = 0;
  for (std::size_t i = 0; i < run.counts().warps.size(); ++i) {
    const std::string_view text = run.kernel().text_of(run.kernel().instructions[i]);
    if (text.starts_with(mnemonic)) times += run.counts().warps[i];
  }
  return times;
}

// 256 x 256: four blocks of 4 steps of 64; each step copies two boxes and multiplies four times 16
// deep, in 8 warps. Waits pass once: the producer's and each consumer warp's, per step.
TEST(WarpGroups, ProducersFeedConsumers) {
  KernelRun run = product("product_specialised", 256, 128);
  const auto failure = run.run({2, 2, 1}, {384, 1, 1}, 4 * 2 * 128 * 64 * 2);
  ASSERT_FALSE(failure) << *failure;
  EXPECT_EQ(executed(run, "UTMALDG"), 4U * 4 * 2);
  EXPECT_EQ(executed(run, "HGMMA"), 4U * 4 * 4 * 8);
  EXPECT_EQ(executed(run, "SYNCS.PHASECHK"), 4U * 4 * (1 + 8));
}

/// Small numbers as bf16: exact, as their products' sums.
std::uint16_t bfloat(std::size_t of) {
  const float value = static_cast<float>(of * 2654435761U >> 7 & 15U) - 7;
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}
double number(std::uint16_t of) {
  return std::bit_cast<float>(std::uint32_t{of} << 16);
}

void fill(ExecutionBuffer& buffer, const std::vector<std::uint16_t>& values) {
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data.resize(values.size() * sizeof(std::uint16_t));
  std::memcpy(buffer.data.data(), values.data(), buffer.data.size());
}

/// C = A B^T of n x n matrices by one of our kernels; C lies by columns.
void expect_product(const std::string& kernel, std::uint32_t n, std::uint32_t threads,
                    std::uint32_t dynamic_shared) {
  KernelRun run = product(kernel, n, 128);
  std::vector<std::uint16_t> a(std::size_t{n} * n), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = bfloat(i + 1);
    b[i] = bfloat(3 * i + 2);
  }
  fill(run.input().buffers[0], a);
  fill(run.input().buffers[1], b);
  const auto failure = run.run({n / 128, n / 128, 1}, {threads, 1, 1}, dynamic_shared);
  ASSERT_FALSE(failure) << *failure;
  const auto c = run.result<std::uint16_t>(2);
  ASSERT_EQ(c.size(), a.size()) << "a part of the result is unknown";
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += number(a[row * n + k]) * number(b[column * n + k]);
      // Rounded to bf16: 8 bits.
      ASSERT_NEAR(number(c[column * n + row]), sum, std::abs(sum) / 256) << row << ' ' << column;
    }
  }
}

TEST(WarpGroups, ValuesOfAProduct) {
  expect_product("product_group", 128, 128, 0);
}

TEST(WarpGroups, ValuesOfAProductInAPipeline) {
  expect_product("product_specialised", 256, 384, 4 * 2 * 128 * 64 * 2);
}

// Boxes of half the bytes that the code announces.
TEST(WarpGroups, MissingBytesAreADeadlock) {
  KernelRun run = product("product_specialised", 256, 64);
  const auto failure = run.run({1, 1, 1}, {384, 1, 1}, 4 * 2 * 128 * 64 * 2);
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("lacks 0 of 1 arrivals and 16384 bytes"), std::string::npos) << *failure;
}

TEST(WarpGroups, AMapThatIsNoneIsRefused) {
  KernelRun run = product("product_group", 256, 128);
  std::fill(run.input().parameters.begin() + 0x30, run.input().parameters.begin() + 0x40,
            std::uint8_t{0});
  const auto failure = run.run({1, 1, 1}, {128, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("tensor map"), std::string::npos) << *failure;
  EXPECT_NE(failure->find("=tensor:TYPE"), std::string::npos) << *failure;
}

TEST(WarpGroups, AMapOfOtherDimensionsIsRefused) {
  KernelRun run = product("product_group", 256, 128);
  run.input().tensor_maps[0].rank = 3;
  const auto failure = run.run({1, 1, 1}, {128, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("2 dimensions"), std::string::npos) << *failure;
}

}  // namespace
}  // namespace forewarp::tests
