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
